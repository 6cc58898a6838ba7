import {
  identityOf,
  keyOf,
  nameOf,
  namespaceOf,
  type Client,
  type Informer,
  type ResourceRef,
} from '../../client/index.ts';
import { apiVersionOf } from '../../client/index.ts';
import { controllerOf, isReason, type ApiObject, type Selector } from '../../schema/index.ts';
import type { Names } from '../../names/index.ts';
import type { OwnerReference } from '../../schema/index.ts';
import { waitForCache } from './writes.ts';

/** The controller reference of `owner` for objects that it creates. */
export function controllerReference(owner: ApiObject, ref: ResourceRef, names: Names): OwnerReference {
  const { name, uid } = identityOf(owner);
  return {
    apiVersion: apiVersionOf(ref, names),
    kind: ref.kind,
    name,
    uid,
    controller: true,
    blockOwnerDeletion: true,
  };
}

/** The controller of an object from the cache; undefined if it has another kind, was deleted or replaced. */
export function controllerIn<T extends ApiObject>(owners: Informer<T>, kind: string, object: ApiObject): T | undefined {
  const reference = controllerOf(object);
  if (reference?.kind !== kind) return undefined;
  const owner = owners.get(keyOf({ metadata: { namespace: namespaceOf(object), name: reference.name } }));
  return owner?.metadata.uid === reference.uid ? owner : undefined;
}

/** The key of the controller of an object; without a controller, the keys of all owners that might adopt it. */
export function ownersOf<T extends ApiObject, O extends ApiObject>(
  owners: Informer<T>,
  kind: string,
  object: O,
  mayWant: (owner: T, object: O) => boolean,
): string[] {
  const owner = controllerIn(owners, kind, object);
  if (owner || controllerOf(object)) return owner ? [keyOf(owner)] : [];
  const candidates = owners.by('namespace', namespaceOf(object));
  return candidates.filter((candidate) => mayWant(candidate, object)).map(keyOf);
}

const CONTROLLER = 'controller';

/** The index value of objects with this controller uid; objects without a controller have an empty one. */
const placeOf = (namespace = '', uid = ''): string => `${namespace}/${uid}`;

/** Adds the index for `claimableBy`. */
export function indexByController<T extends ApiObject>(cache: Pick<Informer<T>, 'addIndex'>): void {
  cache.addIndex(CONTROLLER, (object) => [placeOf(object.metadata.namespace, controllerOf(object)?.uid)]);
}

/** The objects in an owner's namespace that `planClaims` considers: its own, then those without a controller. */
export function claimableBy<T extends ApiObject>(cache: Pick<Informer<T>, 'by'>, { metadata }: ApiObject): T[] {
  const own = cache.by(CONTROLLER, placeOf(metadata.namespace, metadata.uid));
  return [...own, ...cache.by(CONTROLLER, placeOf(metadata.namespace))];
}

export interface Claims<T> {
  /** Owned and selected. */
  readonly held: readonly T[];
  /** Selected, without a controller. */
  readonly adopt: readonly T[];
  /** Owned, but no longer selected. */
  readonly release: readonly T[];
}

/** Which objects an owner holds, adopts and releases. An owner that is being deleted neither adopts nor releases. */
export function planClaims<T extends ApiObject>(
  owner: ApiObject,
  selector: Selector,
  objects: readonly T[],
): Claims<T> {
  const held: T[] = [];
  const adopt: T[] = [];
  const release: T[] = [];
  const leaving = owner.metadata.deletionTimestamp !== undefined;
  for (const object of objects) {
    const reference = controllerOf(object);
    const selected = selector.matches(object.metadata.labels ?? {});
    if (reference && reference.uid !== owner.metadata.uid) continue;
    if (reference) (selected ? held : leaving ? [] : release).push(object);
    else if (selected && !leaving && object.metadata.deletionTimestamp === undefined) adopt.push(object);
  }
  return { held, adopt, release };
}

export interface ClaimContext<T extends ApiObject> {
  readonly client: Client;
  /** The claimed resource. */
  readonly ref: ResourceRef<T>;
  readonly cache: Pick<Informer<T>, 'until'>;
  /** The claiming owner. */
  readonly owner: ApiObject;
  readonly ownerRef: ResourceRef;
}

/** Performs claims; returns the objects that the owner then holds. */
export async function claim<T extends ApiObject>(
  context: ClaimContext<T>,
  selector: Selector,
  objects: readonly T[],
): Promise<T[]> {
  const claims = planClaims(context.owner, selector, objects);
  if (claims.adopt.length === 0 && claims.release.length === 0) return [...claims.held];
  for (const object of claims.release) await release(context, object);
  if (claims.adopt.length === 0 || !(await mayAdopt(context))) return [...claims.held];
  const adopted = await Promise.all(claims.adopt.map((object) => adopt(context, object)));
  return [...claims.held, ...adopted.filter((object) => object !== undefined)];
}

/**
 * Checks with the server: an owner that was replaced under the same name must not adopt objects from an outdated cache.
 */
async function mayAdopt<T extends ApiObject>({ client, owner, ownerRef }: ClaimContext<T>): Promise<boolean> {
  const live = await client.of(ownerRef).get(nameOf(owner), owner.metadata.namespace);
  return live.metadata.uid === owner.metadata.uid && live.metadata.deletionTimestamp === undefined;
}

async function adopt<T extends ApiObject>(context: ClaimContext<T>, object: T): Promise<T | undefined> {
  const reference = controllerReference(context.owner, context.ownerRef, context.client.names);
  const body = { metadata: { ownerReferences: [reference], uid: object.metadata.uid } };
  return patchUnlessGone(context, object, body);
}

async function release<T extends ApiObject>(context: ClaimContext<T>, object: T): Promise<void> {
  const reference = { $patch: 'delete', uid: context.owner.metadata.uid };
  await patchUnlessGone(context, object, { metadata: { ownerReferences: [reference], uid: object.metadata.uid } });
}

async function patchUnlessGone<T extends ApiObject>(
  context: ClaimContext<T>,
  object: T,
  body: unknown,
): Promise<T | undefined> {
  try {
    const patched = await context.client.of(context.ref).patch(object, 'strategic', body);
    await waitForCache(context.cache, patched, object);
    return patched;
  } catch (problem) {
    // Deleted, or replaced by an object with another uid: there is nothing to claim.
    if (isReason(problem, 'NotFound') || isReason(problem, 'Invalid')) return undefined;
    throw problem;
  }
}
