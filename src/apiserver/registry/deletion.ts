/**
 * Deletion, as in the reference's generic registry: grace, finalizers, propagation (specification, States and
 * transitions).
 */
import {
  field,
  rulesOf,
  status,
  type ApiObject,
  type DependentsPolicy,
  type FieldError,
  type Resource,
} from '../../schema/index.ts';
import { deepEqual, isObject, yieldToTasks, rfc3339 } from '../../std/index.ts';
import type { Entry } from '../../storage/index.ts';
import type { ResourceContext } from './registry.ts';
import type { DeleteOptions, ValidateDelete } from './deleteOptions.ts';
import { retryUntilWritten } from './retryQueue.ts';
import { metaKind, validateDryRun } from './query.ts';
import type { Removal } from './registry.ts';
import { normalize, putOp, remove, storedForm, unstored } from './store.ts';
import { groupResource } from './preconditions.ts';

const POLICIES = ['Background', 'Foreground', 'Orphan'] as const;

/** Throws 422 for contradictory or unknown options. */
export function validateDeleteOptions(options: DeleteOptions, domain: string): void {
  const errors: FieldError[] = [];
  const { propagationPolicy: policy } = options;
  if (policy !== undefined && options.orphanDependents !== undefined)
    errors.push(
      field.invalid('propagationPolicy', policy, 'orphanDependents and deletionPropagation cannot be both set'),
    );
  if (policy !== undefined && !POLICIES.some((p) => p === policy))
    errors.push(field.notSupported('propagationPolicy', policy, [...POLICIES, 'nil']));
  errors.push(...validateDryRun(options.dryRun ?? []));
  if (errors.length > 0) throw status.invalid(metaKind('DeleteOptions', domain), '', errors);
}

export const ORPHAN = 'orphan';
export const FOREGROUND = 'foregroundDeletion';

/** Deletes one object or marks it for deletion. Throws 404, 409. */
export async function deleteObject(
  context: ResourceContext,
  resource: Resource,
  name: string,
  options: DeleteOptions,
  validate: ValidateDelete,
): Promise<Removal> {
  const removal = await retryUntilWritten(context, resource, name, async (entry) => {
    if (!entry) throw status.notFound(groupResource(resource), name);
    return attempt(context, resource, entry, options, validate);
  });
  if (!removal)
    throw status.conflict(groupResource(resource), name, 'the object kept changing while it was being deleted');
  return removal;
}

async function attempt(
  context: ResourceContext,
  resource: Resource,
  entry: Entry,
  options: DeleteOptions,
  validate: ValidateDelete,
): Promise<Removal | undefined> {
  const { server } = context;
  const existing = server.views.of(entry, resource.hub).object;
  checkPreconditions(resource, existing, options);
  const behaviour = server.registry.behaviour(resource);
  const special = await behaviour?.remove?.(existing, options, context, resource, validate);
  if (special) return special;
  const object = { ...existing, metadata: { ...existing.metadata } };
  const now = server.clock.now();
  const grace = markGraceful(resource, object, options, now);
  if (grace === 'pending') return { object: existing, view: (r) => server.views.of(entry, r), deleted: false };
  if (context.isLarge) await yieldToTasks();
  await validate(existing);
  if (context.isLarge) await yieldToTasks();
  const finalizers = setFinalizers(context, resource, object, options);
  const waits = (object.metadata.finalizers ?? []).length > 0;
  if (grace === 'none' && waits) markDeleting(object, now);
  if (waits || (grace === 'graceful' && (object.metadata.deletionGracePeriodSeconds ?? 0) > 0))
    return mark(context, resource, entry, object, options);
  if (grace === 'none' && !finalizers) return erase(context, resource, entry, existing, options);
  if (isDryRun(options)) return erase(context, resource, entry, normalize(context, resource, object), options);
  // The marked object is stored first: watchers of a pod that is deleted at once see it terminating before it is gone.
  return eraseMarked(context, resource, entry, object, options);
}

function checkPreconditions(resource: Resource, existing: ApiObject, options: DeleteOptions): void {
  const { uid, resourceVersion } = options.preconditions ?? {};
  const name = existing.metadata.name ?? '';
  const group = resource.declaration.errorGroup ?? resource.hub.gvk.group;
  const target = { group, resource: resource.hub.gvk.kind };
  if (uid !== undefined && uid !== existing.metadata.uid) {
    throw status.conflict(
      target,
      name,
      `the UID in the precondition (${uid}) does not match the UID in record (${existing.metadata.uid ?? ''}). The object might have been deleted and then recreated`,
    );
  }
  if (resourceVersion !== undefined && resourceVersion !== existing.metadata.resourceVersion) {
    throw status.conflict(
      target,
      name,
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${existing.metadata.resourceVersion ?? ''}). The object might have been modified`,
    );
  }
}

/** Marks kinds with a grace period (pods) first; `pending` means already marked, with a period that is not longer. */
function markGraceful(
  resource: Resource,
  object: ApiObject,
  options: DeleteOptions,
  now: number,
): 'none' | 'graceful' | 'pending' {
  const rule = rulesOf(resource.declaration)?.gracePeriod;
  if (!rule) return 'none';
  const { metadata } = object;
  if (metadata.deletionTimestamp !== undefined) return shorten(object, options.gracePeriodSeconds);
  const period = rule(object, options.gracePeriodSeconds);
  if (period === undefined) return 'none';
  metadata.deletionTimestamp = rfc3339(now + period * 1000);
  metadata.deletionGracePeriodSeconds = period;
  if ((metadata.generation ?? 0) > 0) metadata.generation = (metadata.generation ?? 0) + 1;
  return 'graceful';
}

function shorten({ metadata }: ApiObject, requested: number | undefined): 'none' | 'graceful' | 'pending' {
  const current = metadata.deletionGracePeriodSeconds ?? 0;
  if (current === 0) return 'none';
  if (requested === undefined || requested >= current) return 'pending';
  metadata.deletionTimestamp = rfc3339(Date.parse(metadata.deletionTimestamp ?? '') + (requested - current) * 1000);
  metadata.deletionGracePeriodSeconds = requested;
  return 'graceful';
}

/**
 * Adds and removes the garbage collector's finalizers according to the policy, if there is a collector; returns whether
 * the list changed.
 */
function setFinalizers(
  context: ResourceContext,
  resource: Resource,
  object: ApiObject,
  options: DeleteOptions,
): boolean {
  if (context.server.flag('enable-garbage-collector') === 'false') return false;
  const current = object.metadata.finalizers ?? [];
  const policy = dependentsOf(context, resource) === 'unsupported' ? '' : policyOf(context, resource, current, options);
  const next = current.filter((f) => f !== ORPHAN && f !== FOREGROUND);
  if (policy === 'Orphan') next.push(ORPHAN);
  if (policy === 'Foreground') next.push(FOREGROUND);
  if (new Set([...current, ...next]).size === current.length && next.length === current.length) return false;
  if (next.length > 0) object.metadata.finalizers = next;
  else delete object.metadata.finalizers;
  return true;
}

/** The requested policy, then an existing finalizer, then the kind's default. */
function policyOf(
  context: ResourceContext,
  resource: Resource,
  finalizers: readonly string[],
  options: DeleteOptions,
): string {
  if (options.orphanDependents !== undefined) return options.orphanDependents ? 'Orphan' : 'Background';
  if (options.propagationPolicy !== undefined) return options.propagationPolicy;
  if (finalizers.includes(ORPHAN)) return 'Orphan';
  if (finalizers.includes(FOREGROUND)) return 'Foreground';
  return dependentsOf(context, resource) === 'orphan' ? 'Orphan' : 'Background';
}

function dependentsOf({ info }: ResourceContext, resource: Resource): DependentsPolicy {
  const rule = rulesOf(resource.declaration)?.dependents ?? 'background';
  return typeof rule === 'function' ? rule({ group: info.group, version: info.version }) : rule;
}

function markDeleting({ metadata }: ApiObject, now: number): void {
  if (metadata.deletionTimestamp === undefined && (metadata.generation ?? 0) > 0)
    metadata.generation = (metadata.generation ?? 0) + 1;
  if (metadata.deletionTimestamp === undefined || Date.parse(metadata.deletionTimestamp) > now)
    metadata.deletionTimestamp = rfc3339(now);
  metadata.deletionGracePeriodSeconds = 0;
}

const isDryRun = (options: DeleteOptions): boolean => (options.dryRun ?? []).length > 0;

async function mark(
  context: ResourceContext,
  resource: Resource,
  entry: Entry,
  object: ApiObject,
  options: DeleteOptions,
): Promise<Removal | undefined> {
  const { server } = context;
  const current = server.views.of(entry, resource.hub).object;
  const marked = normalize(context, resource, object, current);
  if (isDryRun(options)) return { ...unstored(context, marked, false), deleted: false };
  if (deepEqual(marked, current)) return { object: current, view: (r) => server.views.of(entry, r), deleted: false };
  const form = await storedForm(context, resource, marked);
  const put = putOp(context, resource, entry.key, form, entry.revision);
  const result = await server.storage.commit([put], { frees: true });
  if (!result.ok) return undefined;
  const written = result.entries[0] as Entry;
  await server.views.ready([written], resource);
  return {
    object: server.views.of(written, resource.hub).object,
    view: (r) => server.views.of(written, r),
    deleted: false,
  };
}

async function eraseMarked(
  context: ResourceContext,
  resource: Resource,
  entry: Entry,
  object: ApiObject,
  options: DeleteOptions,
): Promise<Removal | undefined> {
  const { server } = context;
  if (!(await mark(context, resource, entry, object, options))) return undefined;
  const marked = server.storage.get(entry.key);
  if (marked) await server.views.ready([marked], resource);
  return marked && erase(context, resource, marked, server.views.of(marked, resource.hub).object, options);
}

async function erase(
  context: ResourceContext,
  resource: Resource,
  entry: Entry,
  object: ApiObject,
  options: DeleteOptions,
): Promise<Removal | undefined> {
  if (!isDryRun(options) && !(await remove(context, resource, entry, object))) return undefined;
  return { ...unstored(context, object, false), deleted: true };
}

/** DeleteOptions from a decoded body. */
export function readDeleteOptions(value: unknown): DeleteOptions {
  return isObject(value) ? (value as DeleteOptions) : {};
}
