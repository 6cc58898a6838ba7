/** The text form of label selectors: `app=web,tier in (a,b),!legacy,replicas>2`. */
import { requirement, selectorOf, type Operator, type Requirement, type Selector } from './labelSelector.ts';

/** Thrown for a text that is no selector; becomes a 400. */
export class SelectorError extends Error {
  override name = 'SelectorError';
}

type TokenKind =
  'identifier' | 'end' | 'error' | ')' | ',' | '!' | '==' | '=' | 'in' | '!=' | 'notin' | '(' | '>' | '<';

interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

const SYMBOLS: readonly string[] = [')', ',', '!', '==', '=', '!=', '(', '>', '<'];
const isSpace = (char: string): boolean => char === ' ' || char === '\t' || char === '\r' || char === '\n';
const isSymbol = (char: string): boolean => '=!(),><'.includes(char);

function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; ;) {
    while (at < text.length && isSpace(text[at] as string)) at++;
    if (at >= text.length) return [...tokens, { kind: 'end', text: '' }];
    const token = isSymbol(text[at] as string) ? symbolAt(text, at) : wordAt(text, at);
    tokens.push(token);
    at += token.text.length;
  }
}

function wordAt(text: string, start: number): Token {
  let end = start;
  while (end < text.length && !isSpace(text[end] as string) && !isSymbol(text[end] as string)) end++;
  const word = text.slice(start, end);
  return { kind: word === 'in' || word === 'notin' ? word : 'identifier', text: word };
}

/** The longest symbol that starts here. */
function symbolAt(text: string, start: number): Token {
  const two = text.slice(start, start + 2);
  const found = SYMBOLS.includes(two) ? two : (text[start] as string);
  return { kind: found as TokenKind, text: found };
}

const OPERATORS: Readonly<Partial<Record<TokenKind, Operator>>> = {
  in: 'in',
  notin: 'notin',
  '=': '=',
  '==': '==',
  '!=': '!=',
  '>': 'gt',
  '<': 'lt',
};

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(text: string) {
    this.#tokens = tokenize(text);
  }

  /** The next token; where a value or key is expected, `in` and `notin` are ordinary words. */
  #peek(asValue = true): Token {
    const token = this.#tokens[this.#at] as Token;
    return asValue && (token.kind === 'in' || token.kind === 'notin')
      ? { kind: 'identifier', text: token.text }
      : token;
  }

  #take(asValue = true): Token {
    const token = this.#peek(asValue);
    if (token.kind !== 'end') this.#at++;
    return token;
  }

  parse(): readonly Requirement[] {
    const requirements: Requirement[] = [];
    for (;;) {
      const first = this.#peek();
      if (first.kind === 'end') return requirements;
      if (first.kind !== 'identifier' && first.kind !== '!')
        fail(`found '${first.text}', expected: !, identifier, or 'end of string'`);
      requirements.push(inRequirement(() => this.#requirement()));
      const separator = this.#take();
      if (separator.kind === 'end') return requirements;
      if (separator.kind !== ',') fail(`found '${separator.text}', expected: ',' or 'end of string'`);
      const next = this.#peek();
      if (next.kind !== 'identifier' && next.kind !== '!') fail(`found '${next.text}', expected: identifier after ','`);
    }
  }

  #requirement(): Requirement {
    const absent = this.#peek().kind === '!';
    if (absent) this.#take();
    const key = this.#take();
    if (key.kind !== 'identifier') fail(`found '${key.text}', expected: identifier`);
    if (absent) return checked(key.text, '!', []);
    const following = this.#peek(false).kind;
    if (following === 'end' || following === ',') return checked(key.text, 'exists', []);
    const operator = this.#operator();
    const values = operator === 'in' || operator === 'notin' ? this.#values() : [this.#exactValue()];
    return checked(key.text, operator, values);
  }

  #operator(): Operator {
    const token = this.#take(false);
    return OPERATORS[token.kind] ?? fail(`found '${token.text}', expected: in, notin, =, ==, !=, gt, lt`);
  }

  #exactValue(): string {
    const next = this.#peek();
    if (next.kind === 'end' || next.kind === ',') return '';
    this.#take();
    return next.kind === 'identifier' ? next.text : fail(`found '${next.text}', expected: identifier`);
  }

  #values(): readonly string[] {
    const open = this.#take();
    if (open.kind !== '(') fail(`found '${open.text}' expected: '('`);
    const first = this.#peek();
    if (first.kind !== 'identifier' && first.kind !== ',' && first.kind !== ')')
      fail(`found '${first.text}', expected: ',', ')' or identifier`);
    // Nothing between the parentheses is the empty value, too.
    const values = first.kind === ')' ? [''] : this.#list();
    const close = this.#take();
    if (close.kind !== ')') fail(`found '${close.text}', expected: ')'`);
    return values;
  }

  /** Values between commas, up to the closing parenthesis; nothing between two commas is the empty value. */
  #list(): readonly string[] {
    const values: string[] = [];
    for (let pending = true; ;) {
      const token = this.#peek();
      if (token.kind === 'identifier' && pending) values.push(this.#take().text);
      else if (token.kind === ',' || token.kind === ')') {
        if (pending) values.push('');
        if (token.kind === ')') return values;
        this.#take();
      } else fail(`found '${token.text}', expected: ${pending ? "',', or identifier" : "',' or ')'"}`);
      pending = token.kind === ',';
    }
  }
}

function fail(message: string): never {
  throw new SelectorError(message);
}

/** Errors within a requirement differ from those between two. */
function inRequirement<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof SelectorError ? new SelectorError(`unable to parse requirement: ${error.message}`) : error;
  }
}

function checked(key: string, operator: Operator, values: readonly string[]): Requirement {
  const made = requirement(key, operator, values);
  return 'error' in made ? fail(made.error) : made;
}

/** The selector that a text says; the empty text selects everything. Throws SelectorError. */
export function parseLabelSelector(text: string): Selector {
  return selectorOf(new Parser(text).parse());
}
