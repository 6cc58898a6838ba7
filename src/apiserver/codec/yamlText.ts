/**
 * YAML as the reference's library writes it, to the letter: clients compare texts. Keys in its natural order, texts quoted
 * only where they would be read as something else, long lines folded at spaces.
 */
import { isObject, getOwn } from '../../std/index.ts';

/** A JSON value as a YAML text, with a line end. */
export function yamlText(value: unknown): string {
  return isObject(value) || Array.isArray(value) ? block(value, 0) : `${scalar(value, 0, 0)}\n`;
}

/** A map or list whose lines begin at `indent`. */
function block(value: object, indent: number): string {
  if (isEmpty(value)) return Array.isArray(value) ? '[]\n' : '{}\n';
  const pad = ' '.repeat(indent);
  if (Array.isArray(value)) return value.map((item) => `${pad}- ${inside(item, indent)}`).join('');
  const entries = Object.entries(value as Record<string, unknown>).filter(([, item]) => item !== undefined);
  return entries
    .sort(([a], [b]) => compareKeys(a, b))
    .map(([key, item]) => `${pad}${entry(keyText(key), item, indent)}`)
    .join('');
}

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

/** An item of a list, after its dash: what it contains is two further in, and begins on the same line. */
function inside(item: unknown, indent: number): string {
  if (!isObject(item) && !Array.isArray(item)) return `${scalar(item, indent, indent + 2)}\n`;
  return block(item, indent + 2).trimStart();
}

function entry(key: string, item: unknown, indent: number): string {
  const isList = Array.isArray(item);
  if (!isObject(item) && !isList) return `${key}: ${scalar(item, indent, indent + [...key].length + 2)}\n`;
  if (isEmpty(item)) return `${key}: ${block(item, 0)}`;
  // Lists stand as far out as their key.
  return `${key}:\n${block(item, isList ? indent : indent + 2)}`;
}

/** A scalar that begins at `column`; its further lines stand two further in than `indent`. */
function scalar(value: unknown, indent: number, column: number): string {
  if (typeof value === 'number') return numberText(value);
  if (typeof value !== 'string') return JSON.stringify(value ?? null);
  const style = styleOf(value, false);
  if (style === 'literal') return literal(value, indent + 2);
  return style === 'plain' ? fold(value, 'plain', indent + 2, column) : quoted(value, style, indent + 2, column);
}

/** Large and small numbers carry an exponent of two digits at least. */
const numberText = (value: number): string => String(value).replace(/e([+-])(\d)$/, 'e$10$2');

type Style = 'plain' | 'single' | 'double' | 'literal';

function keyText(key: string): string {
  const style = styleOf(key, true);
  return style === 'plain' ? key : quoted(key, style, 0, -Infinity);
}

const BREAK = /[\n\r\u0085\u2028\u2029]/;
const UNPRINTABLE = /[^\n\x20-\x7e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/u;
/** What can't begin a plain text, and what can't stand in one. */
const INDICATOR = /^(?:---|\.\.\.|[#,[\]{}&*!|>'"%@`]|[?:-](?:[ \t]|$))|:(?:[ \t]|$)|[ \t\n\r]#/;

function styleOf(text: string, isKey: boolean): Style {
  const special = UNPRINTABLE.test(text) || new RegExp(` ${BREAK.source}`).test(text);
  if (text.includes('\n')) return isKey || special || text.endsWith(' ') ? 'double' : 'literal';
  if (special || meansSomethingElse(text)) return 'double';
  return /^ | $/.test(text) || INDICATOR.test(text) ? 'single' : 'plain';
}

const WORDS = new Set(
  ['y', 'Y', 'n', 'N', '~', '', '.nan', '.NaN', '.NAN'].concat(
    ['yes', 'true', 'on', 'no', 'false', 'off', 'null'].flatMap(threeCases),
    ['.inf', '+.inf', '-.inf'].flatMap((word) => [word, word.replace('i', 'I'), word.toUpperCase()]),
  ),
);

function threeCases(word: string): string[] {
  return [word, word.slice(0, 1).toUpperCase() + word.slice(1), word.toUpperCase()];
}

const INTEGER = /^[-+]?(?:\d+|0[xX][\da-fA-F]+|0[bB][01]+|0[oO][0-7]+)$/;
const FLOAT = /^(?:[-+]?\d*\.?\d+(?:[eE][-+]\d+)?|\.\d+(?:[eE][-+]?\d+)?)$/;
const BASE_60 = /^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/;
const TIMESTAMP =
  /^\d{4}-\d{1,2}-\d{1,2}(?:[Tt]\d{1,2}:\d{1,2}:\d{1,2}(?:\.\d+)?(?:Z|[-+]\d\d:\d\d)| \d{1,2}:\d{1,2}:\d{1,2}(?:\.\d+)?)?$/;

/** Whether a text would be read as a truth value, a number, a time or nothing. */
function meansSomethingElse(text: string): boolean {
  if (WORDS.has(text)) return true;
  if (!/^[-+.\d]/.test(text)) return false;
  const plain = text.startsWith('.') ? text : text.replaceAll('_', '');
  return INTEGER.test(plain) || FLOAT.test(plain) || BASE_60.test(text) || TIMESTAMP.test(text);
}

function literal(text: string, indent: number): string {
  const hint = /^[ \n]/.test(text) ? '2' : '';
  const chomp = text.endsWith('\n') ? (/(?:^|\n)\n$/.test(text) ? '+' : '') : '-';
  const lines = text.replace(/\n$/, '').split('\n');
  const pad = ' '.repeat(indent);
  return `|${hint}${chomp}\n${lines.map((line) => (line === '' ? '' : pad + line)).join('\n')}`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\0': '\\0',
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\x1b': '\\e',
  '"': '\\"',
  '\\': '\\\\',
  '\u0085': '\\N',
  '\u2028': '\\L',
  '\u2029': '\\P',
};

function escaped(character: string): string {
  const short = getOwn(ESCAPES, character);
  if (short !== undefined) return short;
  if (!UNPRINTABLE.test(character)) return character;
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  if (code.length <= 2) return `\\x${code.padStart(2, '0')}`;
  return code.length <= 4 ? `\\u${code.padStart(4, '0')}` : `\\U${code.padStart(8, '0')}`;
}

function quoted(text: string, style: Style, indent: number, column: number): string {
  if (style === 'single') return `'${fold(text.replaceAll("'", "''"), 'single', indent, column + 1)}'`;
  return `"${fold([...text].map(escaped).join(''), 'double', indent, column + 1)}"`;
}

const WIDTH = 80;

/** Breaks a line at the first space behind column 80; of several spaces only those in double quotes can be broken. */
function fold(text: string, style: 'plain' | 'single' | 'double', indent: number, column: number): string {
  const characters = [...text];
  const last = characters.length - 1;
  let out = '';
  let spaces = false;
  for (const [i, character] of characters.entries()) {
    const mayBreak = character === ' ' && !spaces && column > WIDTH && (style === 'plain' || (i > 0 && i < last));
    const twice = characters[i + 1] === ' ';
    if (mayBreak && (style === 'double' || !twice)) {
      out += `\n${' '.repeat(indent)}${twice ? '\\' : ''}`;
      column = indent + (twice ? 1 : 0);
    } else {
      out += character;
      column++;
    }
    spaces = character === ' ';
  }
  return out;
}

const isLetter = (character: string): boolean => /\p{L}/u.test(character);
const isDigit = (character: string | undefined): boolean => character !== undefined && /\d/.test(character);

/** Numbers in keys count as numbers, and everything else comes before letters. */
function compareKeys(a: string, b: string): number {
  const [x, y] = [[...a], [...b]];
  for (let i = 0; i < Math.min(x.length, y.length); i++) {
    const [c, d] = [x[i] as string, y[i] as string];
    if (c === d) continue;
    const [isA, isB] = [isLetter(c), isLetter(d)];
    if (isA !== isB) return isB ? -1 : 1;
    return (isA ? 0 : compareNumbers(x, y, i)) || (c < d ? -1 : 1);
  }
  return x.length - y.length;
}

function compareNumbers(x: readonly string[], y: readonly string[], start: number): number {
  // Behind other digits a zero counts, in front of all it doesn't.
  const behind = (x[start] === '0' || y[start] === '0') && /[1-9]\d*$/.test(x.slice(0, start).join(''));
  const read = (text: readonly string[]): { value: number; end: number } => {
    let [value, end] = [behind ? 1 : 0, start];
    for (; isDigit(text[end]); end++) value = value * 10 + Number(text[end]);
    return { value, end };
  };
  const [a, b] = [read(x), read(y)];
  return a.value - b.value || a.end - b.end;
}
