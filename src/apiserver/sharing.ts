/** Requests when several servers share the storage: waits for the state of the other servers where needed. */
import { StatusError } from '../schema/index.ts';
import type { Answer } from './codec/answer.ts';
import type { ResourceContext } from './registry/registry.ts';

/** Answers a request with `answer`, which may be called twice. */
export async function answerShared(context: ResourceContext, answer: () => Promise<Answer>): Promise<Answer> {
  if (beginsOlder(context)) return unlessStale(context, answer);
  await freshened(context);
  return answer();
}

/**
 * Whether a write may start from this server's copy when several servers share the storage: the revision of the object
 * is compared when it is stored. This does not hold if the write depends on other objects: the writer's rights,
 * definitions, reviews, dry runs.
 */
function beginsOlder({ server, info, request, query }: ResourceContext): boolean {
  if (query.has('dryRun')) return false;
  if (request.method !== 'POST' && request.method !== 'PUT' && request.method !== 'PATCH') return false;
  if (info.subresource !== '' && info.subresource !== 'status') return false;
  const resource = server.scheme.byResource(info);
  if (!resource || resource.custom) return false;
  // The kind's behaviour beyond storage may not be loaded yet.
  if (server.registry.parts(resource, info.subresource).some(({ loaded }) => !loaded)) return false;
  const behaviour = server.registry.behaviour(resource);
  return !behaviour?.guard && !behaviour?.create;
}

/**
 * A refusal may be based on outdated state: then the write is evaluated again with everything that other servers have
 * acknowledged.
 */
async function unlessStale(context: ResourceContext, answer: () => Promise<Answer>): Promise<Answer> {
  const { storage } = context.server;
  const from = storage.revision;
  try {
    return await answer();
  } catch (error) {
    const fresh = error instanceof StatusError ? storage.fresh() : undefined;
    if (!fresh) throw error;
    await fresh;
    if (storage.revision === from) throw error;
    return answer();
  }
}

/**
 * When several servers share the storage: waits until this server sees everything that the others acknowledged. Needed
 * for reads that do not accept an older state, and for writes that can't start from one.
 */
function freshened({ server, request, query }: ResourceContext): Promise<void> | undefined {
  const { storage } = server;
  const wanted = query.get('resourceVersion') ?? '';
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  return isRead && wanted !== '' && Number(wanted) <= storage.revision ? undefined : storage.fresh();
}
