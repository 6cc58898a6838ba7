/**
 * Storage over a database that several processes share. Reads come from a copy in memory that follows the database's
 * changes. Writes are transactions of the database and are answered once the copy contains them.
 */
import { inBackground, type Clock } from '../../std/index.ts';
import { Compactor } from '../compactor.ts';
import { assertSound } from '../draft.ts';
import { FutureRevisionError, UnreachableError, WriteError } from '../errors.ts';
import { KeySpace } from '../keyspace.ts';
import { Reads } from '../reads.ts';
import type * as T from '../types.ts';
import { Barrier } from './barrier.ts';
import type { Engine, EngineCommit, EngineState } from './engine.ts';

export interface SharedOptions {
  readonly engine: Engine;
  readonly clock: Clock;
  /** Milliseconds of history to keep; 5 minutes by default, Infinity keeps all. */
  readonly keep?: number;
}

const KEEP = 5 * 60_000;

/** How long an answer that needs a newer copy waits for the next change. */
const CATCH_UP_MS = 30_000;

/** Opens the copy, with the history of the database, so that watches of another server can resume here. */
export async function openShared({ engine, clock, keep = KEEP }: SharedOptions): Promise<T.Storage> {
  const storage = new SharedStorage(engine, await engine.oldest(), clock, keep);
  try {
    await storage.fresh();
    return storage;
  } catch (error) {
    await storage.close();
    throw error;
  }
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const SOUND: T.StorageCondition = { is: 'sound' };

class SharedStorage extends Reads implements T.Storage {
  readonly shared = true;
  readonly condition = SOUND;
  readonly #engine: Engine;
  readonly #clock: Clock;
  readonly #newest: Barrier<T.Revision>;
  readonly #compactor: Compactor;
  #following: { end(): void } | undefined;
  #commits = 0;
  #bytes = 0;
  #closed = false;

  constructor(engine: Engine, { revision, entries }: EngineState, clock: Clock, keep: number) {
    super(new KeySpace(), clock);
    this.#engine = engine;
    this.#clock = clock;
    for (const entry of entries) this.space.seed(entry);
    this.space.begin(revision);
    this.#newest = new Barrier(() => engine.newest());
    this.#compactor = new Compactor(clock, keep, this);
    this.#follow();
    this.#measure();
  }

  async fresh(): Promise<void> {
    let newest: T.Revision;
    try {
      newest = await this.#newest.pass();
    } catch (error) {
      throw new UnreachableError(`the database does not answer: ${wordsOf(error)}`, error);
    }
    await this.#show(newest);
  }

  async commit(ops: readonly T.Op[]): Promise<T.CommitResult> {
    assertSound(ops);
    if (this.#closed) throw new WriteError('closed', 'the storage is closed');
    const { held, revision } = await this.#engine.commit(ops);
    await this.#show(revision);
    this.#commits++;
    return held ? { ok: true, revision, entries: ops.map((op) => this.#made(op, revision)) } : this.#refused(ops);
  }

  /** Each write is a separate request to the database. */
  writing(): undefined {
    return undefined;
  }

  onCondition(): () => void {
    return () => undefined;
  }

  async compact(revision: T.Revision): Promise<void> {
    if (revision > this.revision) throw new FutureRevisionError(revision, this.revision);
    this.compactSpace(revision);
    await this.#engine.compact(revision);
    this.#measure();
  }

  keepHistory(ms: number): void {
    this.#compactor.keep(ms);
  }

  stats(): T.StorageStats {
    return {
      ...this.readStats(),
      segments: 0,
      snapshotRows: 0,
      bytes: this.#bytes,
      groups: this.#commits,
      commits: this.#commits,
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#following?.end();
    this.#compactor.close();
    this.watches.close();
    this.waiters.close();
    await this.#engine.close();
  }

  /** Waits until the copy has reached a revision of the database, for as long as it comes closer. */
  async #show(revision: T.Revision): Promise<void> {
    for (let before = -1; before < this.revision;) {
      before = this.revision;
      if (revision <= before || (await this.waiters.wait(revision, CATCH_UP_MS))) return;
    }
    if (this.#closed) throw new WriteError('closed', 'the storage is closed');
    throw new WriteError(
      'failed',
      `the database is at revision ${revision}, but sends no changes after ${this.revision}`,
    );
  }

  /** The result of one op of a successful commit. */
  #made(op: T.Op, revision: T.Revision): T.Entry | undefined {
    if (op.type === 'check') return this.space.get(op.key, revision);
    const event = this.space.history(op.key).findLast((each) => each.revision === revision);
    return op.type === 'put' ? event?.entry : event?.type === 'delete' ? event.previous : undefined;
  }

  /**
   * The first op whose expectation fails against the copy, which is at least as new as the state that refused the
   * commit.
   */
  #refused(ops: readonly T.Op[]): T.CommitResult {
    const expected = ops.filter((op) => op.expect !== undefined);
    const failing = expected.find(({ key, expect }) => expect !== (this.space.get(key)?.revision ?? 0));
    const key = (failing ?? expected[0])?.key ?? '';
    return { ok: false, conflict: this.space.get(key), key };
  }

  #follow(): void {
    this.#following = this.#engine.follow(this.revision, {
      committed: (commits) => this.#publish(commits),
      missed: () => inBackground(this.#readAgain(), () => this.#again()),
    });
  }

  /** Reads the state again after a delay, following a failure. */
  #again(): void {
    this.#clock.setTimeout(() => {
      if (!this.#closed) inBackground(this.#readAgain(), () => this.#again());
    }, 1000);
  }

  /**
   * The database has compacted the commits after the copy: the differences are applied as one change, and watches get
   * the current states without those in between.
   */
  async #readAgain(): Promise<void> {
    const { revision, entries, unreadable = [] } = await this.#engine.state();
    if (this.#closed) return;
    const there = new Set([...entries.map((entry) => entry.key), ...unreadable]);
    const known = this.space.entriesAt(this.revision);
    const gone = known.filter(({ key }) => !there.has(key)).map(({ key }) => ({ key }));
    const before = new Map(known.map((entry) => [entry.key, entry.revision]));
    const changed = entries.filter(({ key, revision: at }) => before.get(key) !== at);
    const changes = changed.map((entry) => ({ key: entry.key, entry }));
    this.#publish([{ revision, changes: [...gone, ...changes] }]);
    this.compactSpace(revision);
    this.#follow();
  }

  /** All changes become visible before watches are notified. */
  #publish(commits: readonly EngineCommit[]): void {
    const events: T.StorageEvent[] = [];
    for (const { revision, changes } of commits) {
      if (revision <= this.revision) continue;
      const made = changes.flatMap((change) => this.#eventOf(change.key, change.entry, revision) ?? []);
      this.space.apply(revision, made);
      for (const event of made) events.push(event);
    }
    this.announce(events);
  }

  #eventOf(key: string, entry: T.Entry | undefined, revision: T.Revision): T.StorageEvent | undefined {
    const previous = this.space.get(key);
    if (!entry) return previous && { type: 'delete', revision, key, previous };
    return previous ? { type: 'put', revision, key, entry, previous } : { type: 'put', revision, key, entry };
  }

  #measure(): void {
    inBackground(
      this.#engine.size().then((bytes) => void (this.#bytes = bytes)),
      () => undefined,
    );
  }
}
