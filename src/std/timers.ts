import type { Pending } from './folding.ts';
import { OrderedIndex } from './ordered.ts';

/** The timers of one moment by their numbers. Most moments have one. */
interface Moment {
  /** Milliseconds since the epoch. */
  readonly key: number;
  readonly timers: OrderedIndex<number, Pending>;
}

/** Pending timers, ordered by due time, and by creation if equal. */
export class Timers {
  readonly #moments = new OrderedIndex<number, Moment>();

  get first(): Pending | undefined {
    return this.#moments.first?.timers.first;
  }

  all(): readonly Pending[] {
    return this.#moments.all().flatMap(({ timers }) => timers.all());
  }

  add(timer: Pending): void {
    let moment = this.#moments.get(timer.due);
    if (!moment) this.#moments.set((moment = { key: timer.due, timers: new OrderedIndex() }));
    moment.timers.set(timer);
  }

  delete({ key, due }: Pick<Pending, 'key' | 'due'>): void {
    const moment = this.#moments.get(due);
    if (moment?.timers.delete(key) && moment.timers.size === 0) this.#moments.delete(due);
  }
}
