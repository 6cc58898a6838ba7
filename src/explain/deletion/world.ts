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

const placeKey = (apiVersion: string, kind: string, namespace: string, name: string): string =>
  JSON.stringify([groupOf(apiVersion), kind, namespace, name]);

export class World {
  readonly names: Names;
  readonly objects: readonly KnownObject[];
  readonly #byUid = new Map<string, KnownObject>();
  readonly #byPlace = new Map<string, KnownObject>();
  readonly #byNamespace = new Map<string, KnownObject[]>();
  readonly #byOwner = new Map<string, KnownObject[]>();

  constructor(objects: readonly KnownObject[], names: Names) {
    this.names = names;
    this.objects = objects;
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
    const meant = owner.apiVersion === apiVersion && owner.kind === kind && owner.metadata.name === name;
    return reachable && meant ? owner : undefined;
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
