import { atOnce, firstIndex, inTurns, OrderedIndex, type Steps } from '../std/index.ts';
import { CompactedError, FutureRevisionError } from './errors.ts';
import type { Entry, Range, RangeResult, StorageEvent } from './types.ts';
import type { Revision } from './revision.ts';

/** One key: its current value, and its changes since the compacted revision, oldest first. Earlier ones may still be there. */
interface Slot {
  readonly key: string;
  current: Entry | undefined;
  events: readonly StorageEvent[];
}

const NONE: readonly StorageEvent[] = [];

const emptySlot = (key: string): Slot => ({ key, current: undefined, events: NONE });

/** Dropped changes that are taken from their keys in one step. */
const DROPPED_AT_ONCE = 2_000;

/** Keys that are looked at in one step. */
const WALKED_AT_ONCE = 2_000;

/**
 * The durable state in memory: the current entry of every key, and every change since the compacted revision. Each
 * change has the previous entry, so any kept revision can be read without a copy of it.
 */
export class KeySpace {
  #revision: Revision = 0;
  #compacted: Revision = 0;
  /** Existing keys, and deleted keys whose history is kept. */
  readonly #slots = new OrderedIndex<string, Slot>();
  /** The slots of deleted keys, so that existing keys can be counted. */
  readonly #gone = new OrderedIndex<string, Slot>();
  /** Entries that have become the whole history of their key. */
  #settled: Entry[] = [];
  /** All changes since the compacted revision, oldest first. */
  #log: StorageEvent[] = [];
  /** Walks under way, for which what compactions drop stays with its keys. */
  #walks = 0;
  #postponed: Steps<void>[] = [];
  /** The number of changes at the beginning of the log that `takeAged` has returned. */
  #aged = 0;

  get revision(): Revision {
    return this.#revision;
  }

  get compacted(): Revision {
    return this.#compacted;
  }

  /** The number of existing keys. */
  get keys(): number {
    return this.#slots.size - this.#gone.size;
  }

  /** The number of kept changes. */
  get changes(): number {
    return this.#log.length;
  }

  get(key: string, revision: Revision = this.#revision): Entry | undefined {
    this.#mustReach(revision);
    const slot = this.#slots.get(key);
    return slot && entryAt(slot, revision);
  }

  range({ start, end, revision = this.#revision, limit = 0, filter }: Range): RangeResult {
    this.#mustReach(revision);
    const entries: Entry[] = [];
    this.#slots.scan(start, end, (slot) => {
      const entry = entryAt(slot, revision);
      if (entry && (!filter || filter(entry))) entries.push(entry);
      return entries.length !== limit || limit <= 0;
    });
    const last = limit > 0 && entries.length === limit ? entries[limit - 1] : undefined;
    const remaining = last ? this.#countAt(`${last.key}\0`, end, revision) : 0;
    return { revision, entries, more: remaining > 0, remaining };
  }

  count(start: string, end: string): number {
    return this.#slots.count(start, end) - this.#gone.count(start, end);
  }

  /** Every entry at a kept revision, ordered by key. */
  entriesAt(revision: Revision): Entry[] {
    this.#mustReach(revision);
    const entries: Entry[] = [];
    this.#slots.scan('', undefined, (slot) => {
      const entry = entryAt(slot, revision);
      if (entry) entries.push(entry);
      return true;
    });
    return entries;
  }

  /**
   * Lets `read` look at the entries at a kept revision, ordered by key, in steps: where there is undefined, others may run. What
   * they write or compact meanwhile changes nothing in it.
   */
  async walk<T>(revision: Revision, read: (entries: () => Iterable<Entry | undefined>) => Promise<T>): Promise<T> {
    this.#mustReach(revision);
    this.#walks++;
    try {
      return await read(() => this.#entriesInSteps(revision));
    } finally {
      if (--this.#walks === 0) for (const steps of this.#postponed.splice(0)) await inTurns(steps);
    }
  }

  *#entriesInSteps(revision: Revision): Iterable<Entry | undefined> {
    for (let start: string | undefined = ''; start !== undefined;) {
      const slots: Slot[] = [];
      this.#slots.scan(start, undefined, (slot) => slots.push(slot) < WALKED_AT_ONCE);
      const entries = slots.map((slot) => entryAt(slot, revision));
      for (const entry of entries) if (entry) yield entry;
      const last = slots[WALKED_AT_ONCE - 1];
      start = last && `${last.key}\0`;
      if (last) yield undefined;
    }
  }

  /** The changes after `revision`, oldest first, in a range of keys or of all. */
  eventsSince(revision: Revision, start = '', end?: string): StorageEvent[] {
    if (revision < this.#compacted) throw new CompactedError(revision, this.#compacted);
    const events: StorageEvent[] = [];
    for (let i = firstAfter(this.#log, revision); i < this.#log.length; i++) {
      const event = this.#log[i] as StorageEvent;
      if (event.key >= start && (end === undefined || event.key < end)) events.push(event);
    }
    return events;
  }

  history(key: string): readonly StorageEvent[] {
    const slot = this.#slots.get(key);
    if (!slot) return NONE;
    const events = slot.events.slice(firstAfter(slot.events, this.#compacted));
    const base = events[0] ? events[0].previous : slot.current;
    return base ? [{ type: 'put', revision: base.revision, key, entry: base }, ...events] : events;
  }

  /** Adds an entry without history: part of the initial state of a database. */
  seed(entry: Entry): void {
    this.#slots.set({ key: entry.key, current: entry, events: NONE });
    this.#settled.push(entry);
  }

  /** Sets the revision of the seeded entries; history begins there. */
  begin(revision: Revision): void {
    this.#revision = this.#compacted = revision;
  }

  /** Applies the changes of one commit. */
  apply(revision: Revision, events: readonly StorageEvent[]): void {
    for (const event of events) this.#change(this.#slots.getOrAdd(event.key, emptySlot), event);
    this.#revision = revision;
  }

  /** As `apply`, for changes from the disk, which does not have what they replaced. */
  replay(revision: Revision, events: readonly StorageEvent[]): void {
    for (const event of events) {
      const slot = this.#slots.getOrAdd(event.key, emptySlot);
      const previous = slot.current;
      this.#change(slot, previous ? replacing(previous, event) : event);
    }
    this.#revision = revision;
  }

  /** Drops the changes up to and including `revision`; the resulting entries stay. */
  compact(revision: Revision): void {
    atOnce(this.compactInSteps(revision));
  }

  /** As `compact`. The changes can't be read any more when this returns; their memory is freed in the steps. */
  compactInSteps(revision: Revision): Steps<void> {
    if (revision > this.#revision) throw new FutureRevisionError(revision, this.#revision);
    if (revision <= this.#compacted) return this.#forgetEach([], revision);
    const kept = firstAfter(this.#log, revision);
    const dropped = this.#log.slice(0, kept);
    // An array that gets shorter in place keeps its memory.
    this.#log = this.#log.slice(kept);
    this.#aged = Math.max(0, this.#aged - dropped.length);
    this.#compacted = revision;
    const steps = this.#forgetEach(dropped, revision);
    if (this.#walks === 0) return steps;
    this.#postponed.push(steps);
    return this.#forgetEach([], revision);
  }

  *#forgetEach(dropped: readonly StorageEvent[], revision: Revision): Steps<void> {
    for (const [i, { key }] of dropped.entries()) {
      if (i > 0 && i % DROPPED_AT_ONCE === 0) yield;
      this.#forget(key, revision);
    }
  }

  /** The entries that have become the whole history of their key since the last call. */
  takeSettled(): Entry[] {
    const settled = this.#settled;
    this.#settled = [];
    return settled;
  }

  /** The number of kept changes that `takeAged` has not returned. */
  get fresh(): number {
    return this.#log.length - this.#aged;
  }

  /** What the kept changes wrote that were not returned before, but for the last `recent` ones. */
  takeAged(recent: number): Entry[] {
    const aged = this.#log.slice(this.#aged, Math.max(this.#aged, this.#log.length - recent));
    this.#aged += aged.length;
    return aged.flatMap(({ entry }) => entry ?? []);
  }

  #change(slot: Slot, event: StorageEvent): void {
    this.#log.push(event);
    if (slot.current === undefined && slot.events !== NONE) this.#gone.delete(event.key);
    if (!event.entry) this.#gone.set(slot);
    slot.current = event.entry;
    if (slot.events === NONE) slot.events = [event];
    else (slot.events as StorageEvent[]).push(event);
  }

  #forget(key: string, revision: Revision): void {
    const slot = this.#slots.get(key);
    if (!slot?.events[0] || slot.events[0].revision > revision) return;
    const kept = slot.events.slice(firstAfter(slot.events, revision));
    slot.events = kept.length > 0 ? kept : NONE;
    if (kept.length > 0) return;
    if (slot.current) return void this.#settled.push(slot.current);
    this.#slots.delete(key);
    this.#gone.delete(key);
  }

  /** Counts backwards from now: subtracts each later creation and adds each later deletion. */
  #countAt(start: string, end: string, revision: Revision): number {
    let count = this.count(start, end);
    for (let i = firstAfter(this.#log, revision); i < this.#log.length; i++) {
      const { key, entry, previous } = this.#log[i] as StorageEvent;
      if (key >= start && key < end) count += (previous ? 1 : 0) - (entry ? 1 : 0);
    }
    return count;
  }

  #mustReach(revision: Revision): void {
    if (revision < this.#compacted) throw new CompactedError(revision, this.#compacted);
    if (revision > this.#revision) throw new FutureRevisionError(revision, this.#revision);
  }
}

/** Written out, because a spread makes larger objects. */
const replacing = (previous: Entry, { type, revision, key, entry }: StorageEvent): StorageEvent =>
  entry ? { type, revision, key, entry, previous } : { type, revision, key, previous };

/** The entry before the first change after `revision`, or the current entry if there was no such change. */
function entryAt(slot: Slot, revision: Revision): Entry | undefined {
  const { events } = slot;
  const last = events[events.length - 1];
  if (!last || last.revision <= revision) return slot.current;
  return events[firstAfter(events, revision)]?.previous;
}

/** The index of the first change after `revision`. */
function firstAfter(events: readonly StorageEvent[], revision: Revision): number {
  return firstIndex(events.length, (at) => (events[at] as StorageEvent).revision > revision);
}
