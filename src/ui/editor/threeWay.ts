/**
 * The patch of an apply: what the text says, without what an earlier apply said and this one no longer does. Fields of
 * others (defaults, status, what controllers write) stay as they are.
 */
import { getOwn, isObject } from '../../std/index.ts';

type Fields = Readonly<Record<string, unknown>>;

/** `strategic` merges lists whose items have a key; `merge` replaces every list. */
export type MergeForm = 'strategic' | 'merge';

/** The fields that tell the items of a list apart, as the API declares them; other lists are replaced as a whole. */
const itemKeys: Readonly<Record<string, readonly string[]>> = {
  containers: ['name'],
  initContainers: ['name'],
  volumes: ['name'],
  volumeMounts: ['mountPath'],
  volumeDevices: ['devicePath'],
  env: ['name'],
  ports: ['containerPort', 'port'],
  imagePullSecrets: ['name'],
  secrets: ['name'],
  hostAliases: ['ip'],
  topologySpreadConstraints: ['topologyKey'],
  webhooks: ['name'],
};

function keyOfItems(field: string, items: readonly Fields[]): string | undefined {
  return getOwn(itemKeys, field)?.find((key) => items.every((item) => getOwn(item, key) !== undefined));
}

const areObjects = (value: unknown): value is readonly Fields[] => Array.isArray(value) && value.every(isObject);

function patchItems(before: readonly Fields[], now: readonly Fields[], key: string): readonly unknown[] {
  const id = (item: Fields): unknown => getOwn(item, key);
  const earlier = new Map(before.map((item) => [id(item), item]));
  const kept = new Set(now.map(id));
  const removed = before.filter((item) => !kept.has(id(item)));
  return [
    ...now.map((item) => patchFields(earlier.get(id(item)) ?? {}, item, 'strategic')),
    ...removed.map((item) => ({ [key]: id(item), $patch: 'delete' })),
  ];
}

function patchValue(field: string, before: unknown, now: unknown, form: MergeForm): unknown {
  if (isObject(now)) return patchFields(isObject(before) ? before : {}, now, form);
  if (form === 'strategic' && areObjects(before) && areObjects(now)) {
    const key = keyOfItems(field, [...before, ...now]);
    if (key !== undefined) return patchItems(before, now, key);
  }
  return now;
}

/** The patch from what was applied before to what is applied now. A field that is gone is null, which removes it. */
export function patchFields(before: Fields, now: Fields, form: MergeForm): Fields {
  const removed = Object.keys(before).filter((field) => getOwn(now, field) === undefined);
  return Object.fromEntries([
    ...Object.entries(now).map(([field, value]) => [field, patchValue(field, getOwn(before, field), value, form)]),
    ...removed.map((field) => [field, null]),
  ]);
}
