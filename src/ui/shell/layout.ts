/** Which parts of the shell are open, and how large; kept in the browser. */
import { useSyncExternalStore } from 'react';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';

interface Layout {
  readonly inspector: number;
  readonly dock: number;
  readonly dockOpen: boolean;
  readonly dockTab: string;
  readonly list: number;
}

export const useLayout = create<Layout>()(
  persist((): Layout => ({ inspector: 480, dock: 260, dockOpen: false, dockTab: 'requests', list: 208 }), {
    name: 'vitrine.layout',
  }),
);

const narrow = '(max-width: 760px)';

function follow(changed: () => void): () => void {
  const query = window.matchMedia(narrow);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
}

export const isNarrow = (): boolean => window.matchMedia(narrow).matches;

/** Whether the screen is a phone's: then the inspector, the dock and lists become sheets. */
export function useNarrow(): boolean {
  return useSyncExternalStore(follow, isNarrow);
}
