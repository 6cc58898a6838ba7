/** What lies over the shell: the command palette, the list of keys, the editor's sheet. One at a time. */
import { create } from 'zustand';

export type Overlay = 'palette' | 'keys' | 'more' | 'dock' | undefined;

export const useOverlay = create<{ readonly overlay: Overlay; readonly text: string }>()(() => ({
  overlay: undefined,
  text: '',
}));

/** Shows an overlay; `text` is what the palette starts with. */
export const showOverlay = (overlay: Overlay, text = ''): void => useOverlay.setState({ overlay, text });
export const hideOverlay = (): void => useOverlay.setState({ overlay: undefined, text: '' });
