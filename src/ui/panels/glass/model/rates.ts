/** Events by what they go along, counted over the last second. */

const WINDOW = 1000;
const SLOTS = 10;
const SLOT = WINDOW / SLOTS;

export class Rates {
  /** By time slot, the counts of each edge. */
  readonly #slots = new Map<number, Map<string, number>>();

  /** `now` in milliseconds, never less than before. */
  count(edge: string, now: number, times = 1): void {
    const slot = Math.floor(now / SLOT);
    const counts = this.#slots.get(slot) ?? new Map<string, number>();
    this.#slots.set(slot, counts.set(edge, (counts.get(edge) ?? 0) + times));
    this.#forget(slot);
  }

  /** How often in the last second, by edge. */
  perSecond(now: number): ReadonlyMap<string, number> {
    this.#forget(Math.floor(now / SLOT));
    const sums = new Map<string, number>();
    for (const counts of this.#slots.values())
      for (const [edge, times] of counts) sums.set(edge, (sums.get(edge) ?? 0) + times);
    return sums;
  }

  /** How many of all. */
  total(now: number): number {
    let sum = 0;
    for (const times of this.perSecond(now).values()) sum += times;
    return sum;
  }

  /** Begins anew. */
  forget(): void {
    this.#slots.clear();
  }

  #forget(slot: number): void {
    for (const each of this.#slots.keys()) if (each <= slot - SLOTS) this.#slots.delete(each);
  }
}
