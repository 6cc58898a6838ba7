import { LateEntry } from './lateEntry.ts';
import type { DraftState, Entry, Rewrite, SeriesVerdict, Storage } from './types.ts';

/**
 * Performs each rewrite as a commit of its own, in order, for less than that many calls of `commit`. Ends before one whose
 * key has changed, and returns the new entries.
 */
export function rewrite(storage: Pick<Storage, 'series'>, rewrites: readonly Rewrite[]): Promise<readonly Entry[]> {
  return new Promise((resolve, reject) => {
    const judge = (draft: DraftState): SeriesVerdict => {
      const entries: Entry[] = [];
      const changes: SeriesVerdict['changes'][number][] = [];
      for (const { previous, around, differs } of rewrites) {
        if (draft.get(previous.key) !== previous) break;
        const revision = draft.revision + 1;
        const entry = new LateEntry(previous, revision, around, differs);
        changes.push({ type: 'commit', revision, events: [draft.put(entry, previous)] });
        entries.push(entry);
      }
      const tell = (): void => entries.forEach((entry, i) => rewrites[i]?.stored(entry));
      return { answer: () => resolve(entries), changes, tell };
    };
    if (storage.series) storage.series({ type: 'series', frees: false, judge, reject });
    else resolve([]);
  });
}
