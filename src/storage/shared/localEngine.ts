/**
 * Makes a storage of this process the engine of a second server (`sharedStorage.ts`), as etcd is for servers on several
 * machines. Its change reports can be delayed, and the connection to it can be cut.
 */
import { type Clock, type Timer } from '../../std/index.ts';
import { CompactedError, OverflowError, WriteError } from '../errors.ts';
import type { Op, Storage, StorageEvent } from '../types.ts';
import type { Engine, EngineCommit, EngineListener, EngineState } from './engine.ts';

export interface LocalEngine extends Engine {
  /** Sets the delay of change reports in milliseconds. */
  delay(ms: number): void;
  /** Cuts the connection to the storage, as when the machine of the second server is switched off. */
  cut(): void;
}

export const localEngine = (storage: Storage, clock: Clock): LocalEngine => new StorageEngine(storage, clock);

/** Every key. */
const ALL = { start: '', end: '\uffff' };

class StorageEngine implements LocalEngine {
  readonly #storage: Storage;
  readonly #clock: Clock;
  readonly #followers = new Set<Follower>();
  #delay = 0;
  #isCut = false;

  constructor(storage: Storage, clock: Clock) {
    this.#storage = storage;
    this.#clock = clock;
  }

  delay(ms: number): void {
    this.#delay = ms;
    for (const follower of this.#followers) follower.deliver();
  }

  cut(): void {
    this.#isCut = true;
    for (const follower of this.#followers) follower.end();
  }

  async commit(ops: readonly Op[]): ReturnType<Engine['commit']> {
    this.#requireWay();
    const { ok, ...result } = await this.#storage.commit(ops.map(withoutListener));
    const revision = 'revision' in result ? result.revision : this.#storage.revision;
    return { held: ok, revision };
  }

  async newest(): Promise<number> {
    this.#requireWay();
    return this.#storage.revision;
  }

  async oldest(): Promise<EngineState> {
    return this.#stateAt(this.#storage.compacted);
  }

  async state(): Promise<EngineState> {
    return this.#stateAt(this.#storage.revision);
  }

  follow(after: number, listener: EngineListener): { end(): void } {
    const follower = new Follower(this.#clock, listener, () => this.#delay);
    this.#followers.add(follower);
    const watch = this.#storage.watch(
      { ...ALL, from: after },
      (events) => follower.take(events),
      (error) => {
        if (error instanceof CompactedError || error instanceof OverflowError) listener.missed();
      },
    );
    follower.onEnd = () => {
      watch.close();
      this.#followers.delete(follower);
    };
    return { end: () => follower.end() };
  }

  /** The storage compacts itself. */
  async compact(): Promise<void> {
    this.#requireWay();
  }

  async size(): Promise<number> {
    return this.#storage.stats().bytes;
  }

  async close(): Promise<void> {
    this.cut();
  }

  #stateAt(revision: number): EngineState {
    this.#requireWay();
    return { revision, entries: this.#storage.range({ ...ALL, revision }).entries };
  }

  #requireWay(): void {
    if (this.#isCut) throw new WriteError('failed', 'the connection to the storage is cut');
  }
}

/** Delivers changes to a listener, in order and delayed. */
class Follower {
  readonly #clock: Clock;
  readonly #listener: EngineListener;
  readonly #delay: () => number;
  readonly #waiting: { readonly since: number; readonly commits: readonly EngineCommit[] }[] = [];
  #timer: Timer | undefined;
  onEnd: () => void = () => undefined;

  constructor(clock: Clock, listener: EngineListener, delay: () => number) {
    this.#clock = clock;
    this.#listener = listener;
    this.#delay = delay;
  }

  take(events: readonly StorageEvent[]): void {
    this.#waiting.push({ since: this.#clock.now(), commits: byRevision(events) });
    this.deliver();
  }

  /** Delivers what is due, and schedules the next delivery. */
  deliver(): void {
    this.#clock.clearTimeout(this.#timer);
    const due = this.#clock.now() - this.#delay();
    const ready = this.#waiting.findIndex(({ since }) => since > due);
    const told = this.#waiting.splice(0, ready < 0 ? this.#waiting.length : ready);
    if (told.length > 0) this.#listener.committed(told.flatMap(({ commits }) => commits));
    const [next] = this.#waiting;
    if (next) this.#timer = this.#clock.setTimeout(() => this.deliver(), next.since - due);
  }

  /** Delivers at once what is queued, and nothing after that. */
  end(): void {
    this.onEnd();
    this.#clock.clearTimeout(this.#timer);
    const left = this.#waiting.splice(0);
    if (left.length > 0) this.#listener.committed(left.flatMap(({ commits }) => commits));
  }
}

/** The entry is one of the first server's storage, and the second has a copy of its own. */
function withoutListener(op: Op): Op {
  if (op.type !== 'put') return op;
  const { stored: _, ...plain } = op;
  return plain;
}

/** Groups events, which are in order, by revision. */
function byRevision(events: readonly StorageEvent[]): EngineCommit[] {
  const commits: { revision: number; changes: { key: string; entry?: NonNullable<StorageEvent['entry']> }[] }[] = [];
  for (const { revision, key, entry } of events) {
    const change = entry ? { key, entry } : { key };
    const last = commits.at(-1);
    if (last?.revision === revision) last.changes.push(change);
    else commits.push({ revision, changes: [change] });
  }
  return commits;
}
