import type { OwnerReference } from './objectMeta.ts';

interface Owned {
  readonly metadata?: { readonly ownerReferences?: readonly OwnerReference[] };
}

/** The owner that manages an object, if it has one. At most one of an object's owners does. */
export function controllerOf(object: Owned): OwnerReference | undefined {
  return object.metadata?.ownerReferences?.find(({ controller }) => controller);
}

/** Whether `owner` manages `object`. */
export function isControlledBy(object: Owned, owner: { readonly metadata: { readonly uid?: string } }): boolean {
  const uid = controllerOf(object)?.uid;
  return uid !== undefined && uid === owner.metadata.uid;
}
