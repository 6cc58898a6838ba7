/** `--timeout`: work that has a limit. */
import type { Call } from './command.ts';
import { complaint } from './errors.ts';

/** Does `work` until `limit` milliseconds are over; 0 is no limit. Throws `late` as a complaint where it took longer. */
export async function within(
  { session }: Pick<Call, 'session'>,
  limit: number,
  late: string,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  if (limit === 0) return work(session.signal);
  const over = new AbortController();
  const timer = session.clock.setTimeout(() => over.abort(), limit);
  try {
    await work(AbortSignal.any([session.signal, over.signal]));
  } catch (error) {
    if (!over.signal.aborted) throw error;
  } finally {
    session.clock.clearTimeout(timer);
  }
  if (over.signal.aborted) throw complaint(late);
}
