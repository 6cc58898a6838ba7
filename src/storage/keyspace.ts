import { byKey, OrderedIndex } from '../std/index.ts';
import { CompactedError, FutureRevisionError } from './errors.ts';
import type { Entry, Range, RangeResult, StorageEvent } from './types.ts';
import type { Revision } from './revision.ts';

/** One key: what it holds now, and its changes since the compacted revision, oldest first. */
interface Slot {
  readonly key: string;
  current: Entry | undefined;
  events: readonly StorageEvent[];
}

const NONE: readonly StorageEvent[] = [];

/**
 * The durable state in memory: every key's entry now, and every change since the compacted revision. Each change knows
 * what was there before it, so any kept revision can be read without a copy of it.
 */
export class KeySpace {
  #revision: Revision = 0;
  #compacted: Revision = 0;
  /** Keys that exist, and those that are gone while their history is kept. */
  readonly #slots = new OrderedIndex<string, Slot>(byKey);
  /** The slots of keys that are gone, so that existing ones can be counted. */
  readonly #gone = new OrderedIndex<string, Slot>(byKey);
  /** All changes since the compacted revision, oldest first. */
  #log: StorageEvent[] = [];

  get revision(): Revision {
    return this.#revision;
  }

  get compacted(): Revision {
    return this.#compacted;
  }

  /** How many keys exist. */
  get keys(): number {
    return this.#slots.size - this.#gone.size;
  }

  /** How many changes are kept. */
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

  /** Every entry as it was at a kept revision, in order of key. */
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

  /** The changes after `revision`, oldest first, of the keys in the range or of all. */
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
    const first = slot.events[0];
    const base = first ? first.previous : slot.current;
    return base ? [{ type: 'put', revision: base.revision, key, entry: base }, ...slot.events] : slot.events;
  }

  /** Takes over an entry whose history is not known: the state that a database begins with. */
  seed(entry: Entry): void {
    this.#slots.set({ key: entry.key, current: entry, events: NONE });
  }

  /** Says which revision the seeded entries belong to; history begins there. */
  begin(revision: Revision): void {
    this.#revision = this.#compacted = revision;
  }

  /** Takes over the changes of one commit. */
  apply(revision: Revision, events: readonly StorageEvent[]): void {
    for (const event of events) {
      this.#change(event);
      this.#log.push(event);
    }
    this.#revision = revision;
  }

  /** Forgets the changes up to and with `revision`; only what they led to stays. */
  compact(revision: Revision): void {
    if (revision > this.#revision) throw new FutureRevisionError(revision, this.#revision);
    if (revision <= this.#compacted) return;
    const dropped = this.#log.splice(0, firstAfter(this.#log, revision));
    for (const { key } of dropped) this.#forget(key, revision);
    this.#compacted = revision;
  }

  #change(event: StorageEvent): void {
    let slot = this.#slots.get(event.key);
    if (!slot) {
      slot = { key: event.key, current: undefined, events: NONE };
      this.#slots.set(slot);
    } else if (slot.current === undefined && event.entry) {
      this.#gone.delete(event.key);
    }
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
    if (kept.length > 0 || slot.current) return;
    this.#slots.delete(key);
    this.#gone.delete(key);
  }

  /** Counts backwards from now: each creation since then is one key less, each deletion one more. */
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

/** What was there before the first change after `revision`; what is there now, when there was none. */
function entryAt(slot: Slot, revision: Revision): Entry | undefined {
  const { events } = slot;
  const last = events[events.length - 1];
  if (!last || last.revision <= revision) return slot.current;
  return events[firstAfter(events, revision)]?.previous;
}

/** The index of the first change after `revision`. */
function firstAfter(events: readonly StorageEvent[], revision: Revision): number {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((events[middle] as StorageEvent).revision <= revision) low = middle + 1;
    else high = middle;
  }
  return low;
}
