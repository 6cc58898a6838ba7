import type { Names } from '../names/index.ts';
import type { ApiObject, ObjectMeta } from '../schema/index.ts';

declare const phantom: unique symbol;

/**
 * A resource in one version. `group` may contain placeholders of the naming profile; `T` is the type of its objects.
 */
export interface ResourceRef<T extends ApiObject = ApiObject> {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly [phantom]?: T;
}

/** What a client sends to create an object; the server sets the rest. */
export type Draft<T> = T extends object
  ? { [K in keyof T]?: K extends 'metadata' ? Partial<ObjectMeta> : Draft<T[K]> }
  : T;

/** `v1`, `apps/v1`: the value of an object's `apiVersion`. */
export function apiVersionOf(ref: ResourceRef, names: Names): string {
  return ref.group === '' ? ref.version : `${names.fill(ref.group)}/${ref.version}`;
}

/** An object, as far as it says where it is. */
interface Located {
  readonly metadata: { readonly namespace?: string; readonly name?: string; readonly uid?: string };
}

/** The name of an object that a server has stored; it has one always. */
export const nameOf = ({ metadata }: Located): string => metadata.name ?? '';

/** The namespace of an object; empty for cluster-scoped ones. */
export const namespaceOf = ({ metadata }: Located): string => metadata.namespace ?? '';

/** The uid of an object that a server has stored; it has one always. */
export const uidOf = ({ metadata }: Located): string => metadata.uid ?? '';

/** Where an object is and which one of that name it is. */
export const identityOf = (
  object: Located,
): { readonly namespace: string; readonly name: string; readonly uid: string } => ({
  namespace: namespaceOf(object),
  name: nameOf(object),
  uid: uidOf(object),
});

/** `namespace/name`, or just the name for cluster-scoped objects: the key in caches and queues. */
export function keyOf(object: Located): string {
  const { namespace } = object.metadata;
  return namespace ? `${namespace}/${nameOf(object)}` : nameOf(object);
}

/** The inverse of `keyOf`. */
export function splitKey(key: string): { readonly namespace: string; readonly name: string } {
  const slash = key.indexOf('/');
  return slash < 0 ? { namespace: '', name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

/** URL path of a collection, of one object, or of its subresource. */
export function pathOf(ref: ResourceRef, names: Names, namespace = '', name = '', subresource = ''): string {
  const base = ref.group === '' ? `/api/${ref.version}` : `/apis/${names.fill(ref.group)}/${ref.version}`;
  const scope = ref.namespaced && namespace !== '' ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  const object = name === '' ? '' : `/${encodeURIComponent(name)}`;
  return `${base}${scope}/${ref.resource}${object}${subresource === '' ? '' : `/${subresource}`}`;
}
