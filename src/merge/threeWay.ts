/**
 * The patch of an apply: values that a manifest sets and the object lacks, and null for values that an earlier apply
 * set and this one omits. Other fields (defaults, status, fields of controllers) stay unchanged.
 */
import { deepEqual, getOwn, isObject } from '../std/index.ts';

type Fields = Readonly<Record<string, unknown>>;

/** `strategic` merges lists whose items have a key; `merge` replaces every list. */
export type MergeForm = 'strategic' | 'merge';

/** The three states from which a patch is computed. */
interface Three<T> {
  /** The manifest of the last apply. */
  readonly before: T;
  /** The manifest of this apply. */
  readonly now: T;
  /** The live object. */
  readonly live: T;
}

/** The fields that identify the items of a list, as the API declares them; other lists are replaced as a whole. */
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
  ownerReferences: ['uid'],
  topologySpreadConstraints: ['topologyKey'],
  webhooks: ['name'],
};

/** Lists of strings that the server merges: a patch has to name removed strings. */
export const textLists: readonly string[] = ['finalizers'];

/**
 * The patch that an apply sends for an existing object. Empty if there is nothing to change. `before`: the last
 * manifest, `now`: this manifest, `live`: the object.
 */
export const threeWayPatch = (before: Fields, now: Fields, live: Fields, form: MergeForm): Fields =>
  patchFields({ before, now, live }, form);

function patchFields({ before, now, live }: Three<Fields>, form: MergeForm): Fields {
  const removed = Object.keys(before).filter(
    (field) => getOwn(now, field) === undefined && getOwn(live, field) !== undefined,
  );
  return Object.fromEntries([
    ...Object.keys(now).flatMap((field) => {
      const three = { before: getOwn(before, field), now: getOwn(now, field), live: getOwn(live, field) };
      return patchField(field, three, form);
    }),
    ...removed.map((field) => [field, null] as const),
  ]);
}

type Entries = readonly (readonly [string, unknown])[];

/** The patch of one field; empty if it does not change. */
function patchField(field: string, { before, now, live }: Three<unknown>, form: MergeForm): Entries {
  if (now === null || now === undefined) return live === null || live === undefined ? [] : [[field, null]];
  if (isObject(now) && isObject(live)) {
    const patch = patchFields({ before: isObject(before) ? before : {}, now, live }, form);
    return Object.keys(patch).length === 0 ? [] : [[field, patch]];
  }
  if (form === 'strategic' && Array.isArray(now) && Array.isArray(live)) {
    const three = { before: Array.isArray(before) ? (before as unknown[]) : [], now, live };
    const entries = patchList(field, three);
    if (entries) return entries;
  }
  return deepEqual(now, live) ? [] : [[field, now]];
}

/** Undefined for lists that are replaced as a whole. */
function patchList(field: string, three: Three<readonly unknown[]>): Entries | undefined {
  if (textLists.includes(field)) return patchTexts(field, three);
  const { before, now, live } = three;
  if (!areObjects(before) || !areObjects(now) || !areObjects(live)) return undefined;
  const key = keyOfItems(field, [...before, ...now, ...live]);
  return key === undefined ? undefined : patchItems(field, { before, now, live }, key);
}

export const areObjects = (value: readonly unknown[]): value is readonly Fields[] => value.every(isObject);

/** The field that identifies the items of a list; undefined for a list that is replaced as a whole. */
export function keyOfItems(field: string, items: readonly Fields[]): string | undefined {
  return getOwn(itemKeys, field)?.find((key) => items.every((item) => getOwn(item, key) !== undefined));
}

function patchTexts(field: string, { before, now, live }: Three<readonly unknown[]>): Entries {
  const gone = before.filter((each) => !now.includes(each) && live.includes(each));
  const come = now.filter((each) => !live.includes(each));
  return [
    ...(gone.length > 0 ? [[`$deleteFromPrimitiveList/${field}`, gone] as const] : []),
    ...(come.length > 0 ? [[field, come] as const] : []),
    ...(gone.length + come.length > 0 ? [[`$setElementOrder/${field}`, now] as const] : []),
  ];
}

function patchItems(field: string, { before, now, live }: Three<readonly Fields[]>, key: string): Entries {
  const id = (item: Fields): unknown => getOwn(item, key);
  const byId = (items: readonly Fields[]): ReadonlyMap<unknown, Fields> =>
    new Map(items.map((item) => [id(item), item]));
  const [earlier, present] = [byId(before), byId(live)];
  const kept = new Set(now.map(id));
  const changed = now.flatMap((item) => {
    const at = present.get(id(item));
    if (!at) return [item];
    const patch = patchFields({ before: earlier.get(id(item)) ?? {}, now: item, live: at }, 'strategic');
    return Object.keys(patch).length === 0 ? [] : [{ ...patch, [key]: id(item) }];
  });
  const removed = before.filter((item) => !kept.has(id(item)) && present.has(id(item)));
  const patch = [...changed, ...removed.map((item) => ({ $patch: 'delete', [key]: id(item) }))];
  const order = [...present.keys()].filter((each) => kept.has(each));
  if (patch.length === 0 && deepEqual(order, now.map(id))) return [];
  return [
    [`$setElementOrder/${field}`, now.map((item) => ({ [key]: id(item) }))],
    ...(patch.length > 0 ? [[field, patch] as const] : []),
  ];
}
