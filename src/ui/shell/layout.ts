/** Which parts of the shell are open, and how large; kept in the browser. */
import { create } from '../store.ts';
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
