import { keyOf, type Client, type Informer, type ResourceRef } from '../../client/index.ts';
import { apiVersionOf } from '../../client/index.ts';
import { controllerOf, isReason, type ApiObject, type Selector } from '../../schema/index.ts';
import type { Names } from '../../names/index.ts';
import type { OwnerReference } from '../../schema/index.ts';
import { untilSeen } from './writes.ts';

/** The reference by which `owner` manages what it creates. */
export function controllerReference(owner: ApiObject, ref: ResourceRef, names: Names): OwnerReference {
  const { name = '', uid = '' } = owner.metadata;
  return {
    apiVersion: apiVersionOf(ref, names),
    kind: ref.kind,
    name,
    uid,
    controller: true,
    blockOwnerDeletion: true,
  };
}

/** The managing owner as the cache has it; undefined where it is of another kind, gone, or a namesake. */
export function controllerIn<T extends ApiObject>(owners: Informer<T>, kind: string, object: ApiObject): T | undefined {
  const reference = controllerOf(object);
  if (reference?.kind !== kind) return undefined;
  const owner = owners.get(keyOf({ metadata: { namespace: object.metadata.namespace ?? '', name: reference.name } }));
  return owner?.metadata.uid === reference.uid ? owner : undefined;
}

/** Keys of the owner that manages an object; where nobody does, of all owners that may want to adopt it. */
export function ownersOf<T extends ApiObject, O extends ApiObject>(
  owners: Informer<T>,
  kind: string,
  object: O,
  mayWant: (owner: T, object: O) => boolean,
): string[] {
  const owner = controllerIn(owners, kind, object);
  if (owner || controllerOf(object)) return owner ? [keyOf(owner)] : [];
  const candidates = owners.by('namespace', object.metadata.namespace ?? '');
  return candidates.filter((candidate) => mayWant(candidate, object)).map(keyOf);
}

const CONTROLLER = 'controller';

/** Where objects are found whose managing owner has this uid; those of nobody under none. */
const placeOf = (namespace = '', uid = ''): string => `${namespace}/${uid}`;

/** Lets `claimableBy` find what an owner may claim. */
export function indexByController<T extends ApiObject>(cache: Pick<Informer<T>, 'addIndex'>): void {
  cache.addIndex(CONTROLLER, (object) => [placeOf(object.metadata.namespace, controllerOf(object)?.uid)]);
}

/** Of all objects in an owner's namespace, those that `planClaims` does not leave to others: its own, then nobody's. */
export function claimableBy<T extends ApiObject>(cache: Pick<Informer<T>, 'by'>, { metadata }: ApiObject): T[] {
  const own = cache.by(CONTROLLER, placeOf(metadata.namespace, metadata.uid));
  return [...own, ...cache.by(CONTROLLER, placeOf(metadata.namespace))];
}

export interface Claims<T> {
  /** Owned, and selected. */
  readonly held: readonly T[];
  /** Selected, and owned by nobody. */
  readonly adopt: readonly T[];
  /** Owned, but selected no longer. */
  readonly release: readonly T[];
}

/** Which objects an owner holds, which it should take, which it should let go. An owner that is being deleted only holds. */
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
  /** What is claimed. */
  readonly ref: ResourceRef<T>;
  readonly cache: Informer<T>;
  /** Who claims. */
  readonly owner: ApiObject;
  readonly ownerRef: ResourceRef;
}

/** Carries claims out; returns what the owner holds afterwards. */
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

/** Asks the server itself: an owner that was replaced under the same name must not take what its cache still offers. */
async function mayAdopt<T extends ApiObject>({ client, owner, ownerRef }: ClaimContext<T>): Promise<boolean> {
  const live = await client.of(ownerRef).get(owner.metadata.name ?? '', owner.metadata.namespace);
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
    await untilSeen(context.cache, patched, object);
    return patched;
  } catch (problem) {
    // Gone, or replaced by a namesake with another uid: nothing is left to claim.
    if (isReason(problem, 'NotFound') || isReason(problem, 'Invalid')) return undefined;
    throw problem;
  }
}
