/**
 * Reads: one object, a collection, a page of a collection; every combination of revision and match (specification,
 * Change detection).
 */
import { status, type Resource } from '../../schema/index.ts';
import { Part } from '../../std/index.ts';
import { CompactedError, FutureRevisionError, type Entry, type Range, type RangeResult } from '../../storage/index.ts';
import type { ResourceContext, ResourceServer } from './registry.ts';
import { decodeContinue, encodeContinue } from './continueToken.ts';
import { collectionRange, namedKey, objectKey } from './keys.ts';
import type { ListOptions } from './query.ts';
import { selectedName, type Selection } from './selection.ts';
import { groupResource } from './preconditions.ts';
import { unexpected } from './write.ts';

/** How long a read waits for a future revision. */
const FRESHNESS_MS = 3000;

/** Reads one object, not older than `resourceVersion` if given. Throws 404, 504. */
export async function getObject(
  context: ResourceContext,
  resource: Resource,
  name: string,
  resourceVersion: string,
): Promise<Entry> {
  const { server } = context;
  const key = namedKey(resource.hub, context.info.namespace, name);
  await freshEnough(server, resource, revisionOf(resourceVersion, isCached(resource) ? 'unexpected' : 'badRequest'));
  const entry = server.storage.get(key);
  if (!entry) throw status.notFound(groupResource(resource), name);
  await server.views.ready([entry], resource);
  const writing = server.views.written([entry], resource);
  if (writing) await writing;
  return entry;
}

export interface ListResult {
  readonly revision: number;
  readonly entries: readonly Entry[];
  readonly continue?: string;
  readonly remaining?: number;
}

/** Lists a collection. Throws 400 for invalid tokens and revisions, 410 for compacted ones, 504 for future ones. */
export async function listObjects(
  context: ResourceContext,
  resource: Resource,
  options: ListOptions,
  selection: Selection,
): Promise<ListResult> {
  const { views } = context.server;
  for (;;) {
    // Objects that a webhook has not converted yet can't be selected: they are converted, and the list is made again.
    const unready: Entry[] = [];
    const selected = (entry: Entry): boolean => {
      if (views.has(entry, resource.hub)) return selection?.(views.of(entry, resource.hub).object) ?? true;
      unready.push(entry);
      return false;
    };
    const result = await listFiltered(context, resource, options, selection && selected);
    await views.ready(unready.length > 0 ? unready : result.entries, resource);
    if (unready.length > 0) continue;
    const writing = views.written(result.entries, resource);
    if (writing) await writing;
    return result;
  }
}

async function listFiltered(
  context: ResourceContext,
  resource: Resource,
  options: ListOptions,
  filter: Query['filter'],
): Promise<ListResult> {
  const { server } = context;
  const { start, end } = rangeOf(context, resource, options);
  const query: Query = { server, resource, options, start, end, filter };
  if (isDirect(options) || !isCached(resource)) return listDirect(query);
  await freshEnough(server, resource, revisionOf(options.resourceVersion, 'unexpected'));
  const { revision, entries } = await readRange(query, { start, end, ...(filter ? { filter } : {}) });
  return { revision, entries };
}

/** Finds the objects with one value of a field by an index. Only large collections need it, so its code is loaded by the first such list. */
export const fieldIndexing = new Part(() => import('./fieldIndex.ts'));
/** Objects in a collection from which on an index is used. */
const LARGE = 1000;

async function readRange({ server, resource, options }: Query, range: Range): Promise<RangeResult> {
  const { storage } = server;
  if (options.fieldSelector === '' || range.revision !== undefined || storage.count(range.start, range.end) < LARGE)
    return storage.range(range);
  // If that can't be loaded, the collection is scanned.
  const part = await fieldIndexing.load().catch(() => undefined);
  return (await part?.rangeByField(server, resource, options.fieldSelector, range)) ?? storage.range(range);
}

/** The key range of a list or watch; a single key if a selector requires the name and the namespace is known. */
export function rangeOf(
  { info }: ResourceContext,
  resource: Resource,
  options: ListOptions,
): { start: string; end: string } {
  const name =
    options.continue === '' && options.fieldSelector !== '' ? selectedName(options.fieldSelector) : undefined;
  if (name === undefined || (resource.namespaced && info.namespace === ''))
    return collectionRange(resource.hub, info.namespace);
  const key = objectKey(resource.hub, info.namespace, name);
  return { start: key, end: `${key}\0` };
}

interface Query {
  readonly server: ResourceServer;
  readonly resource: Resource;
  readonly options: ListOptions;
  readonly start: string;
  readonly end: string;
  readonly filter: ((entry: Entry) => boolean) | undefined;
}

/** Lists that the reference serves from etcd and not from its cache. */
function isDirect(options: ListOptions): boolean {
  if (options.resourceVersion === '' || options.continue !== '' || options.resourceVersionMatch === 'Exact')
    return true;
  return options.limit > 0 && options.resourceVersion !== '0';
}

/** Kinds without a watch cache in the reference. */
const isCached = (resource: Resource): boolean => resource.hub.declaration.ttlSeconds === undefined;

async function listDirect(query: Query): Promise<ListResult> {
  const { server, options, start, end, filter } = query;
  const limit = Math.max(0, options.limit);
  const wanted = revisionOf(options.resourceVersion, 'badRequest');
  const from = options.continue === '' ? undefined : decodeContinue(options.continue, start, server.names.domain);
  if (from && wanted > 0) throw status.badRequest('specifying resource version is not allowed when using continue');
  const exact = from ? Math.max(0, from.revision) : exactRevision(options, wanted);
  if (!exact && wanted > server.storage.revision) throw tooLarge(wanted, server.storage.revision, 0);
  try {
    const range = {
      start: from && from.key > start ? from.key : start,
      end,
      ...(exact ? { revision: exact } : {}),
      ...(limit ? { limit } : {}),
      ...(filter ? { filter } : {}),
    };
    return page(query, await readRange(query, range));
  } catch (error) {
    throw readError(error, query, from?.key);
  }
}

function exactRevision(options: ListOptions, wanted: number): number {
  if (options.resourceVersionMatch === 'Exact') return wanted;
  return options.limit > 0 && options.resourceVersionMatch === '' ? wanted : 0;
}

function page(
  { server, start, filter }: Query,
  result: { revision: number; entries: readonly Entry[]; more: boolean; remaining: number },
): ListResult {
  const last = result.entries[result.entries.length - 1];
  if (!result.more || !last) return { revision: result.revision, entries: result.entries };
  const token = encodeContinue({ key: `${last.key}\0`, revision: result.revision }, start, server.names.domain);
  return {
    revision: result.revision,
    entries: result.entries,
    continue: token,
    ...(filter ? {} : { remaining: result.remaining }),
  };
}

const EXPIRED = 'The provided continue parameter is too old to display a consistent list result.';

function readError(error: unknown, { server, start }: Query, key: string | undefined): unknown {
  if (error instanceof FutureRevisionError)
    return unexpected('etcdserver: mvcc: required revision is a future revision');
  if (!(error instanceof CompactedError)) return error;
  if (key === undefined) return status.expired('The resourceVersion for the provided list is too old.');
  const again = encodeContinue({ key, revision: -1 }, start, server.names.domain);
  const gone = status.expired(
    `${EXPIRED} You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results.`,
  );
  return new status.StatusError({ ...gone.status, metadata: { continue: again } });
}

/** A revision parameter as a number, 0 if missing. For an invalid one the reference answers 400 or a bare 500. */
export function revisionOf(text: string, otherwise: 'badRequest' | 'unexpected'): number {
  if (text === '') return 0;
  if (/^\d+$/.test(text) && BigInt(text) <= 18446744073709551615n) return Number(text);
  const why = `strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`;
  throw otherwise === 'badRequest'
    ? status.badRequest(`invalid resource version: ${why}`)
    : unexpected(`resourceVersion: Invalid value: ${JSON.stringify(text)}: ${why}`);
}

async function freshEnough(server: ResourceServer, resource: Resource, wanted: number): Promise<void> {
  if (wanted <= server.storage.revision) return;
  if (!isCached(resource)) throw tooLarge(wanted, server.storage.revision, 0);
  if (!(await server.storage.waitFor(wanted, FRESHNESS_MS))) throw tooLarge(wanted, server.storage.revision, 1);
}

function tooLarge(wanted: number, current: number, retryAfterSeconds: number): Error {
  const cause = { reason: 'ResourceVersionTooLarge', message: 'Too large resource version' };
  return status.failure(504, 'Timeout', `Timeout: Too large resource version: ${wanted}, current: ${current}`, {
    causes: [cause],
    ...(retryAfterSeconds ? { retryAfterSeconds } : {}),
  });
}
