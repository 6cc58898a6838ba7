/** The server in the cluster that somebody looks at. */
import { create } from '../../store.ts';
import { showDock } from '../../shell/overlay.ts';

export interface BrowseTarget {
  readonly kind: 'pods' | 'services';
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

export const useBrowsing = create<{ readonly target: BrowseTarget | undefined }>()(() => ({ target: undefined }));

/** Opens a server's pages, in the dock. */
export function openBrowser(target: BrowseTarget): void {
  useBrowsing.setState({ target });
  showDock('browse');
}
