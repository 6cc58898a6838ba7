/** The objects of a cluster, indexed for questions about deleting them. */
import type { Names } from '../../names/index.ts';
import type { ApiObject, OwnerReference } from '../../schema/index.ts';
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

const groupOf = (apiVersion: string): string => (apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '');

/** No part but the last may hold a slash. */
const placeKey = (apiVersion: string, kind: string, namespace: string, name: string): string =>
  `${groupOf(apiVersion)}/${kind}/${namespace}/${name}`;

/** Whether the objects of a kind are in namespaces; undefined for a kind that nobody serves. */
export type ScopeOf = (group: string, kind: string) => 'Namespaced' | 'Cluster' | undefined;

export class World {
  readonly names: Names;
  readonly objects: readonly KnownObject[];
  readonly #scopeOf: ScopeOf | undefined;
  readonly #byUid = new Map<string, KnownObject>();
  readonly #byPlace = new Map<string, KnownObject>();
  readonly #byNamespace = new Map<string, KnownObject[]>();
  readonly #byOwner = new Map<string, KnownObject[]>();

  /** Without `scopeOf` every kind is taken for one that is served. */
  constructor(objects: readonly KnownObject[], names: Names, scopeOf?: ScopeOf) {
    this.names = names;
    this.objects = objects;
    this.#scopeOf = scopeOf;
    for (const object of objects) this.#add(object);
  }

  get(uid: string): KnownObject | undefined {
    return this.#byUid.get(uid);
  }

  find(apiVersion: string, kind: string, namespace: string, name: string): KnownObject | undefined {
    return this.#byPlace.get(placeKey(apiVersion, kind, namespace, name));
  }

  in(namespace: string): readonly KnownObject[] {
    return this.#byNamespace.get(namespace) ?? [];
  }

  /** Objects that name it as an owner. */
  dependentsOf(object: KnownObject): readonly KnownObject[] {
    return this.#byOwner.get(uidOf(object)) ?? [];
  }

  /** The owner that a reference means: beside the object or outside of namespaces; undefined where it names none. */
  ownerOf(object: KnownObject, { uid, apiVersion, kind, name }: OwnerReference): KnownObject | undefined {
    const owner = this.#byUid.get(uid);
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

  #add(object: KnownObject): void {
    const { namespace = '', name = '' } = object.metadata;
    this.#byUid.set(uidOf(object), object);
    this.#byPlace.set(placeKey(object.apiVersion, object.kind, namespace, name), object);
    for (const { uid } of object.metadata.ownerReferences ?? []) push(this.#byOwner, uid, object);
    if (namespace !== '') push(this.#byNamespace, namespace, object);
  }
}

function push(lists: Map<string, KnownObject[]>, key: string, object: KnownObject): void {
  const list = lists.get(key);
  if (list) list.push(object);
  else lists.set(key, [object]);
}
