/** What lies over the shell: the command palette, the list of keys, the editor's sheet. One at a time. */
import { create } from '../store.ts';
import { isNarrow } from '../parts/narrow.ts';
import { useLayout } from './layout.ts';

export type Overlay = 'palette' | 'keys' | 'more' | 'dock' | 'share' | 'snapshot' | 'reset' | undefined;

export const useOverlay = create<{ readonly overlay: Overlay; readonly text: string }>()(() => ({
  overlay: undefined,
  text: '',
}));

/** Shows an overlay; `text` is what the palette starts with. */
export const showOverlay = (overlay: Overlay, text = ''): void => useOverlay.setState({ overlay, text });
export const hideOverlay = (): void => useOverlay.setState({ overlay: undefined, text: '' });

/** Opens the dock at one of its tabs. */
export function showDock(dockTab: string): void {
  useLayout.setState({ dockTab, dockOpen: true });
  if (isNarrow()) showOverlay('dock');
}
