/** `!!` and its like in a command line: words that stand for what was typed before, as shells have them. */

/** A line with what its words stand for, or the first word that stands for nothing. */
export type Repeated = { readonly text: string } | { readonly missing: string };

/** Outside of quotes: the last line, its last word, a line by its number or from the end, the last that begins with a word. */
const EVENT = /!(?:[!$]|-?\d+|[A-Za-z][\w.-]*)/y;
/** What is inside of double quotes is text, where only the plainest are read. */
const QUOTED_EVENT = /![!$]/y;
/** A `!` behind these is the shell's own. */
const OTHER = /[$[{]$/;

/** Puts earlier lines in place of the words that stand for them. Several rows, as of a here-document or a paste, stay as they are. */
export function repeated(line: string, history: readonly string[]): Repeated {
  if (!line.includes('!') || line.includes('\n')) return { text: line };
  let text = '';
  let quote = '';
  for (let at = 0; at < line.length;) {
    const event = quote === "'" || OTHER.test(text) ? '' : matchAt(quote === '' ? EVENT : QUOTED_EVENT, line, at);
    if (event !== '') {
      const found = meantBy(event.slice(1), history);
      if (found === undefined) return { missing: event };
      text += found;
      at += event.length;
      continue;
    }
    const char = line.charAt(at);
    const escapes = char === '\\' && quote !== "'";
    if (char === quote) quote = '';
    else if (quote === '' && (char === "'" || char === '"')) quote = char;
    text += line.slice(at, at + (escapes ? 2 : 1));
    at += escapes ? 2 : 1;
  }
  return { text };
}

function meantBy(word: string, history: readonly string[]): string | undefined {
  const last = history.at(-1);
  if (word === '!') return last;
  if (word === '$') return last?.trim().split(/\s+/).at(-1);
  if (!/^-?\d/.test(word)) return history.findLast((line) => line.startsWith(word));
  const number = Number(word);
  return number === 0 ? undefined : history.at(number < 0 ? number : number - 1);
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}
