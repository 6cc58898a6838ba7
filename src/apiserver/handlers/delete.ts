/** delete and deletecollection. */
import { DecodeError, parts, status, type Resource } from '../../schema/index.ts';
import { isObject, yieldToTasks } from '../../std/index.ts';
import { bodyText, parseJson, parseYaml, readBody, SyntaxProblem } from '../codec/body.ts';
import { bodyEncoding } from '../codec/negotiate.ts';
import { acceptedBy } from '../codec/respond.ts';
import type { Answer } from '../codec/answer.ts';
import type { Entry } from '../../storage/index.ts';
import type { ResourceContext } from '../registry/registry.ts';
import type { DeleteOptions } from '../registry/deleteOptions.ts';
import { deleteObject, readDeleteOptions, validateDeleteOptions } from '../registry/deletion.ts';
import { ifTrue, integer, listOptions, validateListOptions } from '../registry/query.ts';
import { listObjects } from '../registry/read.ts';
import { selection } from '../registry/selection.ts';
import type { Removal } from '../registry/registry.ts';
import { groupResource } from '../registry/preconditions.ts';
import { unexpected } from '../registry/write.ts';
import { tellRequestBody } from '../stages/bodies.ts';
import { mutate, optionsObject, validate } from './admit.ts';
import { listAnswer } from './read.ts';

export async function remove(context: ResourceContext, resource: Resource): Promise<Answer> {
  acceptedBy(context, resource);
  const options = await optionsOf(context);
  const { name } = context.info;
  const removal = await removeOne(context, resource, name, options, name);
  const { returnsDeleted } = resource.declaration;
  const waits = !removal.deleted && returnsDeleted !== false;
  const code = waits && options.orphanDependents === false ? 202 : 200;
  if (returnsDeleted ?? waits) return { type: 'object', code, resource, view: removal.view };
  return { type: 'document', code, value: success(resource, removal) };
}

/** Deletes one object; admission gets its name only if the request has it. */
async function removeOne(
  context: ResourceContext,
  resource: Resource,
  name: string,
  options: DeleteOptions,
  toldName: string,
  onAdmitted: () => void = () => undefined,
): Promise<Removal> {
  const dryRun = (options.dryRun ?? []).length > 0;
  const shown = optionsObject(context, 'DeleteOptions', { ...options });
  const removal = await deleteObject(context, resource, name, options, async (old) => {
    const request = {
      ...{ operation: 'DELETE' as const, resource, name: toldName, object: undefined },
      ...{ old, dryRun, options: shown },
    };
    await mutate(context, request);
    await validate(context, request);
    onAdmitted();
  });
  if (!dryRun) await context.server.registry.behaviour(resource)?.deleted?.(removal.object, context);
  return removal;
}

function success(resource: Resource, { object }: Removal): object {
  const { group, resource: kind } = groupResource(resource);
  const details = { name: object.metadata.name, ...(group === '' ? {} : { group }), kind, uid: object.metadata.uid };
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
}

/** Deletes the selected objects, and returns their list as it was before. */
export async function removeCollection(context: ResourceContext, resource: Resource): Promise<Answer> {
  acceptedBy(context, resource);
  const list = listOptions(context.query);
  validateListOptions({ ...list, watch: false }, context.server.names.domain);
  const selected = selection(resource, list.labelSelector, list.fieldSelector);
  const options = await optionsOf(context);
  const result = await listObjects(context, resource, list, selected);
  const workers = Number(context.server.flag('delete-collection-workers'));
  const queue = result.entries.values();
  const work = (): Promise<void> => removeEach(context, resource, queue, options);
  await Promise.all(Array.from({ length: Math.max(1, workers || 1) }, work));
  return listAnswer(context, resource, result);
}

/** How many admitted deletes of one worker may wait for storage: some are being written while others are prepared. */
const WAITING_DELETES = 256;
/** After so many deletes other tasks have a turn. */
const DELETES_IN_A_ROW = 64;

/**
 * One worker of a collection's deletion. It deletes one object after another, and the first refusal ends it. A delete
 * begins when the one before it has been admitted, so that storage can write several of them at once.
 */
async function removeEach(
  context: ResourceContext,
  resource: Resource,
  queue: Iterable<Entry>,
  options: DeleteOptions,
): Promise<void> {
  const waiting = new Set<Promise<void>>();
  let begun = 0;
  try {
    for (const { key } of queue) {
      await new Promise<void>((admitted, refused) => {
        const removal = removeUnlessGone(context, resource, key, options, admitted);
        waiting.add(removal);
        removal.then(() => {
          waiting.delete(removal);
          admitted();
        }, refused);
      });
      if (waiting.size >= WAITING_DELETES) await Promise.race(waiting);
      if (++begun % DELETES_IN_A_ROW === 0) await yieldToTasks();
    }
    await Promise.all(waiting);
  } finally {
    await Promise.allSettled(waiting);
  }
}

async function removeUnlessGone(
  context: ResourceContext,
  resource: Resource,
  key: string,
  options: DeleteOptions,
  onAdmitted: () => void,
): Promise<void> {
  const [name = '', namespace = ''] = key.slice(resource.prefix.length).split('/').reverse();
  const one = { ...context, info: { ...context.info, name, namespace } };
  try {
    await removeOne(one, resource, name, options, '', onAdmitted);
  } catch (error) {
    if (!(error instanceof status.StatusError) || error.status.code !== 404) throw error;
  }
}

/** DeleteOptions from the body, or else from the query. */
async function optionsOf(context: ResourceContext): Promise<DeleteOptions> {
  const bytes = await readBody(context.request);
  tellRequestBody(context, bytes);
  const options = bytes.length > 0 ? fromBody(context, bytes) : fromQuery(context.query);
  validateDeleteOptions(options, context.server.names.domain);
  const { group, version } = context.info;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  if (bytes.length > 0) context.audit?.requested({ kind: 'DeleteOptions', apiVersion, ...options });
  return options;
}

/** The reference answers an invalid DeleteOptions body with a bare 500. */
function fromBody(context: ResourceContext, bytes: Uint8Array): DeleteOptions {
  const { scheme, names } = context.server;
  const encoding = bodyEncoding(context.request.headers.get('content-type'), names);
  try {
    const raw =
      encoding === 'protobuf'
        ? parts.protobuf.get().decodeProtobuf(scheme, bytes)
        : encoding === 'json'
          ? parseJson(bodyText(bytes))
          : parseYaml(bodyText(bytes));
    if (!isObject(raw) || (raw['kind'] || 'DeleteOptions') !== 'DeleteOptions')
      throw unexpected('decoded object cannot be converted to DeleteOptions');
    const node = scheme.typeOf({ group: `meta.${names.domain}`, version: 'v1', kind: 'DeleteOptions' });
    const {
      kind: _kind,
      apiVersion: _apiVersion,
      ...options
    } = (node ? scheme.decode(node, raw) : raw) as Record<string, unknown>;
    return readDeleteOptions(options);
  } catch (error) {
    if (error instanceof SyntaxProblem || error instanceof DecodeError) throw unexpected(error.message);
    throw error;
  }
}

function fromQuery(query: URLSearchParams): DeleteOptions {
  const gracePeriodSeconds = integer(query, 'gracePeriodSeconds');
  const propagationPolicy = query.get('propagationPolicy');
  const [uid, resourceVersion] = [query.get('uid'), query.get('resourceVersion')];
  const preconditions = { ...(uid ? { uid } : {}), ...(resourceVersion ? { resourceVersion } : {}) };
  return {
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(query.has('orphanDependents') ? { orphanDependents: ifTrue(query.get('orphanDependents')) } : {}),
    ...(propagationPolicy === null ? {} : { propagationPolicy }),
    ...(uid || resourceVersion ? { preconditions } : {}),
    ...(query.has('dryRun') ? { dryRun: query.getAll('dryRun') } : {}),
  };
}
