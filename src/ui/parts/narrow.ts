/** Whether the window is as narrow as a phone. */
import { useSyncExternalStore } from 'preact/compat';

const narrow = '(max-width: 760px)';

function follow(changed: () => void): () => void {
  const query = window.matchMedia(narrow);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
}

export const isNarrow = (): boolean => window.matchMedia(narrow).matches;

/** Whether it is: then the inspector, the dock and lists become sheets, and tables have fewer columns. */
export function useNarrow(): boolean {
  return useSyncExternalStore(follow, isNarrow);
}
