/**
 * Lists that ask for one value of a field, as each node's agent asks for the pods of its node: the entries of a kind by that value. An
 * index is made when a field is asked for again within a while, follows changes when it is used, and goes when it is not.
 */
import type { Resource } from '../../schema/index.ts';
import { hostTime, yieldToTasks } from '../../std/index.ts';
import { CompactedError, type Entry, type Range, type RangeResult, type Revision } from '../../storage/index.ts';
import type { Core } from '../context.ts';
import { collectionRange } from './keys.ts';
import { selectedValue } from './selection.ts';
import { topicOf } from './topics.ts';

/** Milliseconds by the host's time, because an index is no part of the simulation. */
const KEPT_FOR = 30_000;
/** Entries that are read in one step. */
const READ_AT_ONCE = 1000;

type IndexedStorage = Pick<Core['storage'], 'revision' | 'range' | 'count' | 'changesSince'>;

interface Indexed {
  readonly storage: IndexedStorage;
  /** The collection: keys from `start` to `end`. */
  readonly start: string;
  readonly end: string;
  /** The value of the field. */
  readonly of: (entry: Entry) => string | undefined;
}

/** The entries of a collection by the value of a field. */
export class FieldIndex {
  readonly #indexed: Indexed;
  readonly #byValue = new Map<string, Map<string, Entry>>();
  /** By key, so that no former entry has to be decoded. */
  readonly #values = new Map<string, string>();
  #revision: Revision;

  private constructor(indexed: Indexed) {
    this.#indexed = indexed;
    this.#revision = indexed.storage.revision;
  }

  /** Reads the collection in steps, between which others may write. */
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

  /** As the storage's `range` of now, for a range within the collection, of entries with this value. Throws CompactedError if it is too far behind. */
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

/** A field that lists have asked for. */
interface Asked {
  /** By the host's time, in milliseconds. */
  at: number;
  index?: Promise<FieldIndex> | undefined;
}

const asked = new WeakMap<IndexedStorage, Map<string, Asked>>();

/** The range as the storage would read it now; undefined where no index helps. */
export async function rangeByField(
  { storage, views }: Pick<Core, 'storage' | 'views'>,
  resource: Resource,
  fieldSelector: string,
  range: Range,
): Promise<RangeResult | undefined> {
  const selected = resource.custom ? undefined : selectedValue(resource, fieldSelector);
  if (!selected) return undefined;
  const of = topicOf(views, resource.hub, selected.field);
  const fields = asked.get(storage) ?? new Map<string, Asked>();
  asked.set(storage, fields);
  const name = `${resource.hub.apiVersion} ${resource.hub.gvk.kind} ${selected.field}`;
  const field = fields.get(name);
  if (!field) {
    fields.set(name, { at: hostTime.now() });
    forgetLater(fields, name);
    return undefined;
  }
  field.at = hostTime.now();
  field.index ??= FieldIndex.of({ storage, ...collectionRange(resource.hub, ''), of });
  try {
    return (await field.index).range(selected.value, range);
  } catch (error) {
    field.index = undefined;
    if (error instanceof CompactedError) return undefined;
    throw error;
  }
}

/** Forgets a field, and its index, when nobody has asked for it for a while. */
function forgetLater(fields: Map<string, Asked>, name: string): void {
  const rest = (fields.get(name)?.at ?? 0) + KEPT_FOR - hostTime.now();
  if (rest > 0) hostTime.schedule(() => forgetLater(fields, name), rest);
  else fields.delete(name);
}
