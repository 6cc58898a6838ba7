/**
 * Writes that lost a race for one object are retried one after another. If all were retried at once, all but one would lose
 * again, and the cost of a burst would grow with its square.
 */
import type { Resource } from '../../schema/index.ts';
import { otherTasks } from '../../std/index.ts';
import type { Entry, Storage } from '../../storage/index.ts';
import { noteSize } from '../context.ts';
import { namedKey } from './keys.ts';
import type { Line, ResourceContext } from './registry.ts';

/** How many times a write is tried. */
export const MAX_TRIES = 100;
/** What one try takes at most, where nothing holds it up: the write that overtook it, some turns of its own, its write. */
const ROUNDS_EACH = 4;
/** Beyond what those before it need, so many rounds are waited for one of them that is held up outside. */
const PATIENCE = 16;

/**
 * Hands `attempt` the object as it is stored then, again and again until it answers: undefined means that another write
 * overtook it. Answers undefined when each of `MAX_TRIES` was overtaken.
 */
export async function untilWritten<T>(
  context: ResourceContext,
  resource: Resource,
  name: string,
  attempt: (entry: Entry | undefined) => Promise<T | undefined>,
): Promise<T | undefined> {
  const key = namedKey(resource.hub, context.info.namespace, name);
  const { storage, views, lines } = context.server;
  const place = {};
  let line: Line | undefined;
  try {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const entry = storage.get(key);
      if (entry) await views.ready([entry], resource);
      if (entry) noteSize(context, entry.value.length);
      const written = await attempt(entry);
      if (written) return written;
      lines.set(key, (line ??= lines.get(key) ?? new Set()));
      await turnIn(line, place, storage);
    }
  } finally {
    if (line?.delete(place) && line.size === 0) lines.delete(key);
  }
  return undefined;
}

/**
 * Waits until those before `place` have left the line, but not for ever: one of them may wait for a webhook that writes
 * the same object, or at a breakpoint.
 */
export async function turnIn(line: Line, place: object, storage: Pick<Storage, 'writing'>): Promise<void> {
  line.add(place);
  for (let left = line.size * ROUNDS_EACH + PATIENCE; left > 0 && line.values().next().value !== place; left--)
    await (storage.writing() ?? otherTasks());
}
