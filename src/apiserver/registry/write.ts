/**
 * Creating and updating, as the reference's generic registry does: what the client sent becomes what is stored, through
 * preparation, metadata, validation, admission, compare-and-set. Objects are in the hub version.
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
import { clone, rfc3339, getOwn, setOwn, otherTasks } from '../../std/index.ts';
import type { Entry } from '../../storage/index.ts';
import { ruleContext } from '../context.ts';
import { keepGeneration, keepSystemMetadata, resetSystemMetadata, type GenerationRule } from './metadata.ts';
import { objectKey } from './keys.ts';
import { MAX_TRIES, untilWritten } from './line.ts';
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

/** Admission's last word on what is about to be stored; `old` is undefined when it is created. */
export type Validate = (object: ApiObject, old: ApiObject | undefined) => Promise<void> | void;

export interface CreateOptions {
  /** What the request writes; only one for the object itself takes what its kind allocates, such as addresses. */
  readonly mode: WriteMode;
  readonly dryRun: boolean;
  readonly validate: Validate;
}

/** Stores a new object. Throws 409 when the name is taken, 422 when it breaks a rule. `object` may be changed. */
export async function createObject(
  context: ResourceContext,
  resource: Resource,
  object: ApiObject,
  options: CreateOptions,
): Promise<Written> {
  const { server } = context;
  if (options.mode === 'object') await server.registry.behaviour(resource)?.guard?.(object, undefined, context);
  prepareNew(context, resource, object);
  if (context.isLarge) await otherTasks();
  requireValid(context, resource, object, meta.checkCreate(resource, object, ruleContext(context)));
  if (context.isLarge) await otherTasks();
  if (!server.storage.shared) return createClaimed(context, resource, object, options);
  const claims = server.registry.behaviour(resource)?.claim !== undefined;
  for (let tries = 0; ; tries++) {
    try {
      // Only a claim changes the object; then the next try begins without it.
      return await createClaimed(context, resource, claims ? clone(object) : object, options);
    } catch (error) {
      if (!(error instanceof Overtaken) || tries >= MAX_TRIES) throw error;
      await server.storage.fresh();
    }
  }
}

/** Takes what a new object needs, lets admission have its last word, and stores it. */
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

/** Admission has its last word on an object with all that it was given; where it refuses, that goes back. */
async function orUndo(undo: Undo | undefined, check: () => Promise<void> | void): Promise<void> {
  try {
    await check();
  } catch (error) {
    undo?.();
    throw error;
  }
}

class NameTaken extends StatusError {}

/** What is told of a name that another object has; one that was made up is to be tried again. */
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

function prepareNew(context: ResourceContext, resource: Resource, object: ApiObject): void {
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

/** Puts the object into the request's namespace, or refuses it (400) when it says another. */
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

/** What an update starts from and makes; may be called again when somebody else wrote meanwhile. */
export type Updater = (existing: ApiObject | undefined) => Promise<ApiObject>;

export interface UpdateOptions extends CreateOptions {
  /** The uid of the object that a PUT means to replace; for a patch, another uid is an invalid change. */
  readonly uid?: string | undefined;
  /** Whether an absent object is created, beyond what its kind says. */
  readonly createIfAbsent?: boolean;
  /** The updater changes nothing of what exists: it gets the frozen object that all share. */
  readonly onlyReads?: boolean;
  /** Checked before an update creates: whether the user may create at all. */
  readonly mayCreate?: (object: ApiObject) => Promise<void>;
}

/** Replaces an object with what `updater` makes of it. Throws 404, 409, 422. */
export async function updateObject(
  context: ResourceContext,
  resource: Resource,
  name: string,
  updater: Updater,
  options: UpdateOptions,
): Promise<Written> {
  const written = await untilWritten(context, resource, name, (entry) =>
    entry
      ? replace(context, resource, entry, updater, options)
      : createByUpdate(context, resource, name, updater, options),
  );
  if (!written) throw status.conflict(groupResource(resource), name, OPTIMISTIC);
  return written;
}

async function createByUpdate(
  context: ResourceContext,
  resource: Resource,
  name: string,
  updater: Updater,
  options: UpdateOptions,
): Promise<Written | undefined> {
  const rules = rulesOf(resource.declaration);
  checkUid(resource, name, options.uid, '');
  if (!(options.createIfAbsent ?? false) && rules?.createOnUpdate !== options.mode)
    throw status.notFound(groupResource(resource), name);
  const object = await updater(undefined);
  requireNumber(object.metadata.resourceVersion ?? '');
  if (!options.dryRun) delete object.metadata.resourceVersion;
  await options.mayCreate?.(object);
  try {
    return await createObject(context, resource, object, options);
  } catch (error) {
    // Somebody else created it meanwhile: then it is an update after all.
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
  checkUid(resource, existing.metadata.name ?? '', options.uid, existing.metadata.uid);
  const given = givenTo(options, resource, existing);
  if (context.isLarge) await otherTasks();
  const object = await updater(given);
  if (context.isLarge) await otherTasks();
  const undo = await checkChange(context, resource, object, existing, options);
  if (context.isLarge) await otherTasks();
  const behaviour = server.registry.behaviour(resource);
  const stored = normalize(context, resource, object);
  if (deletesItself(stored) && !rulesOf(resource.declaration)?.holdsDeletion?.(stored))
    return finishDeletion(context, resource, entry, stored, options.dryRun);
  if (!options.dryRun) delete stored.metadata.selfLink;
  if (context.isLarge) await otherTasks();
  const form = await storedForm(context, resource, stored);
  if (context.isLarge) await otherTasks();
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
    // A write that raced is tried again from the newer state; its own precondition then decides.
    if (error instanceof Raced || error instanceof Overtaken) return undefined;
    throw error;
  }
}

/** Nothing is written that would be compared, so that it has to be asked whether the object is still so. */
async function asStill(server: ResourceServer, entry: Entry, resource: Resource): Promise<Written | undefined> {
  const fresh = server.storage.fresh();
  if (fresh) await fresh;
  return server.storage.get(entry.key) === entry ? shownAs(server, entry, resource) : undefined;
}

/** What is custom passes through an updater unread, so that parts of it would be changed with the result. */
function givenTo({ onlyReads = false }: UpdateOptions, { custom }: Resource, existing: ApiObject): ApiObject {
  return onlyReads && !custom ? existing : clone(existing);
}

/** Prepares and checks a changed object, and takes what it needs. Answers with the way to give that back. */
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
  const versionLast = isObject && rulesOf(resource.declaration)?.needsVersion;
  if (!versionLast) {
    checkSentVersion();
    object.metadata.resourceVersion = existing.metadata.resourceVersion as string;
  }
  if (isObject) await behaviour?.guard?.(object, existing, context);
  if (context.isLarge) await otherTasks();
  checkReplacement(context, resource, object, existing, mode);
  if (context.isLarge) await otherTasks();
  const undo = isObject ? await behaviour?.claim?.(object, existing, context, dryRun) : undefined;
  await orUndo(undo, () => {
    if (isObject) checkClaimed(resource, object);
    if (versionLast) checkSentVersion();
    return validate(object, existing);
  });
  return undo;
}

/** Tells what the rules found; throws 422 where they found anything. */
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

/** Prepares an object for taking the place of `existing`, and throws what speaks against it. */
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

function prepareExisting(
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

/** A status write changes the status, and metadata.managedFields; the rest stays. */
function keepAllButStatus(object: ApiObject, existing: ApiObject): void {
  for (const name of new Set([...Object.keys(object), ...Object.keys(existing)]))
    if (!['metadata', 'status', 'kind', 'apiVersion'].includes(name)) restore(object, existing, name);
}

function restore(object: ApiObject, existing: ApiObject, name: string): void {
  if (getOwn(existing, name) === undefined) delete object[name];
  else setOwn(object, name, clone(getOwn(existing, name)));
}

/** An object that waits for its finalizers goes with the update that removes the last of them. */
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
