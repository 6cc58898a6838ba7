/**
 * What a program writes is data: of its control sequences colours and weights are shown, all others are left out, and so are
 * characters that would turn the direction of the text around them.
 */

/** A stretch of text of one look. */
export interface Span {
  readonly text: string;
  /** Names of looks: `bold`, `dim`, `italic`, `underline`, `red`, … */
  readonly looks: readonly string[];
}

const SEQUENCE = /\x1b(?:\[([0-?]*)[ -/]*([@-~])|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*[0-~]?)/g;
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const NEEDS_CARE = new RegExp(CONTROLS.source);

const COLOURS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;
const WEIGHTS: Readonly<Record<number, string>> = { 1: 'bold', 2: 'dim', 3: 'italic', 4: 'underline' };
const TAB = 8;

/** The text without any control sequence, tabs as spaces. */
export function plainText(raw: string): string {
  if (!NEEDS_CARE.test(raw)) return spacesForTabs(raw);
  return spansOf(raw)
    .map(({ text }) => text)
    .join('');
}

/** Whether there is something about a line that `spansOf` shows and `plainText` doesn't. */
export const isStyled = (raw: string): boolean => raw.includes('\x1b[');

/** A line as stretches of one look each. */
export function spansOf(raw: string): readonly Span[] {
  const line = lastWritten(raw);
  const spans: Span[] = [];
  let looks: readonly string[] = [];
  let from = 0;
  const add = (to: number): void => {
    const text = line.slice(from, to).replace(CONTROLS, '');
    if (text !== '') spans.push({ text: spacesForTabs(text), looks });
  };
  for (const match of line.matchAll(SEQUENCE)) {
    add(match.index);
    from = match.index + match[0].length;
    if (match[2] === 'm') looks = looksAfter(looks, match[1] ?? '');
  }
  add(line.length);
  return spans;
}

/** A return goes back to the line's beginning, so that what follows it is what is seen. */
function lastWritten(raw: string): string {
  const text = raw.replace(/\r+$/, '');
  return text.slice(text.lastIndexOf('\r') + 1);
}

/** The looks that hold after a sequence that selects some (`ESC [ … m`). */
function looksAfter(before: readonly string[], parameters: string): readonly string[] {
  const codes = parameters.split(/[;:]/).map(Number);
  let looks = before;
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] ?? 0;
    // A colour of a larger palette: its parameters are no codes of their own.
    if (code === 38 || code === 48) i += codes[i + 1] === 5 ? 2 : 4;
    else looks = withCode(looks, code);
  }
  return looks;
}

const isColour = (look: string): boolean => (COLOURS as readonly string[]).includes(look);

function withCode(looks: readonly string[], code: number): readonly string[] {
  if (code === 0) return [];
  const weight = WEIGHTS[code];
  if (weight !== undefined) return [...looks.filter((look) => look !== weight), weight];
  if (code === 22) return looks.filter((look) => look !== 'bold' && look !== 'dim');
  if (code === 23 || code === 24) return looks.filter((look) => look !== (code === 23 ? 'italic' : 'underline'));
  const bright = code >= 90 && code <= 97 ? code - 60 : code;
  const colour = bright >= 30 && bright <= 37 ? COLOURS[bright - 30] : undefined;
  if (colour === undefined && code !== 39) return looks;
  return [...looks.filter((look) => !isColour(look)), ...(colour === undefined ? [] : [colour])];
}

/** A tab leads to the next column that eight divides, as far as one text knows its columns. */
function spacesForTabs(text: string): string {
  if (!text.includes('\t')) return text;
  let out = '';
  for (const part of text.split(/(\t)/)) out += part === '\t' ? ' '.repeat(TAB - (out.length % TAB)) : part;
  return out;
}
