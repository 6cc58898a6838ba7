/** The objects of a cluster, indexed for questions about deleting them. */
import type { Names } from '../../names/index.ts';
import { groupOf, type ApiObject, type OwnerReference } from '../../schema/index.ts';
import { placeOf, type Place } from '../answer.ts';

/** An object that says of what kind it is. Its metadata is enough, but for pods, volumes and claims. */
export interface KnownObject extends ApiObject {
  apiVersion: string;
  kind: string;
}

export const placeOfObject = (object: KnownObject, field?: string): Place =>
  placeOf(object.apiVersion, object.kind, object, field);

export const uidOf = ({ metadata }: ApiObject): string => metadata.uid ?? '';

/** `ReplicaSet web-1`, as a sentence names an object. */
export const nameOf = ({ kind, metadata }: KnownObject): string => `${kind} ${metadata.name ?? ''}`;

/** No part but the last may hold a slash. */
const placeKey = (apiVersion: string, kind: string, namespace: string, name: string): string =>
  `${groupOf(apiVersion)}/${kind}/${namespace}/${name}`;

/** Whether the objects of a kind are in namespaces; undefined for a kind that nobody serves. */
export type ScopeOf = (group: string, kind: string) => 'Namespaced' | 'Cluster' | undefined;

/** Objects that have something in common, listed in the order in which they came. */
class Group {
  readonly #objects = new Map<string, KnownObject>();
  #list: readonly KnownObject[] | undefined;

  set(object: KnownObject): void {
    this.#objects.set(uidOf(object), object);
    this.#list = undefined;
  }

  remove(uid: string): void {
    this.#objects.delete(uid);
    this.#list = undefined;
  }

  get list(): readonly KnownObject[] {
    return (this.#list ??= [...this.#objects.values()]);
  }
}

/** What is found by a text: each object under those that `keysOf` names. */
class Index {
  readonly #groups = new Map<string, Group>();
  readonly #keysOf: (object: KnownObject) => readonly string[];

  constructor(keysOf: (object: KnownObject) => readonly string[]) {
    this.#keysOf = keysOf;
  }

  list(key: string): readonly KnownObject[] {
    return this.#groups.get(key)?.list ?? [];
  }

  set(object: KnownObject, old: KnownObject | undefined): void {
    const keys = this.#keysOf(object);
    if (old) for (const key of this.#keysOf(old)) if (!keys.includes(key)) this.#groups.get(key)?.remove(uidOf(old));
    for (const key of keys) {
      const group = this.#groups.get(key) ?? new Group();
      this.#groups.set(key, group);
      group.set(object);
    }
  }

  remove(object: KnownObject): void {
    for (const key of this.#keysOf(object)) this.#groups.get(key)?.remove(uidOf(object));
  }
}

const kindKey = (group: string, kind: string): string => `${group}/${kind}`;
const LEAVING = 'leaving';

/** All objects under what they are asked for by. */
class Indexes {
  readonly byUid = new Map<string, KnownObject>();
  readonly byPlace = new Index((object) => {
    const { namespace = '', name = '' } = object.metadata;
    return [placeKey(object.apiVersion, object.kind, namespace, name)];
  });
  readonly byNamespace = new Index(({ metadata: { namespace = '' } }) => (namespace === '' ? [] : [namespace]));
  readonly byKind = new Index(({ apiVersion, kind }) => [kindKey(groupOf(apiVersion), kind)]);
  readonly byOwner = new Index(({ metadata }) => (metadata.ownerReferences ?? []).map(({ uid }) => uid));
  readonly leaving = new Index(({ metadata }) => (metadata.deletionTimestamp === undefined ? [] : [LEAVING]));

  get #all(): readonly Index[] {
    return [this.byPlace, this.byNamespace, this.byKind, this.byOwner, this.leaving];
  }

  set(object: KnownObject): void {
    const old = this.byUid.get(uidOf(object));
    this.byUid.set(uidOf(object), object);
    for (const index of this.#all) index.set(object, old);
  }

  remove(uid: string): void {
    const object = this.byUid.get(uid);
    if (!object) return;
    this.byUid.delete(uid);
    for (const index of this.#all) index.remove(object);
  }
}

/**
 * The objects are kept as they change (`set`, `remove`), which costs what changes and not what there is. Whoever
 * compares worlds to see whether something changed is given a `next` one, which shares all of it.
 */
export class World {
  readonly names: Names;
  readonly #scopeOf: ScopeOf | undefined;
  readonly #indexes: Indexes;

  /** Without `scopeOf` every kind is taken for one that is served. */
  constructor(objects: readonly KnownObject[], names: Names, scopeOf?: ScopeOf, indexes = new Indexes()) {
    this.names = names;
    this.#scopeOf = scopeOf;
    this.#indexes = indexes;
    for (const object of objects) this.set(object);
  }

  set(object: KnownObject): void {
    this.#indexes.set(object);
  }

  remove(uid: string): void {
    this.#indexes.remove(uid);
  }

  next(): World {
    return new World([], this.names, this.#scopeOf, this.#indexes);
  }

  /** Takes as long as there are objects. */
  get objects(): readonly KnownObject[] {
    return [...this.#indexes.byUid.values()];
  }

  get(uid: string): KnownObject | undefined {
    return this.#indexes.byUid.get(uid);
  }

  find(apiVersion: string, kind: string, namespace: string, name: string): KnownObject | undefined {
    return this.#indexes.byPlace.list(placeKey(apiVersion, kind, namespace, name)).at(-1);
  }

  in(namespace: string): readonly KnownObject[] {
    return this.#indexes.byNamespace.list(namespace);
  }

  /** All objects of a kind; the core group's name is empty. */
  ofKind(group: string, kind: string): readonly KnownObject[] {
    return this.#indexes.byKind.list(kindKey(group, kind));
  }

  /** All that is being deleted. */
  get leaving(): readonly KnownObject[] {
    return this.#indexes.leaving.list(LEAVING);
  }

  /** Objects that name it as an owner. */
  dependentsOf(object: KnownObject): readonly KnownObject[] {
    return this.#indexes.byOwner.list(uidOf(object));
  }

  /** The owner that a reference means: beside the object or outside of namespaces; undefined where it names none. */
  ownerOf(object: KnownObject, { uid, apiVersion, kind, name }: OwnerReference): KnownObject | undefined {
    const owner = this.get(uid);
    if (!owner) return undefined;
    const { namespace = '' } = owner.metadata;
    const reachable = namespace === '' || namespace === object.metadata.namespace;
    const meant = groupOf(owner.apiVersion) === groupOf(apiVersion) && owner.kind === kind;
    return reachable && meant && owner.metadata.name === name ? owner : undefined;
  }

  /**
   * Whether the collector can look an owner up. It can't where nobody serves the kind, nor from an object outside of namespaces into one:
   * it then leaves the object alone, whatever becomes of its other owners.
   */
  canResolve({ metadata }: KnownObject, { apiVersion, kind }: OwnerReference): boolean {
    if (!this.#scopeOf) return true;
    const scope = this.#scopeOf(groupOf(apiVersion), kind);
    return scope !== undefined && (scope === 'Cluster' || (metadata.namespace ?? '') !== '');
  }
}
