/** Requests where several servers share the storage: what has to be known of the others before one is answered. */
import { StatusError } from '../schema/index.ts';
import type { Answer } from './codec/answer.ts';
import type { ResourceContext } from './registry/registry.ts';

/** Answers a request by `answer`, which may be called twice. */
export async function answerShared(context: ResourceContext, answer: () => Promise<Answer>): Promise<Answer> {
  if (beginsOlder(context)) return unlessStale(context, answer);
  await freshened(context);
  return answer();
}

/**
 * Whether a write may begin with what this server knows, where several share the storage: what it writes over is compared when
 * it is stored. Not so where what it rests on is more than that: rights of the writer, definitions, questions, dry runs.
 */
function beginsOlder({ server, info, request, query }: ResourceContext): boolean {
  if (query.has('dryRun')) return false;
  if (request.method !== 'POST' && request.method !== 'PUT' && request.method !== 'PATCH') return false;
  if (info.subresource !== '' && info.subresource !== 'status') return false;
  const resource = server.scheme.byResource(info);
  if (!resource || resource.custom) return false;
  // What a kind does beyond being stored may not be here yet.
  if (server.registry.parts(resource, info.subresource).some(({ loaded }) => !loaded)) return false;
  const behaviour = server.registry.behaviour(resource);
  return !behaviour?.guard && !behaviour?.create;
}

/** What speaks against a write may be known too late here: then it is judged again, by all that other servers have answered. */
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
 * Where several servers share the storage, what follows must see all that they have answered: a read that does not say that an
 * older state will do, and a write that can't begin with one.
 */
function freshened({ server, request, query }: ResourceContext): Promise<void> | undefined {
  const { storage } = server;
  const wanted = query.get('resourceVersion') ?? '';
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  return isRead && wanted !== '' && Number(wanted) <= storage.revision ? undefined : storage.fresh();
}
