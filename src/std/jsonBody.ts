import { setOwn } from './json.ts';

/** The server's parser treats integers from here on specially. */
const LONG = 1e15;
/** Surrogates: an unpaired one becomes another character when its text is encoded. */
const MAY_BE_BROKEN = /[\ud800-\udfff]/;

/**
 * A JSON body before it is a text. A server in the same process takes the value; everybody else reads the text, which is
 * made on demand. The value is what parsing the text would give.
 */
export class JsonBody {
  /** Readers do not change it. They may freeze it. */
  readonly value: unknown;
  /** Roughly the number of characters in the text. */
  size = 0;

  private constructor(value: unknown) {
    this.value = this.#plain(value);
  }

  /**
   * Copies `value` into a body. Returns undefined if parsing the text might give another value (dates, fractions, long
   * integers, surrogates); such a value is sent as text.
   */
  static of(value: unknown): JsonBody | undefined {
    try {
      return new JsonBody(value);
    } catch {
      return undefined;
    }
  }

  get text(): string {
    return JSON.stringify(this.value);
  }

  /** Copies a value as parsing its text would. Throws if only the text can say that, or if the value is too deep for the stack. */
  #plain(value: unknown): unknown {
    if (typeof value === 'string') return this.#text(value);
    this.size += 4;
    if (typeof value === 'boolean' || value === null) return value;
    // A negative zero becomes zero.
    if (typeof value === 'number' && value % 1 === 0 && Math.abs(value) < LONG) return value + 0;
    if (Array.isArray(value)) return Array.from(value, (item: unknown) => this.#plain(item ?? null));
    if (Object.getPrototypeOf(value) !== Object.prototype) throw new TypeError();
    return this.#plainObject(value as Record<string, unknown>);
  }

  #text(text: string): string {
    if (MAY_BE_BROKEN.test(text)) throw new TypeError();
    this.size += 4 + text.length;
    return text;
  }

  #plainObject(object: Record<string, unknown>): Record<string, unknown> {
    const copy: Record<string, unknown> = {};
    for (const key of Object.keys(object)) {
      const value = object[key];
      if (value === undefined) continue;
      // The server recognizes a set of owned fields that came from it, and never changes one.
      const isKnown = key === 'fieldsV1' && Object.isFrozen(value);
      setOwn(copy, this.#text(key), isKnown ? value : this.#plain(value));
    }
    return copy;
  }
}
