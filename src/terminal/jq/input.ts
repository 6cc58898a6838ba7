/** JSON values, one after the other, from text that comes in pieces. */

/** What can't be read: the values before it can. */
export class InputProblem extends Error {}

export interface Read {
  readonly value: unknown;
  /** How many lines were read by then. */
  readonly line: number;
  /** The file that it is from. */
  readonly file?: string | null;
}

/** The quote of a text, the bracket of a list or an object, or a word; an expression that repeats a choice has no room for long texts. */
const VALUE = /\s*(?:(")|([[{])|([^\s[\]{}",:]+))/y;

/** The end of a line after a value, if nothing else follows. */
const LINE_END = /[^\S\n]*\n/y;

export class JsonInput {
  #text = '';
  #line = 0;

  /** The lines that were read. */
  get line(): number {
    return this.#line;
  }

  add(text: string): void {
    this.#text += text;
  }

  /** The values that are whole by now; `atEnd` says that nothing follows. Throws InputProblem. */
  *take(atEnd: boolean): Generator<Read> {
    for (;;) {
      const end = this.#endOfValue(atEnd);
      if (end === undefined) break;
      const piece = this.#text.slice(0, end);
      const value = parsed(piece, this.#line);
      LINE_END.lastIndex = end;
      const rest = LINE_END.test(this.#text) ? LINE_END.lastIndex : end;
      this.#line += this.#text.slice(0, rest).split('\n').length - 1;
      this.#text = this.#text.slice(rest);
      yield { value, line: this.#line };
    }
    if (atEnd && this.#text.trim() !== '')
      throw new InputProblem(
        `Unfinished JSON term at EOF at line ${this.#line + this.#text.split('\n').length}, column 0`,
      );
  }

  #endOfValue(atEnd: boolean): number | undefined {
    VALUE.lastIndex = 0;
    const found = VALUE.exec(this.#text);
    if (!found) {
      if (this.#text.trim() !== '') throw new InputProblem(`Expected JSON value at line ${this.#line + 1}, column 1`);
      return undefined;
    }
    if (found[1] !== undefined) return endOfText(this.#text, VALUE.lastIndex);
    if (found[2] === undefined)
      return found[3] !== undefined && VALUE.lastIndex === this.#text.length && !atEnd ? undefined : VALUE.lastIndex;
    return endOfNested(this.#text, VALUE.lastIndex);
  }
}

/** Where what begins before `from` with a bracket ends; undefined if it does not. */
function endOfNested(text: string, from: number): number | undefined {
  let depth = 1;
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    if (character === '"') {
      const end = endOfText(text, at + 1);
      if (end === undefined) return undefined;
      at = end - 1;
    } else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

/** Where a text ends whose quote stands before `from`; undefined if it does not. */
function endOfText(text: string, from: number): number | undefined {
  for (let at = from; at < text.length; at++)
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
  return undefined;
}

function parsed(text: string, line: number): unknown {
  const word = text.trim();
  if (word === 'nan') return NaN;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new InputProblem(`Invalid JSON at line ${line + 1}: ${word.length > 40 ? `${word.slice(0, 40)}...` : word}`);
  }
}
