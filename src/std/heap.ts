/** A binary heap whose top is the first item by `before`. */
export class Heap<T> {
  readonly #items: T[] = [];
  readonly #before: (a: T, b: T) => boolean;

  constructor(before: (a: T, b: T) => boolean) {
    this.#before = before;
  }

  get size(): number {
    return this.#items.length;
  }

  peek(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    let at = this.#items.push(item) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#before(item, this.#items[parent] as T)) break;
      this.#items[at] = this.#items[parent] as T;
      at = parent;
    }
    this.#items[at] = item;
  }

  pop(): T | undefined {
    const first = this.#items[0];
    const last = this.#items.pop();
    if (this.#items.length > 0) this.#sink(last as T);
    return first;
  }

  /** Puts `item` at the top and moves it down to its place. */
  #sink(item: T): void {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.#items.length) break;
      const right = child + 1;
      if (right < this.#items.length && this.#before(this.#items[right] as T, this.#items[child] as T)) child = right;
      if (!this.#before(this.#items[child] as T, item)) break;
      this.#items[at] = this.#items[child] as T;
      at = child;
    }
    this.#items[at] = item;
  }
}
