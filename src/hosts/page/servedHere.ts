import type { KnownCluster } from './known.ts';
import { runningCluster } from './running.ts';
import type { OpenedServed } from './served.ts';

/** The cluster that the server of the page serves (`npm run serve -- --page`). */
export interface ServedHere {
  readonly known: KnownCluster;
  /** Throws BootError where the server is away, or has another key. */
  open(): Promise<OpenedServed>;
}

/** Under this name the tab keeps the key that the server's link brought. */
const KEY = 'vitrine.served';

/** What the page itself says of its server; undefined where that serves no cluster. */
export function servedHere(): ServedHere | undefined {
  const { served: name } = document.documentElement.dataset;
  if (!name) return undefined;
  // The key leaves the address at once, so that no bookmark and no shared address holds it.
  const [address, key] = location.hash.split('?key=');
  if (key) {
    sessionStorage.setItem(KEY, key);
    history.replaceState(null, '', address);
  }
  const open = async (): Promise<OpenedServed> =>
    (await import('./served.ts')).openServed(sessionStorage.getItem(KEY) ?? '', runningCluster);
  return { known: { name, options: { name }, served: true }, open };
}
