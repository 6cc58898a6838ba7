/**
 * An index for lists whose field selector requires one value, such as the list of each node's agent for the pods of its node. It is built
 * for the second list that selects by the field, catches up with changes at each list, and is dropped when no list has used it for a while.
 */
import type { Resource } from '../../schema/index.ts';
import { hostTime, yieldToTasks } from '../../std/index.ts';
import {
  CompactedError,
  type Entry,
  type Range,
  type RangeResult,
  type Revision,
  type Topic,
} from '../../storage/index.ts';
import type { Core } from '../context.ts';
import { collectionRange } from './keys.ts';
import { selectedValue } from './selection.ts';
import { topicOf } from './topics.ts';

/** Milliseconds of real time, because the cluster's clock may stand still. */
const KEPT_FOR = 30_000;
/** Entries that are read in one step. */
const READ_AT_ONCE = 1000;

type IndexedStorage = Pick<Core['storage'], 'revision' | 'range' | 'count' | 'changesSince'>;

interface Indexed {
  readonly storage: IndexedStorage;
  /** The collection: keys from `start` to `end`. */
  readonly start: string;
  readonly end: string;
  /** Reads the field. */
  readonly of: Topic['of'];
}

/** The entries of a collection by the value of a field. */
export class FieldIndex {
  readonly #indexed: Indexed;
  readonly #byValue = new Map<string, Map<string, Entry>>();
  /** The value of each key, so that an entry's earlier version need not be decoded. */
  readonly #values = new Map<string, string>();
  #revision: Revision;

  private constructor(indexed: Indexed) {
    this.#indexed = indexed;
    this.#revision = indexed.storage.revision;
  }

  /** Reads the collection in steps. Writes between them are caught up with later. */
  static async of(indexed: Indexed): Promise<FieldIndex> {
    const index = new FieldIndex(indexed);
    const { storage, end } = indexed;
    for (let start: string | undefined = indexed.start; start !== undefined;) {
      const { entries, more } = storage.range({ start, end, limit: READ_AT_ONCE });
      for (const entry of entries) index.#put(entry);
      start = more ? `${entries.at(-1)?.key}\0` : undefined;
      if (more) await yieldToTasks();
    }
    return index;
  }

  /**
   * The result of the storage's `range` at the current revision, for a range within the collection, limited to entries with this value.
   * Throws CompactedError if the changes since the last use are no longer kept.
   */
  range(value: string, { start, end, limit = 0, filter }: Omit<Range, 'revision'>): RangeResult {
    this.#catchUp();
    const { storage } = this.#indexed;
    const found = [...(this.#byValue.get(value)?.values() ?? [])]
      .filter((entry) => entry.key >= start && entry.key < end && (filter?.(entry) ?? true))
      .sort((a, b) => (a.key < b.key ? -1 : 1));
    const entries = limit > 0 ? found.slice(0, limit) : found;
    const last = limit > 0 && entries.length === limit ? entries.at(-1) : undefined;
    const remaining = last ? storage.count(`${last.key}\0`, end) : 0;
    return { revision: this.#revision, entries, more: remaining > 0, remaining };
  }

  #catchUp(): void {
    const { storage, start, end } = this.#indexed;
    for (const { key, entry } of storage.changesSince(this.#revision)) {
      if (key < start || key >= end) continue;
      if (entry) this.#put(entry);
      else this.#drop(key);
    }
    this.#revision = storage.revision;
  }

  #put(entry: Entry): void {
    const { key } = entry;
    const value = this.#indexed.of(entry) ?? '';
    if (this.#values.get(key) !== value) this.#drop(key);
    this.#values.set(key, value);
    const entries = this.#byValue.get(value);
    if (entries) entries.set(key, entry);
    else this.#byValue.set(value, new Map([[key, entry]]));
  }

  #drop(key: string): void {
    const value = this.#values.get(key);
    if (value === undefined) return;
    this.#values.delete(key);
    const entries = this.#byValue.get(value);
    if (entries?.delete(key) && entries.size === 0) this.#byValue.delete(value);
  }
}

/** A field by which lists have selected. */
interface SelectedField {
  /** The real time of the last list, in milliseconds since the epoch. */
  used: number;
  index?: Promise<FieldIndex> | undefined;
}

/** By the function that reads the field, of which each server has one for each field. */
const selectedFields = new WeakMap<Topic['of'], SelectedField>();

/** The result of the storage's `range` at the current revision; undefined if no index can be used. */
export async function rangeByField(
  { storage, views }: Pick<Core, 'storage' | 'views'>,
  resource: Resource,
  fieldSelector: string,
  range: Range,
): Promise<RangeResult | undefined> {
  const selected = resource.custom ? undefined : selectedValue(resource, fieldSelector);
  if (!selected) return undefined;
  const of = topicOf(views, resource.hub, selected.field);
  const field = selectedFields.get(of);
  if (!field) {
    selectedFields.set(of, { used: hostTime.now() });
    dropUnused(of);
    return undefined;
  }
  field.used = hostTime.now();
  field.index ??= FieldIndex.of({ storage, ...collectionRange(resource.hub, ''), of });
  try {
    return (await field.index).range(selected.value, range);
  } catch (error) {
    field.index = undefined;
    if (error instanceof CompactedError) return undefined;
    throw error;
  }
}

/** Drops a field and its index when no list has used it for a while. */
function dropUnused(of: Topic['of']): void {
  const rest = (selectedFields.get(of)?.used ?? 0) + KEPT_FOR - hostTime.now();
  if (rest > 0) hostTime.schedule(() => dropUnused(of), rest);
  else selectedFields.delete(of);
}
