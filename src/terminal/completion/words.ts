/** What a command line says up to the cursor, as far as completion needs it. */

export interface Typed {
  /** The words of the command that is being typed, without quotes; the last one is not among them. */
  readonly words: readonly string[];
  /** The word before the cursor, as far as it is typed, without quotes. */
  readonly word: string;
  /** Where that word begins in the text. */
  readonly from: number;
  /** The quote that it is in. */
  readonly quote: '' | '"' | "'";
  /** It names a file that input or output is redirected to. */
  readonly isTarget: boolean;
}

const SEPARATORS = new Set(['|', '&', ';', '\n', '(', ')', '{', '}']);
/** Words after which another command begins. */
const STARTERS = new Set(['if', 'then', 'else', 'elif', 'while', 'until', 'do', 'time', '!', 'sudo', 'xargs', 'watch']);
const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/;

class Scanner {
  words: string[] = [];
  word = '';
  from = 0;
  quote: Typed['quote'] = '';
  isTarget = false;
  #inWord = false;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  scan(): void {
    for (let at = 0; at < this.#text.length; at++) at = this.#char(at);
    if (!this.#inWord) this.from = this.#text.length;
  }

  /** Reads the token at an index; returns the index of its last character. */
  #char(at: number): number {
    const char = this.#text.charAt(at);
    if (this.quote !== '') return this.#quoted(char, at);
    if (char === '\\') {
      this.#add(this.#text.charAt(at + 1).replace('\n', ''), at);
      return at + 1;
    }
    if (char === '"' || char === "'") {
      this.#add('', at);
      this.quote = char;
    } else if (char === '$' && this.#text.charAt(at + 1) === '(') this.#next();
    else if (char === '`') this.#next();
    else if (SEPARATORS.has(char) && !(this.#inWord && (char === '{' || char === '}'))) this.#next();
    else if (char === '<' || char === '>') this.#redirect();
    else if (/\s/.test(char)) this.#end();
    else this.#add(char, at);
    return at;
  }

  #quoted(char: string, at: number): number {
    if (char === this.quote) this.quote = '';
    else if (char === '\\' && this.quote === '"' && /["\\$`]/.test(this.#text.charAt(at + 1))) {
      this.word += this.#text.charAt(at + 1);
      return at + 1;
    } else this.word += char;
    return at;
  }

  #add(char: string, at: number): void {
    if (!this.#inWord) this.from = at;
    this.#inWord = true;
    this.word += char;
  }

  /** A word has ended. What comes before the name of a command is none of its words. */
  #end(): void {
    if (!this.#inWord) return;
    const isFirst = this.words.length === 0;
    if (!this.isTarget && !(isFirst && (STARTERS.has(this.word) || ASSIGNMENT.test(this.word))))
      this.words.push(this.word);
    this.word = '';
    this.#inWord = false;
    this.isTarget = false;
  }

  #next(): void {
    this.#end();
    this.words = [];
    this.isTarget = false;
  }

  #redirect(): void {
    if (/^\d+$/.test(this.word)) {
      this.word = '';
      this.#inWord = false;
    }
    this.#end();
    this.isTarget = true;
  }
}

/** Reads a text up to the cursor. */
export function typedWords(text: string): Typed {
  const scanner = new Scanner(text);
  scanner.scan();
  const { words, word, from, quote, isTarget } = scanner;
  return { words, word, from, quote, isTarget };
}

/** A word as it has to be typed, within the quote that is open. */
export function quoteWord(word: string, quote: Typed['quote']): string {
  if (quote === "'") return `'${word.replaceAll("'", `'\\''`)}`;
  if (quote === '"') return `"${word.replace(/["\\$`]/g, '\\$&')}`;
  return word.replace(/[\s"'\\$`;&|<>()*?[\]#~!{}]/g, '\\$&').replace(/^\\~(?=\/|$)/, '~');
}
