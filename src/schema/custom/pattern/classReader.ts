/** Reads a class of characters: `[^a-z\d[:alpha:]]`. */
import { getOwn } from '../../../std/index.ts';
import { PatternError } from './ast.ts';
import {
  charsBetween,
  charSet,
  oneChar,
  PERL_CLASSES,
  POSIX_CLASSES,
  type CharRange,
  type CharSet,
} from './charSet.ts';
import type { Cursor } from './cursor.ts';
import { readEscapedChar, readUnicodeClass } from './escapes.ts';

export class ClassReader {
  readonly #cursor: Cursor;
  readonly #fold: boolean;

  constructor(cursor: Cursor, fold: boolean) {
    this.#cursor = cursor;
    this.#fold = fold;
  }

  read(): CharSet {
    const start = this.#cursor.position;
    this.#cursor.next();
    const negated = this.#cursor.take('^');
    const parts: CharRange[] = [];
    // A bracket that comes first closes nothing.
    for (let first = true; first || !this.#cursor.at(']'); first = false) {
      if (this.#cursor.done) throw new PatternError(`missing closing ]: \`${this.#cursor.since(start)}\``);
      parts.push(this.#part());
    }
    this.#cursor.next();
    return charSet(parts, this.#fold, negated);
  }

  #part(): CharRange {
    return this.#posix() ?? this.#perl() ?? readUnicodeClass(this.#cursor) ?? this.#range();
  }

  #posix(): CharRange | undefined {
    const found = this.#cursor.match(/\[:(\^?)([^:\]]*):\]/y, ([text, caret, name = '']) => ({ text, caret, name }));
    if (!found) return undefined;
    const source = getOwn(POSIX_CLASSES, found.name);
    if (source === undefined) throw new PatternError(`invalid character class range: \`${found.text}\``);
    return { source, negated: found.caret === '^' };
  }

  #perl(): CharRange | undefined {
    return this.#cursor.match(/\\([dDsSwW])/y, ([, letter = '']) => getOwn(PERL_CLASSES, letter));
  }

  #range(): CharRange {
    const start = this.#cursor.position;
    const low = this.#char();
    // A hyphen before the closing bracket is itself.
    if (!this.#cursor.at('-') || this.#cursor.at('-]')) return oneChar(low);
    this.#cursor.next();
    const high = this.#char();
    if (high < low) throw new PatternError(`invalid character class range: \`${this.#cursor.since(start)}\``);
    return charsBetween(low, high);
  }

  #char(): number {
    if (this.#cursor.done) throw new PatternError(`missing closing ]: \`${this.#cursor.text}\``);
    return this.#cursor.at('\\') ? readEscapedChar(this.#cursor) : (this.#cursor.next().codePointAt(0) ?? 0);
  }
}
