/**
 * Updates of one object that lost a race try again one after another: all at once, all but one would lose again, and a
 * burst would cost its square.
 */
import { otherTasks } from '../../std/index.ts';
import type { Storage } from '../../storage/index.ts';

/** Beyond what those before it need, so many rounds are waited for one of them that is held up outside. */
const PATIENCE = 16;
/** What one try takes at most, where nothing holds it up: the write that overtook it, some turns of its own, its write. */
const ROUNDS_EACH = 4;

type Line = Set<Place>;
const lines = new WeakMap<Storage, Map<string, Line>>();

/** A place in the line of those who lost a race for a key. Whoever takes it leaves it. */
export class Place {
  readonly #storage: Storage;
  readonly #key: string;
  readonly #line: Line;
  readonly #before: number;

  constructor(storage: Storage, key: string) {
    const all = lines.get(storage) ?? new Map<string, Line>();
    lines.set(storage, all);
    this.#storage = storage;
    this.#key = key;
    this.#line = all.get(key) ?? new Set();
    all.set(key, this.#line);
    this.#before = this.#line.size;
    this.#line.add(this);
  }

  /**
   * Waits until those before it have left, but not for ever: one of them may wait for a webhook that writes the same
   * object, or at a breakpoint.
   */
  async turn(): Promise<void> {
    const rounds = this.#before * ROUNDS_EACH + PATIENCE;
    for (let round = 0; round < rounds && !this.#isFirst(); round++) await (this.#storage.writing() ?? otherTasks());
  }

  leave(): void {
    this.#line.delete(this);
    if (this.#line.size === 0) lines.get(this.#storage)?.delete(this.#key);
  }

  #isFirst(): boolean {
    return this.#line.values().next().value === this;
  }
}
