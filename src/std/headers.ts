const NAME = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/;
const NO_VALUE = /[\0\r\n\u0100-\uffff]/;
/** The one header whose values are never joined: a comma may stand in a cookie. */
const COOKIE = 'set-cookie';

/**
 * Headers as a map of our own. It means what Headers means (names whatever their case, values of one name joined, listed in
 * the order of names, TypeError for what is no header), but each call is a lookup, while a call of a browser's own object
 * costs more than many a stage of a request.
 */
export class PlainHeaders implements Headers {
  readonly #values: Map<string, string>;
  #cookies: readonly string[] = [];

  constructor(init: HeadersInit | Iterable<readonly [string, string]> = []) {
    if (init instanceof PlainHeaders) {
      this.#values = new Map(init.#values);
      this.#cookies = init.#cookies;
      return;
    }
    this.#values = new Map();
    const entries = Symbol.iterator in init ? init : Object.entries(init);
    for (const [name = '', value = ''] of entries) this.append(name, value);
  }

  get(name: string): string | null {
    const key = keyOf(name);
    if (key === COOKIE && this.#cookies.length > 0) return this.#cookies.join(', ');
    return this.#values.get(key) ?? null;
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  getSetCookie(): string[] {
    return [...this.#cookies];
  }

  set(name: string, value: string): void {
    const [key, text] = [keyOf(name), valueOf(value)];
    if (key === COOKIE) this.#cookies = [text];
    else this.#values.set(key, text);
  }

  append(name: string, value: string): void {
    const [key, text] = [keyOf(name), valueOf(value)];
    const before = this.#values.get(key);
    if (key === COOKIE) this.#cookies = [...this.#cookies, text];
    else this.#values.set(key, before === undefined ? text : `${before}, ${text}`);
  }

  delete(name: string): void {
    const key = keyOf(name);
    this.#values.delete(key);
    if (key === COOKIE) this.#cookies = [];
  }

  entries(): HeadersIterator<[string, string]> {
    return this.#sorted().values();
  }

  keys(): HeadersIterator<string> {
    return this.#sorted()
      .map(([name]) => name)
      .values();
  }

  values(): HeadersIterator<string> {
    return this.#sorted()
      .map(([, value]) => value)
      .values();
  }

  [Symbol.iterator](): HeadersIterator<[string, string]> {
    return this.entries();
  }

  forEach(call: (value: string, name: string, headers: Headers) => void, self?: unknown): void {
    for (const [name, value] of this.#sorted()) call.call(self, value, name, this);
  }

  #sorted(): [string, string][] {
    const cookies = this.#cookies.map((value): [string, string] => [COOKIE, value]);
    return [...this.#values, ...cookies].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  }
}

function keyOf(name: string): string {
  if (!NAME.test(name)) throw new TypeError(`${JSON.stringify(name)} is no name of a header`);
  return name.toLowerCase();
}

function valueOf(value: string): string {
  const text = String(value).replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, '');
  if (NO_VALUE.test(text)) throw new TypeError(`${JSON.stringify(text)} is no value of a header`);
  return text;
}
