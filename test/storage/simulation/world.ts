import { expect } from 'vitest';
import type { ControlledClock, Random } from '../../../src/std/index.ts';
import { manualClock, seededRandom, settle } from '../../../src/std/index.ts';
import type { CommitResult, MemoryDisk, Op, Storage, StorageEvent } from '../../../src/storage/index.ts';
import {
  CompactedError,
  FutureRevisionError,
  keyEnd,
  memoryDisk,
  openStorage,
  prefixEnd,
  WriteError,
} from '../../../src/storage/index.ts';
import { GatedBackend } from './gates.ts';
import type { Fate } from './gates.ts';
import { Model } from './model.ts';
import { Watching } from './watching.ts';

/** A commit that was handed in, and at which revision. */
interface Submission {
  readonly number: number;
  readonly ops: readonly Op[];
  readonly at: number;
}

const KEYS = ['/a/x/1', '/a/x/2', '/a/y/1', '/b/1', '/b/ü', '/c', '/d/1', '/d/2'];
const RANGES: readonly [start: string, end: string][] = [
  ...['/a/', '/a/x/', '/b/', '/d/'].map((prefix): [string, string] => [prefix, prefixEnd(prefix)]),
  ...['/c', '/b/ü'].map((key): [string, string] => [key, keyEnd(key)]),
  ['', '\uffff'],
  ['/a/x/2', '/c'],
];
const KEEP = 60_000;
/** The disk is tidied up all the time, so that every crash has a chance to hit it. */
const TUNING = { rowBytes: 200, joinRows: 3, smallRow: 400, snapshotBytes: 600, removeBytes: 300, patience: 3 };

/** A storage under test beside the model of it; each step does something at random and checks the rules. */
export class World {
  readonly random: Random;
  readonly clock: ControlledClock = manualClock();
  readonly disk: MemoryDisk = memoryDisk();
  readonly model = new Model();
  readonly counts = { crashes: 0, recovered: 0, conflicts: 0, failures: 0, expired: 0, joins: 0, snapshots: 0 };
  storage!: Storage;
  #backend!: GatedBackend;
  #life = 0;
  #submitted = 0;
  #lastAnswered = -1;
  #inFlight: Submission[] = [];
  #failed = new Map<unknown, Submission[]>();
  #watchings: Watching[] = [];
  readonly #problems: unknown[] = [];
  /** Revisions up to here are accounted for: somebody asked for each of them. */
  #accounted = 0;
  readonly #claimed = new Set<number>();

  constructor(seed: number) {
    this.random = seededRandom(seed);
  }

  async open(): Promise<void> {
    const life = ++this.#life;
    const backend = (this.#backend = new GatedBackend(this.disk));
    const opening = openStorage({ backend, clock: this.clock, keep: KEEP }, TUNING);
    for (let turn = 0; turn < 10; turn++) {
      await settle();
      while (backend.waiting > 0) backend.open(this.random, 'done');
    }
    this.storage = await opening;
    const follow = { start: '', end: '\uffff', from: this.model.revision, bufferLimit: Infinity };
    this.storage.watch(
      follow,
      (events) => this.#note(life, () => this.#follow(events)),
      (error) => this.#note(life, () => expect(error, 'no watch of all ends').toBeUndefined()),
    );
    await settle();
    this.#throwProblems();
    expect(this.model.revision, 'every durable commit is delivered').toBe(this.storage.revision);
  }

  async step(): Promise<void> {
    const { random } = this;
    const actions: readonly [weight: number, action: () => void | Promise<void>][] = [
      [30, () => this.#commit()],
      [25, () => this.#backend.open(random, this.#fate())],
      [10, () => this.#read()],
      [
        5,
        () =>
          void this.#watchings.push(
            new Watching(this.storage, random, RANGES, (check) => this.#note(this.#life, check)),
          ),
      ],
      [5, () => this.#watchings[random.int(this.#watchings.length)]?.release()],
      [2, () => this.#watchings.splice(random.int(this.#watchings.length), 1)[0]?.close()],
      [4, () => this.#compact()],
      [3, () => this.clock.step(random.int(20_000))],
      [2, () => this.crash()],
      [1, () => this.reopen()],
    ];
    let choice = random.int(actions.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, action] of actions) {
      if (choice < weight) {
        await action();
        break;
      }
      choice -= weight;
    }
    await settle();
    this.#throwProblems();
    expect(this.storage.revision).toBe(this.model.revision);
    if (random.int(10) === 0) this.check();
  }

  check(): void {
    this.#account();
    for (const watching of this.#watchings) watching.check(this.model);
  }

  /** Lets everything that was handed in come to its end. */
  async drain(): Promise<void> {
    for (let quiet = 0; quiet < 3;) {
      quiet = this.#backend.waiting > 0 ? 0 : quiet + 1;
      this.#backend.open(this.random, 'done');
      for (const watching of this.#watchings) watching.release();
      await settle();
    }
    this.#throwProblems();
    expect(this.#inFlight).toEqual([]);
    this.check();
  }

  /** An orderly end and a new beginning. */
  async reopen(): Promise<void> {
    const closed = this.storage.close();
    await this.drain();
    await closed;
    await this.#recover();
  }

  /** The process dies in the middle of whatever it does, and another opens what is left. */
  async crash(): Promise<void> {
    this.counts.crashes++;
    this.#backend.crash(this.random);
    await this.#recover();
  }

  async #recover(): Promise<void> {
    this.counts.joins += this.#backend.joins;
    this.counts.snapshots += this.#backend.snapshots;
    const { revision: before } = this.model;
    const { compacted } = this.storage;
    const inFlight = this.#inFlight;
    const failed = this.#failed.get(this.#backend.found) ?? [];
    this.#inFlight = [];
    this.#failed.clear();
    this.#watchings = [];
    await this.open();
    expect(this.storage.revision, 'no commit that was answered is lost').toBeGreaterThanOrEqual(before);
    expect(this.storage.compacted, 'compaction does not go back').toBeGreaterThanOrEqual(compacted);
    const explained = this.#explain(before + 1, inFlight) || this.#explain(before + 1, failed);
    expect(explained, 'what was found is what was being written').toBe(true);
    for (let revision = before + 1; revision <= this.model.revision; revision++) this.#claimed.add(revision);
    this.counts.recovered += this.model.revision - before;
    this.check();
    this.#compareHistory();
  }

  /** Everything that is kept reads as it did before. */
  #compareHistory(): void {
    const { compacted, revision } = this.storage;
    const all = { start: '', end: '\uffff' };
    for (const at of [compacted, compacted + this.random.int(revision - compacted + 1), revision]) {
      expect(this.storage.range({ ...all, revision: at }).entries).toEqual(this.model.range(at, '', '\uffff'));
    }
    for (const key of KEYS) {
      const events = this.model.eventsBetween(compacted, revision, key, `${key}\0`);
      const base = this.model.stateAt(compacted).get(key);
      const before: StorageEvent[] = base ? [{ type: 'put', revision: base.revision, key, entry: base }] : [];
      expect(this.storage.history(key)).toEqual([...before, ...events]);
    }
  }

  /** Whether the commits, in order, account for the revisions from `revision` on; keys may expire between them. */
  #explain(revision: number, commits: readonly Submission[]): boolean {
    if (revision > this.model.revision) return true;
    const found = this.model.eventsBetween(revision - 1, revision);
    const [first, ...rest] = commits;
    if (first) {
      const { events } = this.model.judge(first.ops, revision - 1);
      if (same(events, found) && this.#explain(revision + 1, rest)) return true;
      if (events.length === 0 && this.#explain(revision, rest)) return true;
    }
    return this.#isExpiry(found) && this.#explain(revision + 1, commits);
  }

  #isExpiry(events: readonly StorageEvent[]): boolean {
    const [event] = events;
    return events.length === 1 && event?.type === 'delete' && (event.previous?.expires ?? Infinity) <= this.clock.now();
  }

  /** Rule 1: each revision is the doing of one commit that was asked for, or of a key's expiry. */
  #account(): void {
    for (; this.#accounted < this.model.revision; this.#accounted++) {
      const revision = this.#accounted + 1;
      if (this.#claimed.delete(revision)) continue;
      expect(this.#isExpiry(this.model.eventsBetween(revision - 1, revision)), `revision ${revision}`).toBe(true);
      this.counts.expired++;
    }
  }

  #follow(events: readonly StorageEvent[]): void {
    const byRevision = new Map<number, StorageEvent[]>();
    for (const event of events) byRevision.set(event.revision, [...(byRevision.get(event.revision) ?? []), event]);
    for (const [revision, changes] of byRevision) {
      expect(revision, 'there are no gaps').toBe(this.model.revision + 1);
      for (const { key, previous } of changes) expect(previous).toEqual(this.model.stateAt(revision - 1).get(key));
      this.model.apply(changes);
    }
  }

  #throwProblems(): void {
    if (this.#problems.length > 0) throw this.#problems[0];
  }

  #fate(): Fate {
    return (['lost', 'found'] as const)[this.random.int(20)] ?? 'done';
  }

  #commit(): void {
    const ops = this.#randomOps();
    const submission = { number: this.#submitted++, ops, at: this.model.revision };
    this.#inFlight.push(submission);
    const life = this.#life;
    this.storage.commit(ops).then(
      (result) => this.#note(life, () => this.#answered(submission, result)),
      (error: unknown) => this.#note(life, () => this.#rejected(submission, error)),
    );
  }

  #randomOps(): Op[] {
    const { random } = this;
    const keys = new Set(Array.from({ length: 1 + random.int(3) }, () => KEYS[random.int(KEYS.length)] ?? '/'));
    return Array.from(keys, (key): Op => {
      const known = this.model.stateAt(this.model.revision).get(key)?.revision ?? 0;
      const expected = [undefined, undefined, known, known, known + 1, 0][random.int(6)];
      const type = (['put', 'put', 'put', 'delete', 'check'] as const)[random.int(5)] ?? 'put';
      if (type === 'check') return { type, key, expect: expected ?? known };
      const condition = expected === undefined ? {} : { expect: expected };
      if (type === 'delete') return { type, key, ...condition };
      const expiry = random.int(5) === 0 ? { expires: this.clock.now() + random.int(30_000) } : {};
      return { type, key, value: `${random.suffix(random.int(80))}ß😀`, ...condition, ...expiry };
    });
  }

  #answered(submission: Submission, result: CommitResult): void {
    this.#leave(submission);
    const revisions = this.#revisionsToJudgeAt(submission, result);
    const verdict = revisions.map((at) => this.model.judge(submission.ops, at)).find((v) => same(v.result, result));
    expect(verdict, `commit ${submission.number} can be answered with ${JSON.stringify(result)}`).toBeDefined();
    if (!result.ok) this.counts.conflicts++;
    if (!result.ok || verdict?.events.length === 0) return;
    expect(this.model.eventsBetween(result.revision - 1, result.revision)).toEqual(verdict?.events);
    expect(submission.number, 'rule 5: in the order they were handed in').toBeGreaterThan(this.#lastAnswered);
    expect(this.#claimed.has(result.revision)).toBe(false);
    this.#lastAnswered = submission.number;
    this.#claimed.add(result.revision);
  }

  /** A conflict may have been found at any revision since; what changed something, right before its own. */
  #revisionsToJudgeAt({ at }: Submission, result: CommitResult): number[] {
    if (!result.ok) return Array.from({ length: this.model.revision - at + 1 }, (_, i) => at + i);
    return [result.revision - 1, result.revision].filter((revision) => revision >= 0);
  }

  #rejected(submission: Submission, error: unknown): void {
    expect(error).toBeInstanceOf(WriteError);
    this.counts.failures++;
    this.#leave(submission);
    this.#failed.set(error, [...(this.#failed.get(error) ?? []), submission]);
  }

  #leave(submission: Submission): void {
    this.#inFlight = this.#inFlight.filter((other) => other !== submission);
  }

  #compact(): void {
    const far = this.random.int(8) === 0;
    const revision = this.random.int(this.storage.revision + 1) + (far ? 1000 : 0);
    const life = this.#life;
    const allowed = far ? FutureRevisionError : WriteError;
    this.storage.compact(revision).then(
      () => this.#note(life, () => expect(this.storage.compacted).toBeGreaterThanOrEqual(far ? Infinity : revision)),
      (error: unknown) => this.#note(life, () => expect(error).toBeInstanceOf(allowed)),
    );
  }

  /** Runs a check that the storage calls, for as long as its process lives; what it finds fails the step. */
  #note(life: number, check: () => void): void {
    if (life !== this.#life) return;
    try {
      check();
    } catch (error) {
      this.#problems.push(error);
    }
  }

  /** Rules 12 and 13, at a revision that may be out of reach. */
  #read(): void {
    const { storage, random, model } = this;
    const revision = random.int(model.revision + 2);
    const [start, end] = [KEYS[random.int(KEYS.length)] ?? '', KEYS[random.int(KEYS.length)] ?? ''];
    const limit = random.int(4);
    const read = (): unknown => storage.range({ start, end, revision, limit });
    if (revision < storage.compacted) return expect(read).toThrow(CompactedError);
    if (revision > storage.revision) return expect(read).toThrow(FutureRevisionError);
    const all = model.range(revision, start, end);
    const entries = limit === 0 ? all : all.slice(0, limit);
    const remaining = all.length - entries.length;
    expect(read()).toEqual({ revision, entries, more: remaining > 0, remaining });
    expect(storage.get(start, revision)).toEqual(model.stateAt(revision).get(start));
    expect(storage.count(start, end)).toBe(model.range(model.revision, start, end).length);
  }
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a, sorted) === JSON.stringify(b, sorted);
}

/** Makes the order of an object's keys meaningless. */
function sorted(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
