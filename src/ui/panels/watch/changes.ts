/** What changed between two versions of an object, in a line. */
import { getOwn, isObject } from '../../../std/index.ts';

/** They change with every write and say nothing about it. */
const SILENT = new Set(['metadata.resourceVersion', 'metadata.managedFields', 'metadata.generation']);
const LONGEST = 40;
/** Beyond so many nobody reads on. */
const MOST = 60;

export interface FieldChange {
  /** As in `status.phase`, `status.conditions[Ready].status`. */
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** By what the items of a list are told apart, where all of them say it. */
function keyOfItems(items: readonly unknown[]): string | undefined {
  return ['name', 'type', 'ip', 'key', 'port'].find((key) => {
    const values = items.map((item) => (isObject(item) ? getOwn(item, key) : undefined));
    return values.every((value) => value !== undefined) && new Set(values).size === values.length;
  });
}

function partsOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (isObject(value)) return new Map(Object.entries(value).map(([key, part]) => [`.${key}`, part]));
  if (!Array.isArray(value)) return undefined;
  const key = keyOfItems(value);
  return new Map(
    value.map((item, at): [string, unknown] => [`[${key && isObject(item) ? String(getOwn(item, key)) : at}]`, item]),
  );
}

function* differences(field: string, before: unknown, after: unknown): Generator<FieldChange> {
  if (SILENT.has(field) || before === after) return;
  const [old, now] = [partsOf(before), partsOf(after)];
  if (!old || !now) {
    if (JSON.stringify(before) !== JSON.stringify(after)) yield { field, before, after };
    return;
  }
  for (const key of new Set([...old.keys(), ...now.keys()])) {
    const path = field === '' && key.startsWith('.') ? key.slice(1) : `${field}${key}`;
    yield* differences(path, old.get(key), now.get(key));
  }
}

/** The fields that differ, those first that tell most: what is first said of an object stands at its end. */
export function changesBetween(before: unknown, after: unknown): readonly FieldChange[] {
  const found: FieldChange[] = [];
  for (const change of differences('', before, after)) if (found.push(change) >= MOST) break;
  return found.sort((a, b) => weight(a) - weight(b));
}

/** Times accompany what happened; they are not what happened. */
const weight = ({ field }: FieldChange): number => (/Time(stamp)?$/.test(field) ? 1 : 0);

function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** `status.phase Pending → Running`, `+ spec.nodeName node-1`, `− metadata.finalizers ["x"]`. */
export function changeText({ field, before, after }: FieldChange): string {
  if (before === undefined) return `+ ${field} ${valueText(after)}`;
  if (after === undefined) return `− ${field} ${valueText(before)}`;
  return `${field} ${valueText(before)} → ${valueText(after)}`;
}
