/** YAML as the reference's client prints it: keys in natural order, lists not indented, text quoted only where it has to be. */
import { isObject, trimRight } from '../../std/index.ts';

/** Ends with a line break. */
export function printYaml(value: unknown): string {
  if (isLeaf(value)) return `${leaf(value, 0, 0)}\n`;
  return `${block(value, 0).join('\n')}\n`;
}

type Fields = Readonly<Record<string, unknown>>;

const isLeaf = (value: unknown): boolean =>
  Array.isArray(value) ? value.length === 0 : !isObject(value) || fieldsOf(value).length === 0;

const fieldsOf = (value: object): readonly (readonly [string, unknown])[] =>
  Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .sort(([a], [b]) => compareNaturally(a, b));

/** The lines of a map or list that is not empty. */
function block(value: unknown, indent: number): string[] {
  return Array.isArray(value) ? listLines(value, indent) : mapLines(value as Fields, indent);
}

function listLines(items: readonly unknown[], indent: number): string[] {
  const space = ' '.repeat(indent);
  return items.flatMap((item) => {
    if (isLeaf(item)) return [`${space}- ${leaf(item, indent + 2, indent + 2)}`];
    const [first = '', ...rest] = block(item, indent + 2);
    return [`${space}- ${first.slice(indent + 2)}`, ...rest];
  });
}

function mapLines(fields: Fields, indent: number): string[] {
  const space = ' '.repeat(indent);
  return fieldsOf(fields).flatMap(([name, value]) => {
    const key = `${space}${keyText(name)}:`;
    if (isLeaf(value)) return [`${key} ${leaf(value, indent + 2, key.length + 1)}`];
    return [key, ...block(value, Array.isArray(value) ? indent : indent + 2)];
  });
}

/** A scalar or an empty collection; `column` is where it begins, `indent` where further lines of it do. */
function leaf(value: unknown, indent: number, column: number): string {
  if (typeof value === 'string') return scalar(value, indent, column);
  if (typeof value === 'number') return numberText(value);
  if (typeof value === 'boolean') return String(value);
  return value === null || value === undefined ? 'null' : Array.isArray(value) ? '[]' : '{}';
}

const numberText = (value: number): string =>
  Number.isInteger(value) && Math.abs(value) < 1e21 ? String(value) : goFloat(value);

/** `1e-7` is written `1e-07`. */
const goFloat = (value: number): string => String(value).replace(/e([+-])(\d)$/, 'e$10$2');

function keyText(key: string): string {
  if (!isText(key) || key === '') return doubleQuoted(key, 0, 0, false);
  const found = analyze(key);
  if (found.multiline || !(found.plain || found.singleQuoted)) return doubleQuoted(key, 0, 0, false);
  return found.plain ? key : `'${key.replaceAll("'", "''")}'`;
}

function scalar(value: string, indent: number, column: number): string {
  const found = analyze(value);
  if (value.includes('\n')) return found.literal ? literal(value, indent) : doubleQuoted(value, indent, column, true);
  if (!isText(value)) return doubleQuoted(value, indent, column, true);
  if (found.plain) return folded(value, indent, column);
  if (!found.singleQuoted) return doubleQuoted(value, indent, column, true);
  return `'${folded(value.replaceAll("'", "''"), indent, column + 1, 1)}'`;
}

/** Beyond this column a line ends at the next space. */
const WIDTH = 80;

/** Breaks a long line at single spaces; with `edge` not at its first and last `edge` characters. */
function folded(value: string, indent: number, column: number, edge = 0): string {
  const characters = [...value];
  let at = column;
  let text = '';
  let spaces = false;
  for (const [i, character] of characters.entries()) {
    const inside = edge === 0 || (i > 0 && i < characters.length - 1);
    const breaks = character === ' ' && !spaces && at > WIDTH && inside && characters[i + 1] !== ' ';
    text += breaks ? `\n${' '.repeat(indent)}` : character;
    at = breaks ? indent : at + 1;
    spaces = character === ' ';
  }
  return text;
}

function literal(value: string, indent: number): string {
  const body = trimRight(value, '\n');
  const trailing = value.length - body.length;
  const hints = `${/^[ \n]/.test(value) ? '2' : ''}${trailing === 0 ? '-' : trailing > 1 || body === '' ? '+' : ''}`;
  const space = ' '.repeat(indent);
  const lines = body.split('\n').map((line) => (line === '' ? '' : space + line));
  return [`|${hints}`, ...lines, ...Array<string>(Math.max(0, trailing - 1)).fill('')].join('\n');
}

const ESCAPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ '\0': '0', '\x07': 'a', '\b': 'b', '\t': 't', '\n': 'n', '\v': 'v', '\f': 'f', '\r': 'r', '\x1b': 'e' },
    ...{ '"': '"', '\\': '\\', '\x85': 'N', '\xa0': '_', '\u2028': 'L', '\u2029': 'P' },
  }),
);

function doubleQuoted(value: string, indent: number, column: number, mayBreak: boolean): string {
  const characters = [...value];
  let at = column + 1;
  let text = '"';
  let spaces = false;
  const put = (written: string): void => {
    text += written;
    at += written.length;
  };
  for (const [i, character] of characters.entries()) {
    const inside = i > 0 && i < characters.length - 1;
    if (character === ' ' && mayBreak && !spaces && at > WIDTH && inside) {
      text += `\n${' '.repeat(indent)}`;
      at = indent;
      if (characters[i + 1] === ' ') put('\\');
    } else put(escaped(character));
    spaces = character === ' ';
  }
  return `${text}"`;
}

function escaped(character: string): string {
  const short = ESCAPES.get(character);
  if (short !== undefined) return `\\${short}`;
  if (isPrintable(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16).toUpperCase();
  return code <= 0xff
    ? `\\x${hex.padStart(2, '0')}`
    : code <= 0xffff
      ? `\\u${hex.padStart(4, '0')}`
      : `\\U${hex.padStart(8, '0')}`;
}

/** Characters beyond the first plane are always written by their number. */
const isPrintable = (character: string): boolean =>
  /^[\n\x20-\x7e\xa1-\ud7ff\ue000-\ufefe\uff00-\ufffd]$/.test(character);

interface Analysis {
  readonly multiline: boolean;
  readonly plain: boolean;
  readonly singleQuoted: boolean;
  readonly literal: boolean;
}

/** In which ways a text can be written at all. */
function analyze(value: string): Analysis {
  const multiline = value.includes('\n');
  const special = [...value].some((character) => !isPrintable(character)) || / \n/.test(value);
  const spaceAfterBreak = /\n /.test(value);
  const edges = /^[ \n]|[ \n]$/.test(value);
  return {
    multiline,
    plain: !special && !multiline && !edges && !spaceAfterBreak && !hasIndicators(value),
    singleQuoted: !special && !spaceAfterBreak,
    literal: !special && !value.endsWith(' '),
  };
}

const hasIndicators = (value: string): boolean =>
  /^(---|\.\.\.)|^[#,[\]{}&*!|>'"%@`]|^[?:-](?=\s|$)|.:(?=\s|$)|\s#/su.test(value);

/** Whether a text without quotes would be read as that text, not as a number, a boolean, a date or nothing. */
function isText(value: string): boolean {
  return !(
    /^(|~|null|Null|NULL|y|Y|yes|Yes|YES|on|On|ON|n|N|no|No|NO|off|Off|OFF|true|True|TRUE|false|False|FALSE|<<|=)$/.test(
      value,
    ) ||
    /^[-+]?(\.inf|\.Inf|\.INF)$|^\.(nan|NaN|NAN)$/.test(value) ||
    /^[-+]?[0-9][0-9_]*$|^[-+]?0x[0-9a-fA-F_]+$|^[-+]?0b[01_]+$|^[-+]?0o[0-7_]+$/.test(value) ||
    /^[-+]?(\.[0-9_]+|[0-9][0-9_]*(\.[0-9_]*)?)([eE][-+]?[0-9_]+)?$/.test(value) ||
    /^[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?$/.test(value) ||
    isTimestamp(value)
  );
}

const isTimestamp = (value: string): boolean =>
  /^\d{4}-\d{1,2}-\d{1,2}([Tt ]\d{1,2}:\d{1,2}:\d{1,2}(\.\d+)?( ?(Z|[-+]\d{1,2}:?\d{2}))?)?$/.test(value);

const isLetter = (character: string): boolean => /^\p{L}$/u.test(character);
const isDigit = (character: string | undefined): boolean => character !== undefined && /^\p{Nd}$/u.test(character);

/** Numbers within keys count as numbers, and letters come after everything else. */
function compareNaturally(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const [x, y] = [left[i] as string, right[i] as string];
    if (x === y) continue;
    const letters = [isLetter(x), isLetter(y)];
    if (letters[0] && letters[1]) return codePoint(x) - codePoint(y);
    if (letters[0] || letters[1]) return letters[0] ? 1 : -1;
    const [m, n] = [digitsFrom(left, i), digitsFrom(right, i)];
    if (Number(m) !== Number(n)) return Number(m) - Number(n);
    return m.length === n.length ? codePoint(x) - codePoint(y) : m.length - n.length;
  }
  return left.length - right.length;
}

const codePoint = (character: string): number => character.codePointAt(0) ?? 0;

function digitsFrom(characters: readonly string[], from: number): string {
  let to = from;
  while (isDigit(characters[to])) to++;
  return characters.slice(from, to).join('');
}
