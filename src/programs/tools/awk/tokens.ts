import { getOwn } from '../../../std/index.ts';
import { AwkError } from './error.ts';

export interface Token {
  readonly type: 'number' | 'string' | 'regex' | 'name' | 'call' | 'operator' | 'newline' | 'end';
  readonly text: string;
}

const OPERATOR = /\|\||&&|\+\+|--|>>|[-+*/%^=!<>]=|!~|\*\*|[-+*/%^!<>|?:~$,;{}()[\]=]/y;
const NUMBER = /(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/y;
const STRING = /"(?:\\[\s\S]|[^"\\\n])*"/y;
const REGEX = /\/(?:\\.|\[(?:\\.|[^\]\n])*\]|[^/\\\n[])*\//y;
const NAME = /[A-Za-z_]\w*/y;
const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  '"': '"',
  '/': '/',
  a: '\x07',
};

/** The tokens of a program. Throws AwkError. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length;) {
    const [token, length] = nextToken(text, at, tokens[tokens.length - 1]);
    if (token) tokens.push(token);
    at += length;
  }
  return tokens;
}

function nextToken(text: string, at: number, last: Token | undefined): readonly [Token | undefined, number] {
  const match = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0] ?? '';
  };
  const token = (type: Token['type'], found: string, shown = found): readonly [Token, number] => [
    { type, text: shown },
    found.length,
  ];
  const blank = match(/(?:[ \t\r]|\\\n|#[^\n]*)+/y);
  if (blank !== '') return [undefined, blank.length];
  if (text.charAt(at) === '\n') return token('newline', '\n');
  const name = match(NAME);
  if (name !== '') return token(text.charAt(at + name.length) === '(' && !KEYWORDS.has(name) ? 'call' : 'name', name);
  const number = match(NUMBER);
  if (number !== '') return token('number', number);
  const string = match(STRING);
  if (string !== '') return token('string', string, unescape(string.slice(1, -1)));
  const regex = startsOperand(last) ? match(REGEX) : '';
  if (regex !== '') return token('regex', regex, regex.slice(1, -1).replaceAll('\\/', '/'));
  const operator = match(OPERATOR);
  if (operator === '') throw new AwkError(`syntax error at ${text.slice(at, at + 10)}`);
  return token('operator', operator, operator === '**' ? '^' : operator);
}

const KEYWORDS = new Set([
  'if',
  'while',
  'for',
  'print',
  'printf',
  'return',
  'in',
  'else',
  'do',
  'getline',
  'delete',
  'exit',
]);

const unescape = (text: string): string =>
  text.replace(/\\([\s\S])/g, (whole, char: string) => getOwn(ESCAPES, char) ?? whole);

/** Whether a slash after this token begins an expression rather than divides. */
function startsOperand(last: Token | undefined): boolean {
  if (!last || last.type === 'newline') return true;
  if (last.type === 'name') return KEYWORDS.has(last.text);
  return last.type === 'operator' && ![')', ']', '$', '++', '--'].includes(last.text);
}
