import { getOwn } from '../../std/index.ts';
import type { Parameter, Part, Script, Word } from './ast.ts';
import { SyntaxError, withoutArrays, type Reader } from './reader.ts';

/** What the word parser needs from the command parser: scripts in `$( )`. */
export interface ScriptParser {
  readonly reader: Reader;
  /** Reads a script up to a closing parenthesis. */
  scriptUntilParenthesis(): Script;
  /** Reads a text of its own as a script. */
  parseText(text: string): Script;
}

const META = /[\s;&|<>()]/;
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const SPECIAL = /[@*#?$!0-9-]/y;
const OPERATORS = [
  ':-',
  ':=',
  ':?',
  ':+',
  '##',
  '%%',
  '//',
  '/#',
  '/%',
  '^^',
  ',,',
  '-',
  '=',
  '?',
  '+',
  '#',
  '%',
  '/',
  ':',
  '^',
  ',',
];

/** The parts of a word up to a character that ends it. */
export function parseWord(parser: ScriptParser, ends: RegExp = META): Word {
  const parts: Part[] = [];
  const { reader } = parser;
  while (!reader.atEnd && !ends.test(reader.peek())) parsePart(parser, parts, false, ends);
  return parts;
}

function parsePart(parser: ScriptParser, parts: Part[], quoted: boolean, ends: RegExp): void {
  const { reader } = parser;
  const char = reader.peek();
  if (char === '\\') return parseEscape(reader, parts, quoted);
  if (char === '$') return parseDollar(parser, parts, quoted);
  if (char === '`') return parseBackquotes(parser, parts, quoted);
  if (!quoted && char === "'") return addText(parts, singleQuoted(reader), true);
  if (!quoted && char === '"') return parseDoubleQuotes(parser, parts);
  let text = '';
  const stops = quoted ? /["\\$`]/ : /["'\\$`]/;
  do text += reader.next();
  while (!reader.atEnd && !stops.test(reader.peek()) && !ends.test(reader.peek()));
  addText(parts, text, quoted);
}

function addText(parts: Part[], text: string, quoted: boolean): void {
  parts.push({ type: 'text', text, quoted });
}

function parseEscape(reader: Reader, parts: Part[], quoted: boolean): void {
  reader.next();
  if (reader.atEnd) return addText(parts, '\\', true);
  const char = reader.next();
  if (char === '\n') return;
  addText(parts, quoted && !/["\\$`]/.test(char) ? `\\${char}` : char, true);
}

function singleQuoted(reader: Reader): string {
  reader.next();
  return reader.until("'", 'unterminated quoted string');
}

function parseDoubleQuotes(parser: ScriptParser, parts: Part[]): void {
  const { reader } = parser;
  reader.next();
  const before = parts.length;
  while (reader.peek() !== '"') {
    if (reader.atEnd) throw new SyntaxError('unterminated quoted string', true);
    parsePart(parser, parts, true, /"/);
  }
  reader.next();
  // Empty quotes are a word of their own.
  if (parts.length === before) addText(parts, '', true);
}

/** The text of a here-document: everything but quotes has its meaning. */
export function parseHereDocument(parser: ScriptParser): Word {
  const parts: Part[] = [];
  const { reader } = parser;
  while (!reader.atEnd) {
    if (reader.peek() === '"') addText(parts, reader.next(), true);
    else parsePart(parser, parts, true, /"/);
  }
  return parts;
}

function parseBackquotes(parser: ScriptParser, parts: Part[], quoted: boolean): void {
  const { reader } = parser;
  reader.next();
  let text = '';
  while (reader.peek() !== '`') {
    if (reader.atEnd) throw new SyntaxError('unterminated backquote', true);
    const char = reader.next();
    text += char === '\\' && /[$`\\]/.test(reader.peek()) ? reader.next() : char;
  }
  reader.next();
  parts.push({ type: 'command', script: parser.parseText(text), quoted });
}

function parseDollar(parser: ScriptParser, parts: Part[], quoted: boolean): void {
  const { reader } = parser;
  reader.next();
  const name = reader.match(NAME) ?? reader.match(SPECIAL);
  if (name !== undefined) return void parts.push({ type: 'parameter', name, quoted });
  if (!quoted && reader.peek() === "'") return addText(parts, unescape(ansiQuoted(reader)), true);
  if (reader.takes('((')) return void parts.push({ type: 'arithmetic', expression: parseArithmetic(parser), quoted });
  if (reader.takes('(')) return void parts.push({ type: 'command', script: parser.scriptUntilParenthesis(), quoted });
  if (reader.takes('{')) return void parts.push(parseBraces(parser, quoted));
  addText(parts, '$', quoted);
}

function ansiQuoted(reader: Reader): string {
  reader.next();
  let text = '';
  while (reader.peek() !== "'") {
    if (reader.atEnd) throw new SyntaxError('unterminated quoted string', true);
    const char = reader.next();
    text += char === '\\' ? char + reader.next() : char;
  }
  reader.next();
  return text;
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
  e: '\x1b',
};

function unescape(text: string): string {
  return text.replace(/\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|[\s\S])/g, (_, code: string) => {
    if (/^x./.test(code)) return String.fromCharCode(parseInt(code.slice(1), 16));
    if (/^[0-7]/.test(code)) return String.fromCharCode(parseInt(code, 8));
    return getOwn(ESCAPES, code) ?? code;
  });
}

/** Up to the `))` that closes it; parentheses within are its own. */
export function parseArithmetic(parser: ScriptParser): Word {
  const { reader } = parser;
  const parts: Part[] = [];
  for (let depth = 0; ;) {
    if (reader.atEnd) throw new SyntaxError('unterminated arithmetic expression', true);
    if (depth === 0 && reader.takes('))')) return parts;
    const char = reader.peek();
    if (char === '(' || char === ')') {
      depth += char === '(' ? 1 : -1;
      addText(parts, reader.next(), true);
    } else if (char === '"') reader.next();
    else parsePart(parser, parts, true, /[()"]/);
  }
}

function parseBraces(parser: ScriptParser, quoted: boolean): Parameter {
  const { reader } = parser;
  if (reader.peek() === '#' && reader.peek(1) !== '}') {
    reader.next();
    const name = reader.match(NAME) ?? reader.match(/\d+|[@*?!#$-]/y) ?? '';
    if (reader.peek() === '[') throw withoutArrays();
    return closed(parser, { type: 'parameter', name, quoted, operator: 'length' });
  }
  const indirect = reader.peek() === '!' && reader.peek(1) !== '}';
  if (indirect) reader.next();
  const name = reader.match(NAME) ?? reader.match(/\d+|[@*#?$!-]/y);
  if (name === undefined) throw new SyntaxError('bad substitution');
  if (reader.peek() === '[') throw withoutArrays();
  if (indirect) return closed(parser, { type: 'parameter', name, quoted, operator: 'indirect' });
  const operator = OPERATORS.find((candidate) => reader.takes(candidate));
  if (operator === undefined) return closed(parser, { type: 'parameter', name, quoted });
  return parseOperands(parser, { type: 'parameter', name, quoted, operator });
}

function parseOperands(parser: ScriptParser, parameter: Parameter & { readonly operator: string }): Parameter {
  const { operator, quoted } = parameter;
  const isPair = operator.startsWith('/') || operator === ':';
  // Within quotes the word is quoted, too, but for patterns.
  const wordQuoted = quoted && !/^[#%/]/.test(operator);
  const word = bracedWord(parser, isPair ? (operator === ':' ? /[}:]/ : /[}/]/) : /}/, wordQuoted);
  const separator = operator === ':' ? ':' : '/';
  const second = isPair && parser.reader.takes(separator) ? bracedWord(parser, /}/, quoted) : undefined;
  return closed(parser, { ...parameter, word, ...(second ? { second } : {}) });
}

function bracedWord(parser: ScriptParser, ends: RegExp, quoted: boolean): Word {
  const parts: Part[] = [];
  const { reader } = parser;
  while (!reader.atEnd && !ends.test(reader.peek())) {
    if (quoted && reader.peek() === '"') parseDoubleQuotes(parser, parts);
    else parsePart(parser, parts, quoted, ends);
  }
  return parts;
}

function closed<T extends Parameter>({ reader }: ScriptParser, parameter: T): T {
  if (reader.takes('}')) return parameter;
  throw new SyntaxError('bad substitution', reader.atEnd);
}
