/** The owners of fields: the parsed `metadata.managedFields`. */
import type { ApiObject, ManagedFieldsEntry } from '../../schema/index.ts';
import { isObject } from '../../std/index.ts';
import type { FieldSet } from './fieldSet.ts';
import { decodeFields, encodeFields } from './fieldsV1.ts';

/** One entry. */
export interface Owner {
  readonly manager: string;
  readonly operation: string;
  readonly apiVersion: string;
  /** When its set last changed, as RFC 3339 text. */
  readonly time: string | undefined;
  readonly fields: FieldSet;
}

/** Owners by identity (see `identify`). */
export type Owners = ReadonlyMap<string, Owner>;

/** Thrown for an invalid entry. */
export class OwnersError extends Error {
  override name = 'OwnersError';
}

export const APPLY = 'Apply';
export const UPDATE = 'Update';

/** An applier is one owner for all versions; an updater is one for each version. */
export function identify(owner: Pick<Owner, 'manager' | 'operation' | 'apiVersion'>): string {
  return [owner.manager, owner.operation, owner.operation === APPLY ? '' : owner.apiVersion].join('\n');
}

/** Decoding drops empty lists. An empty list of managedFields in a request resets ownership, so it is restored. */
export function keepEmptyOwners(object: ApiObject, raw: unknown): void {
  const metadata = isObject(raw) ? raw['metadata'] : undefined;
  const entries = isObject(metadata) ? metadata['managedFields'] : undefined;
  if (Array.isArray(entries) && entries.length === 0) object.metadata.managedFields = [];
}

/** Parses entries; the last of several entries of one owner applies. Throws OwnersError. */
export function decodeOwners(entries: unknown): Map<string, Owner> {
  const owners = new Map<string, Owner>();
  if (!Array.isArray(entries)) return owners;
  for (const entry of entries) {
    const owner = decodeOwner(isObject(entry) ? entry : {});
    owners.set(identify(owner), owner);
  }
  return owners;
}

function decodeOwner(entry: ManagedFieldsEntry): Owner {
  if (entry.fieldsType !== 'FieldsV1')
    throw new OwnersError(`invalid fieldsType ${JSON.stringify(entry.fieldsType ?? '')}`);
  const { manager = '', operation = '', apiVersion = '', time } = entry;
  try {
    return { manager, operation, apiVersion, time, fields: decodeFields(entry.fieldsV1 ?? {}) };
  } catch (error) {
    throw new OwnersError(`fields of ${manager}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Serializes entries: appliers first, then by time, oldest first. Undefined if there are none. */
export function encodeOwners(owners: Owners): ManagedFieldsEntry[] | undefined {
  if (owners.size === 0) return undefined;
  const sorted = [...owners.values()];
  return sorted.sort(compareOwners).map(encodeOwner);
}

function encodeOwner({ manager, operation, apiVersion, time, fields }: Owner): ManagedFieldsEntry {
  const entry: ManagedFieldsEntry = {};
  if (manager !== '') entry.manager = manager;
  if (operation !== '') entry.operation = operation;
  if (apiVersion !== '') entry.apiVersion = apiVersion;
  if (time !== undefined) entry.time = time;
  entry.fieldsType = 'FieldsV1';
  entry.fieldsV1 = encodeFields(fields);
  return entry;
}

function compareOwners(a: Owner, b: Owner): number {
  return (
    compareText(a.operation, b.operation) ||
    secondsOf(a) - secondsOf(b) ||
    compareText(a.manager, b.manager) ||
    compareText(a.apiVersion, b.apiVersion)
  );
}

/** Seconds since the epoch; 0 without a time. */
export function secondsOf({ time }: Owner): number {
  const milliseconds = Date.parse(time ?? '');
  return Number.isNaN(milliseconds) ? 0 : Math.floor(milliseconds / 1000);
}

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Caches the last second and its text, because most writes share one. */
const last = { second: NaN, text: '' };

/** A time in the format of entries. */
export function timeText(milliseconds: number): string {
  const second = Math.floor(milliseconds / 1000);
  if (second !== last.second) {
    last.text = `${new Date(second * 1000).toISOString().slice(0, 19)}Z`;
    last.second = second;
  }
  return last.text;
}
