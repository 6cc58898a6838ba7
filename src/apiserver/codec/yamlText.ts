/**
 * A YAML writer with the exact output of the reference's library, because clients compare texts: natural key order,
 * quotes only where needed, long lines folded at spaces.
 */
import { atOnce, getOwn, isObject, sortInSteps, type Steps } from '../../std/index.ts';

/** A JSON value as YAML, with a line end. */
export function yamlText(value: unknown): string {
  return atOnce(yamlSteps(value));
}

/** The same in short steps, for values of any size. */
export function* yamlSteps(value: unknown): Steps<string> {
  return isBlock(value) ? yield* block(value, 0) : `${scalar(value, 0, 0)}\n`;
}

/** Whether a value needs its own lines: a non-empty map or list. */
const isBlock = (value: unknown): value is object =>
  (isObject(value) || Array.isArray(value)) && Object.keys(value).length > 0;

/** The number of lines of one map or list that are written in a step. */
const LINES = 1000;

/** A map or list whose lines are indented by `indent`. */
function* block(value: object, indent: number): Steps<string> {
  const pad = ' '.repeat(indent);
  const isList = Array.isArray(value);
  const lines: string[] = [];
  for (const [key, item] of isList ? value.entries() : yield* entriesOf(value)) {
    const head = isList ? '- ' : `${keyText(String(key))}: `;
    if (!isBlock(item)) lines.push(`${pad}${head}${scalar(item, indent, indent + [...head].length)}\n`);
    // A list item starts on the line of its dash.
    else if (isList) lines.push(`${pad}- ${(yield* block(item, indent + 2)).trimStart()}`);
    // Lists have the indentation of their key.
    else lines.push(`${pad}${head.trimEnd()}\n${yield* block(item, Array.isArray(item) ? indent : indent + 2)}`);
    if (lines.length % LINES === 0) yield;
  }
  return lines.join('');
}

function entriesOf(value: object): Steps<[string, unknown][]> {
  const entries = Object.entries(value as Record<string, unknown>).filter(([, item]) => item !== undefined);
  return sortInSteps(entries, ([a], [b]) => compareKeys(a, b));
}

/** A scalar that starts at `column`; its continuation lines are indented by two more than `indent`. */
function scalar(value: unknown, indent: number, column: number): string {
  if (typeof value === 'number') return numberText(value);
  if (typeof value !== 'string') return JSON.stringify(value ?? null);
  const style = styleOf(value, false);
  if (style === 'literal') return literal(value, indent + 2);
  return style === 'plain' ? fold(value, 'plain', indent + 2, column) : quoted(value, style, indent + 2, column);
}

/** Large and small numbers have an exponent of at least two digits. */
const numberText = (value: number): string => String(value).replace(/e([+-])(\d)$/, 'e$10$2');

type Style = 'plain' | 'single' | 'double' | 'literal';

function keyText(key: string): string {
  const style = styleOf(key, true);
  return style === 'plain' ? key : quoted(key, style, 0, -Infinity);
}

const BREAK = /[\n\r\u0085\u2028\u2029]/;
const UNPRINTABLE = /[^\n\x20-\x7e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/u;
/** What a plain scalar can't start with, and what it can't contain. */
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
/** No digit can belong to two parts, so that matching takes linear time. */
const FLOAT = /^(?:[-+]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][-+]\d+)?|\.\d+(?:[eE][-+]?\d+)?)$/;
const BASE_60 = /^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/;
const TIMESTAMP =
  /^\d{4}-\d{1,2}-\d{1,2}(?:[Tt]\d{1,2}:\d{1,2}:\d{1,2}(?:\.\d+)?(?:Z|[-+]\d\d:\d\d)| \d{1,2}:\d{1,2}:\d{1,2}(?:\.\d+)?)?$/;

/** Whether a text would be parsed as a boolean, a number, a time or null. */
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

/** Breaks a line at the first space after column 80; a run of several spaces can only be broken in double quotes. */
function fold(text: string, style: 'plain' | 'single' | 'double', indent: number, column: number): string {
  if (column + text.length <= WIDTH) return text;
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

const isLetter = (codePoint: number): boolean => /\p{L}/u.test(String.fromCodePoint(codePoint));
const isDigit = (character: string | undefined): boolean => character !== undefined && /\d/.test(character);

/** Numbers in keys are compared as numbers, and everything else precedes letters. */
function compareKeys(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  let i = 0;
  while (i < end && a.charCodeAt(i) === b.charCodeAt(i)) i++;
  if (i === end) return a.length - b.length;
  // Surrogate pairs are compared as whole characters, even if only their second halves differ.
  if (isSecondHalf(a, i) || isSecondHalf(b, i)) i--;
  const [c, d] = [a.codePointAt(i) ?? 0, b.codePointAt(i) ?? 0];
  const [isA, isB] = [isLetter(c), isLetter(d)];
  if (isA !== isB) return isB ? -1 : 1;
  return (isA ? 0 : compareNumbers(a, b, i)) || c - d;
}

const isSecondHalf = (text: string, i: number): boolean => i > 0 && (text.codePointAt(i - 1) ?? 0) > 0xffff;

function compareNumbers(a: string, b: string, start: number): number {
  // A zero after other digits counts; leading zeros do not.
  const behind = (a[start] === '0' || b[start] === '0') && /[1-9]0*$/.test(a.slice(0, start));
  const read = (text: string): { value: number; end: number } => {
    let [value, end] = [behind ? 1 : 0, start];
    for (; isDigit(text[end]); end++) value = value * 10 + Number(text[end]);
    return { value, end };
  };
  const [x, y] = [read(a), read(b)];
  return x.value - y.value || x.end - y.end;
}
