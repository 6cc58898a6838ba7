import type { ApiObject } from '../schema/index.ts';
import { sharedText } from '../std/index.ts';
import { keyOf } from './resources.ts';

/** Returns the values of an index for an object. */
export type IndexFunction<T> = (object: T) => readonly string[];

/** A cache of objects by key, with additional indexes. Its objects are shared: never modify them. */
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

  /** Adds an index and indexes the existing objects. Adding an existing index has no effect. */
  addIndex(name: string, fn: IndexFunction<T>): void {
    if (this.#indexes.has(name)) return;
    const index = new Index(fn);
    for (const [key, object] of this.#objects) index.add(key, object);
    this.#indexes.set(name, index);
  }

  /** All objects with `value` in the index. */
  by(index: string, value: string): T[] {
    const keys = this.#indexes.get(index)?.keys(value);
    return keys ? Array.from(keys, (key) => this.#objects.get(key) as T) : [];
  }

  /** Returns the previous object. */
  put(object: T): T | undefined {
    let key = keyOf(object);
    const old = this.#objects.get(key);
    // The stores of other informers have this object, too: all of them, and their indexes, keep one text.
    if (!old) key = sharedText(key);
    this.#objects.set(key, object);
    // Most changes do not affect the indexes. Any other change moves the object in all indexes, so that they have the
    // same order.
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

  /** Whether two versions of an object have the same index values. */
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
