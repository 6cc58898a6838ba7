/** What belongs to an object: owners, dependants, what selects its pods, and what they use. */
import type { KnownObject, World } from '../../../explain/index.ts';
import { parseSelectorObject, selectorOfLabels, type LabelSelector } from '../../../schema/index.ts';
import { atOnce, isObject, type Steps } from '../../../std/index.ts';
import { asList, asRecord, asText, at } from '../../stores/jsonValues.ts';

export type Relation = 'owns' | 'selects' | 'uses' | 'scales' | 'binds';

export const relationWords: Readonly<Record<Relation, string>> = {
  owns: 'owns',
  selects: 'selects',
  uses: 'uses',
  scales: 'scales',
  binds: 'is bound to',
};

export interface Link {
  readonly from: KnownObject;
  readonly to: KnownObject;
  readonly relation: Relation;
}

export interface Relations {
  readonly objects: readonly KnownObject[];
  readonly links: readonly Link[];
}

const uidOf = ({ metadata }: KnownObject): string => metadata.uid ?? '';

/** Everything that belongs to `center`, at once. */
export const relationsOf = (center: KnownObject, world: World): Relations => atOnce(relationsInSteps(center, world));

/** So many objects are looked at in one step. */
const IN_ONE_STEP = 500;

/** Everything that belongs to `center`: up to its first owner, down to the last dependant, and what is tied to the pods among them. */
export function* relationsInSteps(center: KnownObject, world: World): Steps<Relations> {
  const family = familyOf(center, world);
  const links = new Map<string, Link>();
  const add = (from: KnownObject, to: KnownObject, relation: Relation): void =>
    void links.set(`${uidOf(from)}>${uidOf(to)}>${relation}`, { from, to, relation });
  let looked = 0;
  for (const object of family.values()) {
    if (++looked % IN_ONE_STEP === 0) yield;
    for (const reference of object.metadata.ownerReferences ?? []) {
      const owner = world.ownerOf(object, reference);
      if (owner && family.has(uidOf(owner))) add(owner, object, 'owns');
    }
    for (const used of usedBy(object, world)) add(object, used, 'uses');
    for (const volume of boundTo(object, world)) add(object, volume, 'binds');
  }
  for (const other of reachers(center.metadata.namespace ?? '', world)) {
    yield;
    for (const { to, relation } of reaching(other, family, world)) add(other, to, relation);
  }
  yield;
  const objects = new Map(family);
  for (const { from, to } of links.values()) for (const each of [from, to]) objects.set(uidOf(each), each);
  for (const claim of objects.values())
    for (const volume of boundTo(claim, world)) {
      add(claim, volume, 'binds');
      objects.set(uidOf(volume), volume);
    }
  return { objects: [...objects.values()], links: [...links.values()] };
}

/** The object, its owners' owners, and all dependants of it. */
function familyOf(center: KnownObject, world: World): Map<string, KnownObject> {
  const family = new Map([[uidOf(center), center]]);
  const climb = (object: KnownObject): void => {
    for (const reference of object.metadata.ownerReferences ?? []) {
      const owner = world.ownerOf(object, reference);
      if (!owner || family.has(uidOf(owner))) continue;
      family.set(uidOf(owner), owner);
      climb(owner);
    }
  };
  const descend = (object: KnownObject): void => {
    for (const dependent of world.dependentsOf(object)) {
      if (family.has(uidOf(dependent))) continue;
      family.set(uidOf(dependent), dependent);
      descend(dependent);
    }
  };
  climb(center);
  descend(center);
  return family;
}

const podSpecOf = ({ kind, spec }: KnownObject): unknown => (kind === 'Pod' ? spec : undefined);

/** What a pod mounts, reads its environment from, and runs as. */
function usedBy(object: KnownObject, world: World): readonly KnownObject[] {
  const spec = podSpecOf(object);
  if (!isObject(spec)) return [];
  const { namespace = '' } = object.metadata;
  const names = new Map<string, readonly [kind: string, name: string]>();
  const note = (kind: string, name: unknown): void => {
    if (typeof name === 'string' && name !== '') names.set(`${kind}/${name}`, [kind, name]);
  };
  for (const volume of asList(spec['volumes'])) {
    note('ConfigMap', at(volume, 'configMap', 'name'));
    note('Secret', at(volume, 'secret', 'secretName'));
    note('PersistentVolumeClaim', at(volume, 'persistentVolumeClaim', 'claimName'));
  }
  for (const container of [...asList(spec['containers']), ...asList(spec['initContainers'])]) {
    for (const source of asList(at(container, 'envFrom'))) {
      note('ConfigMap', at(source, 'configMapRef', 'name'));
      note('Secret', at(source, 'secretRef', 'name'));
    }
    for (const variable of asList(at(container, 'env'))) {
      note('ConfigMap', at(variable, 'valueFrom', 'configMapKeyRef', 'name'));
      note('Secret', at(variable, 'valueFrom', 'secretKeyRef', 'name'));
    }
  }
  if (spec['serviceAccountName'] !== 'default') note('ServiceAccount', spec['serviceAccountName']);
  return [...names.values()].flatMap(([kind, name]) => world.find('v1', kind, namespace, name) ?? []);
}

/** The volume that a claim is bound to. */
function boundTo({ kind, spec }: KnownObject, world: World): readonly KnownObject[] {
  if (kind !== 'PersistentVolumeClaim') return [];
  return [world.find('v1', 'PersistentVolume', '', asText(asRecord(spec)['volumeName']))].flatMap((o) => o ?? []);
}

type Selecting = (spec: Readonly<Record<string, unknown>>) => LabelSelector | undefined;

const selectors: Readonly<Record<string, Selecting>> = {
  NetworkPolicy: (spec) => spec['podSelector'] as LabelSelector | undefined,
  PodDisruptionBudget: (spec) => spec['selector'] as LabelSelector | undefined,
};

/** The objects of a namespace that select or scale others. */
const reachers = (namespace: string, world: World): readonly KnownObject[] =>
  REACHING.flatMap(([group, kind]) => world.ofKind(world.names.fill(group), kind)).filter(
    ({ metadata }) => metadata.namespace === namespace,
  );

const REACHING = [
  ['', 'Service'],
  ['networking.{domain}', 'NetworkPolicy'],
  ['policy', 'PodDisruptionBudget'],
  ['autoscaling', 'HorizontalPodAutoscaler'],
] as const;

/** What of the family another object selects or scales. */
function reaching(
  other: KnownObject,
  family: ReadonlyMap<string, KnownObject>,
  world: World,
): readonly { readonly to: KnownObject; readonly relation: Relation }[] {
  const spec = asRecord(other['spec']);
  if (other.kind === 'HorizontalPodAutoscaler') {
    const target = asRecord(spec['scaleTargetRef']);
    const { namespace = '' } = other.metadata;
    const to = world.find(asText(target['apiVersion']), asText(target['kind']), namespace, asText(target['name']));
    return to && family.has(uidOf(to)) ? [{ to, relation: 'scales' }] : [];
  }
  const matches = matcherOf(other.kind, spec);
  if (!matches) return [];
  return [...family.values()]
    .filter(({ kind, metadata }) => kind === 'Pod' && matches(metadata.labels))
    .map((to) => ({ to, relation: 'selects' as const }));
}

function matcherOf(
  kind: string,
  spec: Readonly<Record<string, unknown>>,
): ((labels: KnownObject['metadata']['labels']) => boolean) | undefined {
  if (kind === 'Service') {
    const labels = spec['selector'];
    if (!isObject(labels) || Object.keys(labels).length === 0) return undefined;
    const selector = selectorOfLabels(labels as Record<string, string>);
    return (given) => selector.matches(given);
  }
  const read = Object.hasOwn(selectors, kind) ? selectors[kind] : undefined;
  const selector = read && parseSelectorObject(read(spec));
  return selector && !('error' in selector) ? (given) => selector.matches(given) : undefined;
}
