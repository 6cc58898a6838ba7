import { trimRight } from './goText.ts';

const NAME = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/;
const NO_VALUE = /[\0\r\n\u0100-\uffff]/;
const AROUND = /^[\t\n\r ]|[\t\n\r ]$/;
/** The only header whose values are never joined, because a cookie may contain a comma. */
const COOKIE = 'set-cookie';

/**
 * An implementation of Headers with plain arrays. It behaves like Headers: names are case-insensitive, values of one
 * name are joined, names are sorted, invalid headers throw TypeError. Each call compares a few names, whereas a call of
 * the browser's own object costs more than many stages of a request.
 */
export class PlainHeaders implements Headers {
  /** Lower-case names, sorted; only the cookie header may occur more than once. */
  readonly #names: string[];
  readonly #values: string[];

  constructor(init: HeadersInit | Iterable<readonly [string, string]> = []) {
    const isOurs = init instanceof PlainHeaders;
    this.#names = isOurs ? init.#names.slice() : [];
    this.#values = isOurs ? init.#values.slice() : [];
    if (isOurs) return;
    if (!(Symbol.iterator in init)) for (const name of Object.keys(init)) this.append(name, init[name] ?? '');
    else for (const [name = '', value = ''] of init) this.append(name, value);
  }

  get(name: string): string | null {
    const key = keyOf(name);
    const value = this.#values[this.#names.indexOf(key)];
    return value === undefined ? null : key === COOKIE ? this.getSetCookie().join(', ') : value;
  }

  has(name: string): boolean {
    return this.#names.includes(keyOf(name));
  }

  getSetCookie(): string[] {
    return this.#values.filter((_, at) => this.#names[at] === COOKIE);
  }

  set(name: string, value: string): void {
    const [key, text] = [keyOf(name), valueOf(value)];
    if (key === COOKIE) this.delete(key);
    const at = this.#names.indexOf(key);
    if (at < 0) this.#insert(key, text);
    else this.#values[at] = text;
  }

  append(name: string, value: string): void {
    const [key, text] = [keyOf(name), valueOf(value)];
    const at = key === COOKIE ? -1 : this.#names.indexOf(key);
    if (at < 0) this.#insert(key, text);
    else this.#values[at] = `${this.#values[at]}, ${text}`;
  }

  delete(name: string): void {
    const key = keyOf(name);
    for (let at = this.#names.indexOf(key); at >= 0; at = this.#names.indexOf(key)) {
      this.#names.splice(at, 1);
      this.#values.splice(at, 1);
    }
  }

  entries(): HeadersIterator<[string, string]> {
    return this.#names.map((name, at): [string, string] => [name, this.#values[at] ?? '']).values();
  }

  keys(): HeadersIterator<string> {
    return this.#names.values();
  }

  values(): HeadersIterator<string> {
    return this.#values.values();
  }

  [Symbol.iterator](): HeadersIterator<[string, string]> {
    return this.entries();
  }

  forEach(call: (value: string, name: string, headers: Headers) => void, self?: unknown): void {
    this.#names.forEach((name, at) => call.call(self, this.#values[at] ?? '', name, this));
  }

  /** Parses the output of `lines`; throws TypeError for an invalid header. */
  static ofLines(text: string): PlainHeaders {
    const headers = new PlainHeaders();
    for (let from = 0; from < text.length;) {
      const middle = text.indexOf('\n', from);
      const end = text.indexOf('\n', middle + 1);
      const to = end < 0 ? text.length : end;
      if (middle >= 0) headers.append(text.slice(from, middle), text.slice(middle + 1, to));
      from = middle < 0 ? text.length : to + 1;
    }
    return headers;
  }

  /** All headers as text: names and values on alternating lines. */
  lines(): string {
    let text = '';
    for (let at = 0; at < this.#names.length; at++)
      text += `${at === 0 ? '' : '\n'}${this.#names[at]}\n${this.#values[at]}`;
    return text;
  }

  #insert(name: string, value: string): void {
    const [names, values] = [this.#names, this.#values];
    let at = names.length;
    for (; at > 0 && name < (names[at - 1] ?? ''); at--) {
      names[at] = names[at - 1] ?? '';
      values[at] = values[at - 1] ?? '';
    }
    names[at] = name;
    values[at] = value;
  }
}

/** Caches the lower-case form of names. Its size is limited, because clients may invent names. */
const met = new Map<string, string>();
const MOST_MET = 500;

function keyOf(name: string): string {
  const known = met.get(name);
  if (known !== undefined) return known;
  if (!NAME.test(name)) throw new TypeError(`${JSON.stringify(name)} is not a valid header name`);
  if (met.size >= MOST_MET) met.clear();
  met.set(name, name.toLowerCase());
  return name.toLowerCase();
}

/** Values known to be valid; the same few come with each request. */
const soundValues = new Set<string>();
const LONGEST_KEPT = 64;

function valueOf(value: string): string {
  if (soundValues.has(value)) return value;
  const text = checkedValue(value);
  if (text === value && text.length <= LONGEST_KEPT) {
    if (soundValues.size >= MOST_MET) soundValues.clear();
    soundValues.add(text);
  }
  return text;
}

function checkedValue(value: string): string {
  const text = AROUND.test(value) ? trimRight(value.replace(/^[\t\n\r ]+/, ''), '\t\n\r ') : String(value);
  if (NO_VALUE.test(text)) throw new TypeError(`${JSON.stringify(text)} is not a valid header value`);
  return text;
}
