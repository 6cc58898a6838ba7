/** A cache of the keys that were used most recently: it keeps between `size` and twice as many entries. */
export class Recent<K, V> {
  readonly #size: number;
  #young = new Map<K, V>();
  #old = new Map<K, V>();

  constructor(size: number) {
    this.#size = size;
  }

  get(key: K): V | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    return old === undefined ? undefined : this.set(key, old);
  }

  /** Stores `value` and returns it. */
  set(key: K, value: V): V {
    if (this.#young.size >= this.#size) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
    return value;
  }
}
