/** Many commits at once, for less than that many calls of `commit`. */
import { LateEntry } from './lateEntry.ts';
import type { DraftState, Entry, PutOp, Rewrite, SeriesVerdict, Storage, StorageEvent } from './types.ts';

/**
 * Performs each rewrite as a commit of its own, in order. Ends before one whose key has changed, and returns the new
 * entries.
 */
export function rewrite(storage: Pick<Storage, 'series'>, rewrites: readonly Rewrite[]): Promise<readonly Entry[]> {
  return inSeries(storage, rewrites, (draft, { previous, around, differs }) => {
    if (draft.get(previous.key) !== previous) return undefined;
    return draft.put(new LateEntry(previous, draft.revision + 1, around, differs), previous);
  });
}

/**
 * Performs each put as a commit of its own, in order. Ends before one whose key is not at the revision that it expects,
 * and returns the new entries. No text holds half a surrogate pair.
 */
export function putEach(storage: Pick<Storage, 'series'>, puts: readonly PutOp[]): Promise<readonly Entry[]> {
  return inSeries(storage, puts, (draft, put) =>
    (draft.get(put.key)?.revision ?? 0) === put.expect ? draft.write(put) : undefined,
  );
}

interface Told {
  readonly stored?: (entry: Entry) => void;
}

/** Commits what `next` makes of each, up to the first of which it makes nothing. */
function inSeries<T extends Told>(
  storage: Pick<Storage, 'series'>,
  all: readonly T[],
  next: (draft: DraftState, one: T) => StorageEvent | undefined,
): Promise<readonly Entry[]> {
  return new Promise((resolve, reject) => {
    const judge = (draft: DraftState): SeriesVerdict => {
      const entries: Entry[] = [];
      const changes: SeriesVerdict['changes'][number][] = [];
      for (const one of all) {
        const event = next(draft, one);
        if (!event?.entry) break;
        changes.push({ type: 'commit', revision: event.revision, events: [event] });
        entries.push(event.entry);
      }
      const tell = (): void => entries.forEach((entry, i) => all[i]?.stored?.(entry));
      return { answer: () => resolve(entries), changes, tell };
    };
    if (storage.series) storage.series({ type: 'series', frees: false, judge, reject });
    else resolve([]);
  });
}
