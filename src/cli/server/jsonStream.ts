/**
 * JSON values one after another, as the reference's client reads files that begin with a brace: by the scanner of Go's
 * encoding/json, with its errors.
 */
import { decodeText, encodeText, getOwn } from '../../std/index.ts';

/** Values one after another. */
export interface ValueStream {
  /** The values before the first error. */
  readonly values: readonly unknown[];
  /** What is wrong after them; undefined if nothing is. */
  readonly problem?: string | undefined;
}

/** Whether the client takes a text for JSON. */
export const isJsonStream = (text: string): boolean => /^\s*\{/.test(text);

class SyntaxProblem extends Error {
  /** How many bytes were read, with the one that is wrong. */
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

class UnexpectedEnd extends Error {}

export function readJsonStream(text: string): ValueStream {
  const bytes = encodeText(text);
  const values: unknown[] = [];
  let at = 0;
  try {
    for (;;) {
      const start = new Scanner(bytes, at).space();
      if (start >= bytes.length) return { values };
      const scanner = new Scanner(bytes, start);
      scanner.value();
      values.push(JSON.parse(decodeText(bytes.subarray(start, scanner.at))));
      at = scanner.at;
    }
  } catch (error) {
    return { values, problem: problemOf(error, bytes, at) };
  }
}

/** The reference counts lines in what follows the last value, or in the whole text if that is shorter than the offset. */
function problemOf(error: unknown, bytes: Uint8Array, at: number): string {
  if (error instanceof UnexpectedEnd) return 'unexpected EOF';
  if (!(error instanceof SyntaxProblem)) throw error;
  const rest = bytes.subarray(at);
  const counted = rest.length <= error.offset ? bytes : rest;
  const lines = decodeText(counted.subarray(0, error.offset)).split('\n').length - 1;
  return `json: line ${lines}: ${error.message}`;
}

const LITERALS: Readonly<Record<string, string>> = { t: 'true', f: 'false', n: 'null' };
const isDigit = (character: string): boolean => character >= '0' && character <= '9';

/** Finds the end of one value. */
class Scanner {
  readonly #bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  /** The byte here as a character; empty at the end. */
  #here(): string {
    const byte = this.#bytes[this.at];
    return byte === undefined ? '' : String.fromCharCode(byte);
  }

  #fail(context: string): never {
    const here = this.#here();
    if (here === '') throw new UnexpectedEnd();
    throw new SyntaxProblem(`invalid character ${quoted(here)} ${context}`, this.at + 1);
  }

  /** Skips white space; returns where it ends. */
  space(): number {
    while (this.#here() !== '' && ' \t\r\n'.includes(this.#here())) this.at++;
    return this.at;
  }

  value(): void {
    const here = this.#here();
    const literal = getOwn(LITERALS, here);
    if (here === '{') this.#object();
    else if (here === '[') this.#array();
    else if (here === '"') this.#string();
    else if (here === '-' || isDigit(here)) this.#number();
    else if (literal !== undefined) this.#literal(literal);
    else this.#fail('looking for beginning of value');
  }

  #object(): void {
    this.at++;
    this.space();
    if (this.#here() === '}') return void this.at++;
    for (;;) {
      if (this.#here() !== '"') this.#fail('looking for beginning of object key string');
      this.#string();
      this.space();
      if (this.#here() !== ':') this.#fail('after object key');
      this.at++;
      this.space();
      this.value();
      if (this.#ends('}', 'after object key:value pair')) return;
    }
  }

  #array(): void {
    this.at++;
    this.space();
    if (this.#here() === ']') return void this.at++;
    do this.value();
    while (!this.#ends(']', 'after array element'));
  }

  /** Whether the object or array ends here; after a comma it does not. */
  #ends(close: string, context: string): boolean {
    this.space();
    const here = this.#here();
    if (here !== close && here !== ',') this.#fail(context);
    this.at++;
    if (here === ',') this.space();
    return here === close;
  }

  #string(): void {
    for (this.at++; this.#here() !== '"'; this.at++) {
      if (this.#here() === '' || this.#here() < ' ') this.#fail('in string literal');
      if (this.#here() === '\\') this.#escape();
    }
    this.at++;
  }

  #escape(): void {
    this.at++;
    if (this.#here() === '' || !'bfnrt\\/"u'.includes(this.#here())) this.#fail('in string escape code');
    if (this.#here() !== 'u') return;
    for (let digits = 0; digits < 4; digits++) {
      this.at++;
      if (!/[0-9a-fA-F]/.test(this.#here())) this.#fail('in \\u hexadecimal character escape');
    }
  }

  #number(): void {
    if (this.#here() === '-') this.at++;
    if (this.#here() === '0') this.at++;
    else this.#digits('in numeric literal');
    if (this.#here() === '.') {
      this.at++;
      this.#digits('after decimal point in numeric literal');
    }
    if (this.#here() !== 'e' && this.#here() !== 'E') return;
    this.at++;
    if (this.#here() === '+' || this.#here() === '-') this.at++;
    this.#digits('in exponent of numeric literal');
  }

  #digits(context: string): void {
    if (!isDigit(this.#here())) this.#fail(context);
    while (isDigit(this.#here())) this.at++;
  }

  #literal(word: string): void {
    for (const letter of word) {
      if (this.#here() !== letter) this.#fail(`in literal ${word} (expecting '${letter}')`);
      this.at++;
    }
  }
}

/** A character as the reference's errors quote it. */
function quoted(character: string): string {
  if (character === "'") return "'\\''";
  return character === '"' ? `'"'` : `'${JSON.stringify(character).slice(1, -1)}'`;
}
