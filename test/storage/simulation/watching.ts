import { expect } from 'vitest';
import type { Random } from '../../../src/std/index.ts';
import type { Storage, StorageEvent, Watch } from '../../../src/storage/index.ts';
import { CompactedError, OverflowError } from '../../../src/storage/index.ts';
import type { Model } from './model.ts';

/** A watch in the simulation, what it was given, and the rules that must hold for it. */
export class Watching {
  readonly #from: number;
  readonly #start: string;
  readonly #end: string;
  readonly #watch: Watch;
  readonly #seen: StorageEvent[] = [];
  readonly #bufferLimit: number;
  #completeTo: number;
  #release: (() => void) | undefined;
  #ended: { error: unknown } | undefined;
  #returned = false;

  /** `note` takes the checks that the storage's calls make: it would swallow what they throw. */
  constructor(
    storage: Storage,
    random: Random,
    ranges: readonly (readonly [start: string, end: string])[],
    note: (check: () => void) => void,
  ) {
    [this.#start, this.#end] = ranges[random.int(ranges.length)] ?? ['', ''];
    this.#from = Math.max(0, storage.compacted - 1 + random.int(storage.revision - storage.compacted + 4));
    this.#completeTo = this.#from;
    this.#bufferLimit = 2 + random.int(20);
    const lazy = random.int(3) === 0;
    const options = { start: this.#start, end: this.#end, from: this.#from, bufferLimit: this.#bufferLimit };
    this.#watch = storage.watch(
      options,
      (events, revision) => {
        note(() => this.#receive(events, revision));
        return lazy ? new Promise<void>((resolve) => (this.#release = resolve)) : undefined;
      },
      (error) => note(() => this.#onEnd(error, storage.compacted)),
    );
    this.#returned = true;
  }

  get busy(): boolean {
    return this.#release !== undefined;
  }

  /** Lets a lazy receiver go on. */
  release(): void {
    const release = this.#release;
    this.#release = undefined;
    release?.();
  }

  close(): void {
    this.#watch.close();
    this.#ended = { error: undefined };
  }

  /** Rules 15 to 19: what was given is all there was to give, in order, nothing twice. */
  check(model: Model): void {
    const given = this.#seen.length;
    const expected = model.eventsBetween(this.#from, model.revision, this.#start, this.#end);
    expect(this.#seen).toEqual(expected.slice(0, given));
    if (this.#ended) return;
    expect(this.#watch.backlog).toBe(expected.length - given);
    if (!this.busy) expect(given).toBe(expected.length);
    expect(this.#watch.backlog).toBeLessThanOrEqual(this.#bufferLimit);
    const next = expected[given]?.revision ?? Infinity;
    expect(this.#watch.revision).toBeLessThan(next);
  }

  #receive(events: readonly StorageEvent[], revision: number): void {
    expect(this.#returned, 'nothing is delivered before watch has returned').toBe(true);
    expect(this.#ended, 'nothing is delivered after the end').toBeUndefined();
    expect(this.#release, 'nothing is delivered to a busy receiver').toBeUndefined();
    expect(events[0]?.revision, 'a commit is not torn apart').toBeGreaterThan(this.#completeTo);
    this.#completeTo = revision;
    this.#seen.push(...events);
  }

  #onEnd(error: unknown, compacted: number): void {
    expect(this.#ended, 'a watch ends once').toBeUndefined();
    this.#ended = { error };
    if (error instanceof CompactedError) expect(this.#from).toBeLessThan(compacted);
    else if (error instanceof OverflowError) expect(this.busy, 'only a busy receiver overflows').toBe(true);
    else expect(error).toBeUndefined();
  }
}
