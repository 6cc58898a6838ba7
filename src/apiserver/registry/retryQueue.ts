/**
 * A retry queue for each object: writes that lost a race are retried one after another. If all were retried at once,
 * all but one would lose again, and the cost of a burst would grow quadratically.
 */
import type { Resource } from '../../schema/index.ts';
import { yieldToTasks } from '../../std/index.ts';
import { valueLength, type Entry, type Storage } from '../../storage/index.ts';
import { noteSize } from '../context.ts';
import { namedKey } from './keys.ts';
import type { RetryQueue, ResourceContext } from './registry.ts';

/** The maximum number of attempts of a write. */
export const MAX_ATTEMPTS = 100;
/**
 * The maximum number of turns that one attempt takes when nothing delays it: the concurrent write, some turns of its
 * own, its write.
 */
const TURNS_PER_ATTEMPT = 4;
/** Additional turns to wait for an earlier write that is delayed by something external. */
const EXTRA_TURNS = 16;

/**
 * Calls `attempt` with the stored object until it returns a result; undefined means that a concurrent write came first.
 * Returns undefined after `MAX_ATTEMPTS` attempts.
 */
export async function retryUntilWritten<T>(
  context: ResourceContext,
  resource: Resource,
  name: string,
  attempt: (entry: Entry | undefined) => Promise<T | undefined>,
): Promise<T | undefined> {
  const key = namedKey(resource.hub, context.info.namespace, name);
  const { storage, views, retryQueues } = context.server;
  const place = {};
  let queue: RetryQueue | undefined;
  try {
    for (let tries = 0; tries < MAX_ATTEMPTS; tries++) {
      const entry = storage.get(key);
      if (entry) await views.ready([entry], resource);
      if (entry) noteSize(context, valueLength(entry));
      const written = await attempt(entry);
      if (written) return written;
      retryQueues.set(key, (queue ??= retryQueues.get(key) ?? new Set()));
      await waitForTurn(queue, place, storage);
    }
  } finally {
    if (queue?.delete(place) && queue.size === 0) retryQueues.delete(key);
  }
  return undefined;
}

/**
 * Waits until the writes before `place` have left the queue, up to a limit, because one of them may wait for a webhook
 * that writes the same object, or at a breakpoint.
 */
export async function waitForTurn(queue: RetryQueue, place: object, storage: Pick<Storage, 'writing'>): Promise<void> {
  queue.add(place);
  for (
    let left = queue.size * TURNS_PER_ATTEMPT + EXTRA_TURNS;
    left > 0 && queue.values().next().value !== place;
    left--
  )
    await (storage.writing() ?? yieldToTasks());
}
