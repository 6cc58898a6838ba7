/**
 * Create and update, as in the reference's generic registry: preparation, metadata, validation, admission,
 * compare-and-set. Objects are in the hub version.
 */
import {
  meta,
  rulesOf,
  status,
  StatusError,
  type ApiObject,
  type FieldErrors,
  type Resource,
} from '../../schema/index.ts';
import { clone, rfc3339, getOwn, setOwn, yieldToTasks } from '../../std/index.ts';
import type { Entry } from '../../storage/index.ts';
import { ruleContext } from '../context.ts';
import { keepGeneration, keepSystemMetadata, resetSystemMetadata, type GenerationRule } from './metadata.ts';
import { objectKey } from './keys.ts';
import { MAX_ATTEMPTS, retryUntilWritten } from './retryQueue.ts';
import { checkUid, groupResource, OPTIMISTIC, requireNumber, versionCheck } from './preconditions.ts';
import type { ResourceContext, ResourceServer, Undo, Written } from './registry.ts';
import {
  Overtaken,
  dryRunResult,
  isUnchanged,
  normalize,
  remove,
  shownAs,
  store,
  storedForm,
  unstored,
} from './store.ts';

/** `object`, `status`, or the name of another subresource that takes the object itself. */
export type WriteMode = string;

/** Validating admission before storage; `old` is undefined for a create. */
export type Validate = (object: ApiObject, old: ApiObject | undefined) => Promise<void> | void;

export interface CreateOptions {
  /** The part that the request writes; only a write of the object itself allocates (such as addresses). */
  readonly mode: WriteMode;
  readonly dryRun: boolean;
  readonly validate: Validate;
}

/** Stores a new object. Throws 409 if the name exists, 422 for an invalid object. May modify `object`. */
export async function createObject(
  context: ResourceContext,
  resource: Resource,
  object: ApiObject,
  options: CreateOptions,
): Promise<Written> {
  const { server } = context;
  if (options.mode === 'object') await server.registry.behaviour(resource)?.guard?.(object, undefined, context);
  prepareNew(context, resource, object);
  server.specs.share(resource, object);
  if (context.isLarge) await yieldToTasks();
  requireValid(context, resource, object, meta.checkCreate(resource, object, ruleContext(context)));
  if (context.isLarge) await yieldToTasks();
  if (!server.storage.shared) return createClaimed(context, resource, object, options);
  const claims = server.registry.behaviour(resource)?.claim !== undefined;
  for (let tries = 0; ; tries++) {
    try {
      // Only a claim modifies the object; then the next attempt starts with the original.
      return await createClaimed(context, resource, claims ? clone(object) : object, options);
    } catch (error) {
      if (!(error instanceof Overtaken) || tries >= MAX_ATTEMPTS) throw error;
      await server.storage.fresh();
    }
  }
}

/** Allocates what a new object needs, runs validating admission, and stores it. */
async function createClaimed(
  context: ResourceContext,
  resource: Resource,
  object: ApiObject,
  { mode, dryRun, validate }: CreateOptions,
): Promise<Written> {
  const { server } = context;
  const { hub } = resource;
  const behaviour = mode === 'object' ? server.registry.behaviour(resource) : undefined;
  const undo = await behaviour?.claim?.(object, undefined, context, dryRun);
  await orUndo(undo, async () => {
    checkClaimed(resource, object);
    const admitting = validate(object, undefined);
    if (admitting) await admitting;
    if (!dryRun && /^0*[1-9]\d*$/.test(object.metadata.resourceVersion ?? ''))
      throw unexpected('resourceVersion should not be set on objects to be created');
  });
  const key = objectKey(hub, object.metadata.namespace ?? '', object.metadata.name ?? '');
  const taken = (by: Entry | undefined): Error => nameTaken(context, resource, object, by);
  if (dryRun) {
    undo?.();
    const other = server.storage.get(key);
    if (other) throw taken(other);
    return dryRunResult(context, resource, normalize(context, resource, object), true);
  }
  return store(context, resource, key, object, 0, { undo, taken, created: true });
}

/** Runs validating admission on the object with its allocations, and releases them if it refuses. */
async function orUndo(undo: Undo | undefined, check: () => Promise<void> | void): Promise<void> {
  try {
    await check();
  } catch (error) {
    undo?.();
    throw error;
  }
}

class NameTaken extends StatusError {}

/** The error for an existing name; a generated name is to be retried. */
function nameTaken(context: ResourceContext, resource: Resource, object: ApiObject, by: Entry | undefined): Error {
  const { name = '', generateName } = object.metadata;
  if (generateName) {
    const { group, kind } = resource.gvk;
    const why = `The POST operation against ${kind} could not be completed at this time, please try again.`;
    return status.failure(500, 'ServerTimeout', why, { name: 'POST', ...(group === '' ? {} : { group }), kind });
  }
  const { status: told } = status.alreadyExists(groupResource(resource), name);
  const { views } = context.server;
  const going = by && views.has(by, resource.hub) && views.of(by, resource.hub).object.metadata.deletionTimestamp;
  return new NameTaken(going ? { ...told, message: `object is being deleted: ${told.message}` } : told);
}

export const { unexpected } = status;

/** Gives a new object its namespace, uid, time and generated name, and removes what only the server writes. */
export function prepareNew(context: ResourceContext, resource: Resource, object: ApiObject): void {
  const { server } = context;
  matchNamespace(context, resource, object);
  delete object.metadata.deletionTimestamp;
  delete object.metadata.deletionGracePeriodSeconds;
  if (resource.status && !rulesOf(resource.declaration)?.prepareCreate) delete object['status'];
  if (rulesOf(resource.declaration)?.generation) object.metadata.generation = 1;
  rulesOf(resource.declaration)?.prepareCreate?.(object, ruleContext(context));
  resetSystemMetadata(object, rfc3339(server.clock.now()), server.random.uuid());
  const { name, generateName } = object.metadata;
  if (generateName && !name) object.metadata.name = generateName.slice(0, 58) + server.random.suffix(5);
  delete object.metadata.clusterName;
  rulesOf(resource.declaration)?.prepareNamed?.(object, ruleContext(context));
}

/** Sets the request's namespace on the object; throws 400 if it has another. */
function matchNamespace(context: ResourceContext, resource: Resource, object: ApiObject): void {
  const wanted = context.info.namespace;
  if (!resource.namespaced) {
    delete object.metadata.namespace;
    return;
  }
  if (!object.metadata.namespace) object.metadata.namespace = wanted;
  if (object.metadata.namespace !== wanted)
    throw status.badRequest('the namespace of the provided object does not match the namespace sent on the request');
}

function invalidObject(resource: Resource, object: ApiObject, errors: FieldErrors): Error {
  const kind = resource.declaration.errorGroup ?? resource.hub.gvk.group;
  return status.invalid({ group: kind, kind: resource.gvk.kind }, object.metadata.name ?? '', errors);
}

/** Returns the updated object; called again after a concurrent write. */
export type Updater = (existing: ApiObject | undefined) => Promise<ApiObject>;

export interface UpdateOptions extends CreateOptions {
  /** The expected uid of the object that a PUT replaces; for a patch, a different uid is an invalid change. */
  readonly uid?: string | undefined;
  /** Whether a missing object is created, besides the kind's own setting. */
  readonly createIfAbsent?: boolean;
  /** The updater does not modify the existing object: it gets the shared frozen one. */
  readonly onlyReads?: boolean;
  /** Checked before an update creates an object: whether the user may create. */
  readonly mayCreate?: (object: ApiObject) => Promise<void>;
}

/** Replaces an object with the result of `updater`. Throws 404, 409, 422. */
export async function updateObject(
  context: ResourceContext,
  resource: Resource,
  name: string,
  updater: Updater,
  options: UpdateOptions,
): Promise<Written> {
  const written = await retryUntilWritten(context, resource, name, (entry) =>
    entry
      ? replace(context, resource, entry, updater, options)
      : createByUpdate(context, resource, name, updater, options),
  );
  if (!written) throw status.conflict(groupResource(resource), name, OPTIMISTIC);
  return written;
}

/** Whether a write is validated before its uid and version are compared. */
const validatesFirst = ({ declaration }: Resource, { mode }: Pick<UpdateOptions, 'mode'>): boolean =>
  mode === 'object' && (rulesOf(declaration)?.needsVersion ?? false);

/** Throws 409 for another uid; where a write is validated first, the uid is a part of that. */
function compareUid(resource: Resource, name: string, options: UpdateOptions, uid?: string): void {
  if (!validatesFirst(resource, options)) checkUid(resource, name, options.uid, uid);
}

async function createByUpdate(
  context: ResourceContext,
  resource: Resource,
  name: string,
  updater: Updater,
  options: UpdateOptions,
): Promise<Written | undefined> {
  const rules = rulesOf(resource.declaration);
  compareUid(resource, name, options);
  if (!(options.createIfAbsent ?? false) && rules?.createOnUpdate !== options.mode)
    throw status.notFound(groupResource(resource), name);
  const object = await updater(undefined);
  requireNumber(object.metadata.resourceVersion ?? '');
  if (!options.dryRun) delete object.metadata.resourceVersion;
  await options.mayCreate?.(object);
  try {
    return await createObject(context, resource, object, options);
  } catch (error) {
    // Another request created it meanwhile: continue as an update.
    if (error instanceof NameTaken && !options.dryRun) return undefined;
    throw error;
  }
}

async function replace(
  context: ResourceContext,
  resource: Resource,
  entry: Entry,
  updater: Updater,
  options: UpdateOptions,
): Promise<Written | undefined> {
  const { server } = context;
  const existing = server.views.of(entry, resource.hub).object;
  compareUid(resource, existing.metadata.name ?? '', options, existing.metadata.uid);
  const given = givenTo(options, resource, existing);
  if (context.isLarge) await yieldToTasks();
  const object = await updater(given);
  if (context.isLarge) await yieldToTasks();
  const undo = await checkChange(context, resource, object, existing, options);
  if (context.isLarge) await yieldToTasks();
  const behaviour = server.registry.behaviour(resource);
  const stored = normalize(context, resource, object, existing);
  if (deletesItself(stored) && !rulesOf(resource.declaration)?.holdsDeletion?.(stored))
    return finishDeletion(context, resource, entry, stored, options.dryRun);
  if (!options.dryRun) delete stored.metadata.selfLink;
  if (context.isLarge) await yieldToTasks();
  const form = await storedForm(context, resource, stored);
  if (context.isLarge) await yieldToTasks();
  if (!context.sentEmptyBytes && isUnchanged(resource, form, entry, existing)) return asStill(server, entry, resource);
  if (options.dryRun) {
    undo?.();
    return dryRunResult(context, resource, stored, false);
  }
  try {
    const storing = { undo, taken: () => new Raced(), created: false, form };
    const written = await store(context, resource, entry.key, stored, entry.revision, storing);
    if (options.mode === 'object') await behaviour?.released?.(existing, context, stored);
    return written;
  } catch (error) {
    // A write that lost a race is retried with the newer state; its own precondition then decides.
    if (error instanceof Raced || error instanceof Overtaken) return undefined;
    throw error;
  }
}

/** Nothing is written, so there is no compare-and-set: check explicitly that the object is unchanged. */
async function asStill(server: ResourceServer, entry: Entry, resource: Resource): Promise<Written | undefined> {
  const fresh = server.storage.fresh();
  if (fresh) await fresh;
  return server.storage.get(entry.key) === entry ? shownAs(server, entry, resource) : undefined;
}

/** Custom objects are not decoded by an updater, so parts of them would be modified together with the result. */
function givenTo({ onlyReads = false }: UpdateOptions, { custom }: Resource, existing: ApiObject): ApiObject {
  return onlyReads && !custom ? existing : clone(existing);
}

/** Prepares and validates a changed object, and allocates what it needs. Returns the function that releases it. */
async function checkChange(
  context: ResourceContext,
  resource: Resource,
  object: ApiObject,
  existing: ApiObject,
  { mode, dryRun, validate }: UpdateOptions,
): Promise<Undo | undefined> {
  const behaviour = context.server.registry.behaviour(resource);
  const isObject = mode === 'object';
  const checkSentVersion = versionCheck(resource, object, existing);
  const versionLast = validatesFirst(resource, { mode });
  if (!versionLast) {
    checkSentVersion();
    object.metadata.resourceVersion = existing.metadata.resourceVersion as string;
  }
  if (isObject) await behaviour?.guard?.(object, existing, context);
  if (context.isLarge) await yieldToTasks();
  checkReplacement(context, resource, object, existing, mode);
  if (context.isLarge) await yieldToTasks();
  const undo = isObject ? await behaviour?.claim?.(object, existing, context, dryRun) : undefined;
  await orUndo(undo, () => {
    if (isObject) checkClaimed(resource, object);
    if (versionLast) checkSentVersion();
    return validate(object, existing);
  });
  return undo;
}

/** Adds warnings of the rules; throws 422 for errors. */
function requireValid(context: ResourceContext, resource: Resource, object: ApiObject, errors: FieldErrors): void {
  const { server, id } = context;
  if (server.tracer.wants('request')) {
    server.tracer.emit({ topic: 'request', request: id, stage: 'validation', errors });
  }
  if (errors.length > 0) throw invalidObject(resource, object, errors);
}

function checkClaimed(resource: Resource, object: ApiObject): void {
  const errors = rulesOf(resource.declaration)?.validateClaimed?.(object) ?? [];
  if (errors.length > 0) throw invalidObject(resource, object, errors);
}

/** Prepares an object to replace `existing`, and throws its errors. */
function checkReplacement(
  context: ResourceContext,
  resource: Resource,
  object: ApiObject,
  existing: ApiObject,
  mode: WriteMode,
): void {
  prepareExisting(context, resource, object, existing, mode);
  const errors = meta.checkUpdate(resource, object, existing, ruleContext(context), mode);
  requireValid(context, resource, object, errors);
  object.metadata.resourceVersion = existing.metadata.resourceVersion as string;
}

class Raced extends Error {}

/** Keeps of an object that replaces `existing` only what a write of this part may change. */
export function prepareExisting(
  context: ResourceContext,
  resource: Resource,
  object: ApiObject,
  existing: ApiObject,
  mode: WriteMode,
): void {
  const rules = rulesOf(resource.declaration);
  const rule = ruleContext(context);
  matchNamespace(context, resource, object);
  if (existing.metadata.generation === undefined) delete object.metadata.generation;
  else object.metadata.generation = existing.metadata.generation;
  const view = getOwn(rules?.views, mode);
  if (view) view.prepare(object, existing, rule);
  else if (mode === 'status') {
    if (rules?.prepareStatusUpdate) rules.prepareStatusUpdate(object, existing, rule);
    else keepAllButStatus(object, existing);
  } else if (mode === 'object') {
    if (resource.status) restore(object, existing, 'status');
    rules?.prepareUpdate?.(object, existing, rule);
    const generation = rules?.generation as GenerationRule | undefined;
    keepGeneration(object, existing, context.sentEmpties && generation ? () => true : generation);
  }
  keepSystemMetadata(object, existing);
}

/** A status write changes only the status and metadata.managedFields. */
function keepAllButStatus(object: ApiObject, existing: ApiObject): void {
  for (const name of new Set([...Object.keys(object), ...Object.keys(existing)]))
    if (!['metadata', 'status', 'kind', 'apiVersion'].includes(name)) restore(object, existing, name);
}

function restore(object: ApiObject, existing: ApiObject, name: string): void {
  if (getOwn(existing, name) === undefined) delete object[name];
  else setOwn(object, name, clone(getOwn(existing, name)));
}

/** Removing the last finalizer of an object that is being deleted deletes it. */
function deletesItself(object: ApiObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = object.metadata;
  return deletionTimestamp !== undefined && finalizers.length === 0 && deletionGracePeriodSeconds === 0;
}

async function finishDeletion(
  context: ResourceContext,
  resource: Resource,
  entry: Entry,
  object: ApiObject,
  dryRun: boolean,
): Promise<Written | undefined> {
  const isGone = dryRun || (await remove(context, resource, entry, object));
  return isGone ? unstored(context, object, false) : undefined;
}
