import type { ApiObject } from '../schema/index.ts';
import { keyOf } from './resources.ts';

/** Under which values of an index an object is found. */
export type IndexFunction<T> = (object: T) => readonly string[];

/** A cache of objects by key, with further indexes kept up to date. Objects in it are shared: never change one. */
export class Store<T extends ApiObject> {
  readonly #objects = new Map<string, T>();
  readonly #indexes = new Map<string, Index<T>>();

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  list(): T[] {
    return [...this.#objects.values()];
  }

  keys(): Iterable<string> {
    return this.#objects.keys();
  }

  /** Adds an index; objects that are there already are put into it. Adding one that exists changes nothing. */
  addIndex(name: string, fn: IndexFunction<T>): void {
    if (this.#indexes.has(name)) return;
    const index = new Index(fn);
    for (const [key, object] of this.#objects) index.add(key, object);
    this.#indexes.set(name, index);
  }

  /** All objects that the index finds under `value`. */
  by(index: string, value: string): T[] {
    const keys = this.#indexes.get(index)?.keys(value);
    return keys ? Array.from(keys, (key) => this.#objects.get(key) as T) : [];
  }

  /** Returns what was there before. */
  put(object: T): T | undefined {
    const key = keyOf(object);
    const old = this.#objects.get(key);
    this.#objects.set(key, object);
    // Most changes leave an object where it was. Any other moves it in all indexes, so that they agree about the order.
    if (old && this.#isWhereItWas(old, object)) return old;
    for (const index of this.#indexes.values()) index.replace(key, old, object);
    return old;
  }

  remove(key: string): T | undefined {
    const old = this.#objects.get(key);
    if (!old) return undefined;
    for (const index of this.#indexes.values()) index.replace(key, old, undefined);
    this.#objects.delete(key);
    return old;
  }

  #isWhereItWas(old: T, object: T): boolean {
    for (const index of this.#indexes.values()) if (!index.hasSame(old, object)) return false;
    return true;
  }
}

class Index<T> {
  readonly #fn: IndexFunction<T>;
  readonly #keys = new Map<string, Set<string>>();

  constructor(fn: IndexFunction<T>) {
    this.#fn = fn;
  }

  keys(value: string): ReadonlySet<string> | undefined {
    return this.#keys.get(value);
  }

  /** Whether two versions of an object are found under the same values. */
  hasSame(a: T, b: T): boolean {
    const [one, other] = [this.#fn(a), this.#fn(b)];
    return one.length === other.length && one.every((value, i) => value === other[i]);
  }

  add(key: string, object: T): void {
    for (const value of this.#fn(object)) {
      const keys = this.#keys.get(value);
      if (keys) keys.add(key);
      else this.#keys.set(value, new Set([key]));
    }
  }

  replace(key: string, old: T | undefined, object: T | undefined): void {
    for (const value of old ? this.#fn(old) : []) {
      const keys = this.#keys.get(value);
      keys?.delete(key);
      if (keys?.size === 0) this.#keys.delete(value);
    }
    if (object) this.add(key, object);
  }
}
