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

  /** An item by its place; the order of places means nothing. */
  at(place: number): T | undefined {
    return this.#items[place];
  }

  push(item: T): void {
    this.#rise(item, this.#items.push(item) - 1);
  }

  pop(): T | undefined {
    return this.remove(0);
  }

  /** Takes out the item at a place, where another item may be afterwards. */
  remove(place: number): T | undefined {
    const removed = this.#items[place];
    const last = this.#items.pop();
    if (place < this.#items.length) this.#rise(last as T, this.#sink(last as T, place));
    return removed;
  }

  /** Puts `item` at a free place, or above it. */
  #rise(item: T, at: number): void {
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#before(item, this.#items[parent] as T)) break;
      this.#items[at] = this.#items[parent] as T;
      at = parent;
    }
    this.#items[at] = item;
  }

  /** The place for `item` at or below a free place; what comes before it moves up. */
  #sink(item: T, at: number): number {
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.#items.length) return at;
      const right = child + 1;
      if (right < this.#items.length && this.#before(this.#items[right] as T, this.#items[child] as T)) child = right;
      if (!this.#before(this.#items[child] as T, item)) return at;
      this.#items[at] = this.#items[child] as T;
      at = child;
    }
  }
}
