/** The field manager: reads the owners, transfers ownership, and writes the owners back. See RULES.md. */
import { status } from '../../schema/index.ts';
import type { ApiObject, Node } from '../../schema/index.ts';
import { deepEqual, isObject, type Steps } from '../../std/index.ts';
import { bareFailure } from '../failures.ts';
import type { ApplyRequest, FieldManager, UpdateRequest, VersionedTypes } from '../types.ts';
import { applyConfiguration } from './applyConfiguration.ts';
import type { Applied } from './applyConfiguration.ts';
import { capUpdaters } from './cap.ts';
import { isSame } from './compare.ts';
import { emptiedLists } from './emptied.ts';
import { EMPTY, equals, setOf } from './fieldSet.ts';
import { TypeMismatch } from './items.ts';
import { withLastApplied, clientManager } from './lastApplied.ts';
import { decodeOwners, encodeOwners, identify, OwnersError, timeText, UPDATE } from './owners.ts';
import type { Owner, Owners } from './owners.ts';
import { reconcileOwners } from './reconcile.ts';
import { remembered } from './sharedSets.ts';
import { changed, transfer } from './transfer.ts';
import { hidesLists, typeOf } from './types.ts';
import { validate } from './validate.ts';
import { Comparisons, emptyObject } from './versions.ts';
import type { Versioned } from './versions.ts';

/** The manager that owns fields from before tracking started. */
const BEFORE_FIRST_APPLY = 'before-first-apply';
const UNKNOWN_MANAGER = 'unknown';

/** Fields that nobody owns. */
const UNOWNED = setOf(
  ['apiVersion'],
  ['kind'],
  ['metadata'],
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'clusterName',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map((name) => ['metadata', name]),
);

/** The field manager of one kind; cheap to create and stateless. */
export function createFieldManager(types: VersionedTypes): FieldManager {
  return { update: (request) => update(types, request), apply: (request) => apply(types, request) };
}

function* update(types: VersionedTypes, request: UpdateRequest): Steps<ApiObject> {
  const { live, next, now, apiVersion } = request;
  const owners = ownersForUpdate(request);
  yield;
  const bare = withoutOwners(next);
  const untracked = owners.size === 0 && live?.metadata.uid !== undefined;
  if (untracked) return bare;
  const node = knownNode(types, apiVersion);
  const writer = { manager: request.manager || UNKNOWN_MANAGER, apiVersion, now };
  try {
    const before = versioned(
      types,
      live === undefined ? emptyObject(types, apiVersion, node) : withoutOwners(live),
      apiVersion,
      node,
    );
    const after = versioned(types, bare, apiVersion, node);
    // Atomic values may also contain items that can't be identified.
    if (hidesLists(node)) validate(after.object, after.type);
    const reconciled = reconcileOwners(types, owners, before);
    yield;
    const emptied = live === undefined ? EMPTY : emptiedLists(request.sent, after.type);
    const comparisons = new Comparisons(types, before, after, emptied);
    comparisons.in(apiVersion);
    yield;
    const recorded = capUpdaters(recordUpdate(reconciled, comparisons, writer));
    yield;
    return withOwners(bare, recorded);
  } catch (error) {
    // Lists whose items can't be identified can't be tracked: the object loses its owners instead of the write failing.
    if (error instanceof TypeMismatch) return bare;
    throw error;
  }
}

/**
 * The owners in the request, so that they can be edited; those of the live object if the request has none or invalid
 * ones. An empty list, or one empty entry, resets them.
 */
function ownersForUpdate({ live, next, subresource }: UpdateRequest): Owners {
  const sent = next.metadata.managedFields;
  if (!subresource && sent && isReset(sent)) return new Map();
  const edited = subresource ? new Map<string, Owner>() : readOwners(sent);
  return edited.size > 0 ? edited : readOwners(live?.metadata.managedFields);
}

function isReset(entries: readonly object[]): boolean {
  return entries.length === 0 || (entries.length === 1 && deepEqual(entries[0], {}));
}

function readOwners(entries: unknown): Owners {
  try {
    return decodeOwners(entries);
  } catch (error) {
    if (error instanceof OwnersError) return new Map();
    throw error;
  }
}

interface Writer {
  readonly manager: string;
  readonly apiVersion: string;
  readonly now: number;
}

/** A writer other than an apply owns everything that it changes; others lose that. */
function recordUpdate(owners: Owners, comparisons: Comparisons, writer: Writer): Owners {
  const { owners: kept } = transfer(owners, comparisons);
  const comparison = comparisons.in(writer.apiVersion);
  const taken =
    comparison === undefined || isSame(comparison) ? EMPTY : remembered.difference(changed(comparison), UNOWNED);
  if (taken === EMPTY) return kept;
  const fresh = { manager: writer.manager, operation: UPDATE, apiVersion: writer.apiVersion };
  const id = identify(fresh);
  const former = owners.get(id);
  const fields = remembered.union(taken, kept.get(id)?.fields ?? EMPTY);
  const time = former && equals(former.fields, fields) ? former.time : timeText(writer.now);
  return kept.set(id, { ...fresh, time, fields });
}

function* apply(types: VersionedTypes, request: ApplyRequest): Steps<ApiObject> {
  const { applied, apiVersion, now } = request;
  const node = knownNode(types, apiVersion);
  const configuration = checkConfiguration(applied, types.kind, apiVersion, node);
  const live = versioned(types, withoutOwners(request.live ?? emptyObject(types, apiVersion, node)), apiVersion, node);
  const writer = { manager: request.manager || UNKNOWN_MANAGER, apiVersion, now };
  try {
    const owners = ownersForApply(types, request, live, writer);
    yield;
    const result = yield* applyConfiguration({
      types,
      live,
      configuration,
      owners: reconcileOwners(types, owners, live),
      manager: writer.manager,
      force: request.force,
    });
    const object = result.object ?? live.object;
    const synced =
      writer.manager === clientManager(types.names) ? withLastApplied(object, configuration, types.names) : object;
    yield;
    const recorded = recordApply(owners, result, now);
    yield;
    return withOwners(synced, recorded);
  } catch (error) {
    if (error instanceof TypeMismatch) throw bareFailure(`failed to create typed patch object: ${error.message}`);
    throw error;
  }
}

/** The applied configuration must have its version and kind, and must not set owners. Where no type is known, the kind may be missing. */
function checkConfiguration(applied: unknown, kind: string, apiVersion: string, node: Node): Record<string, unknown> {
  if (!isObject(applied)) throw bareFailure('the applied configuration is not an object');
  if (applied['apiVersion'] !== apiVersion) {
    const version = JSON.stringify(applied['apiVersion'] ?? '');
    throw status.badRequest(
      `Incorrect version specified in apply patch. Specified patch version: ${version}, expected: ${apiVersion}`,
    );
  }
  const isKind = applied['kind'] === kind || (node.type === 'open' && applied['kind'] === undefined);
  if (!isKind) throw bareFailure(`failed to create typed patch object: expected kind ${kind}`);
  const metadata = applied['metadata'];
  if (isObject(metadata) && Array.isArray(metadata['managedFields']))
    throw status.badRequest('metadata.managedFields must be nil');
  return applied;
}

/** The owners of a live object; if nothing was tracked yet, one manager owns everything that is set. */
function ownersForApply(types: VersionedTypes, request: ApplyRequest, live: Versioned, writer: Writer): Owners {
  const owners = decodeLive(request.live?.metadata.managedFields);
  if (owners.size > 0 || request.live === undefined) return owners;
  const empty = { ...live, object: emptyObject(types, live.apiVersion, knownNode(types, live.apiVersion)) };
  const comparisons = new Comparisons(types, empty, live);
  return recordUpdate(owners, comparisons, { ...writer, manager: BEFORE_FIRST_APPLY });
}

function decodeLive(entries: unknown): Owners {
  try {
    return decodeOwners(entries);
  } catch (error) {
    if (error instanceof OwnersError) throw bareFailure(`failed to decode managed fields: ${error.message}`);
    throw error;
  }
}

/** The applier owns exactly what it applied; its time changes when the object or any ownership changed. */
function recordApply(before: Owners, { owners, id, object }: Applied, now: number): Owners {
  const recorded = new Map(owners);
  const own = owners.get(id);
  const fields = own ? remembered.difference(own.fields, UNOWNED) : EMPTY;
  recorded.delete(id);
  if (own === undefined || fields === EMPTY) return recorded;
  recorded.set(id, { ...own, fields });
  const same = object === undefined && sameOwners(before, recorded);
  return recorded.set(id, { ...own, fields, time: same ? before.get(id)?.time : timeText(now) });
}

function sameOwners(a: Owners, b: Owners): boolean {
  if (a.size !== b.size) return false;
  for (const [id, owner] of a) {
    const other = b.get(id);
    if (other === undefined || other.apiVersion !== owner.apiVersion || !equals(owner.fields, other.fields))
      return false;
  }
  return true;
}

function knownNode(types: VersionedTypes, apiVersion: string): Node {
  const node = types.node(apiVersion);
  if (node === undefined) throw bareFailure(`no type is known for ${apiVersion}`);
  return node;
}

function versioned(types: VersionedTypes, object: ApiObject, apiVersion: string, node: Node): Versioned {
  const here = object.apiVersion === undefined || object.apiVersion === apiVersion;
  return { object: here ? object : types.convert(object, apiVersion), apiVersion, type: typeOf(node) };
}

function withoutOwners(object: ApiObject): ApiObject {
  if (object.metadata.managedFields === undefined) return object;
  const { managedFields: _owners, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function withOwners(object: ApiObject, owners: Owners): ApiObject {
  const managedFields = encodeOwners(owners);
  return managedFields === undefined ? object : { ...object, metadata: { ...object.metadata, managedFields } };
}
