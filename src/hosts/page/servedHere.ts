import type { KnownCluster } from './known.ts';
import { runningCluster } from './running.ts';
import type { OpenedServed } from './served.ts';

/** The cluster that the server of the page serves (`npm run serve -- --page`). */
export interface ServedHere {
  readonly known: KnownCluster;
  /** Throws BootError where the server is away, or has another key. */
  open(): Promise<OpenedServed>;
}

/** Under this name the tab keeps the server's key, */
const KEY = 'vitrine.served';
/** and under this one the key of a link, until the server has shown that it is its own. */
const GIVEN = 'vitrine.served.given';

/** What the page's markup says about its server; undefined if that serves no cluster. */
export function servedHere(): ServedHere | undefined {
  const { served: name } = document.documentElement.dataset;
  if (!name) return undefined;
  takeKey();
  // A link that is opened in this tab changes the address alone. This listener comes before the one that reads addresses.
  window.addEventListener('hashchange', () => takeKey() && location.reload());
  const keys = {
    all: () => [GIVEN, KEY].flatMap((each) => sessionStorage.getItem(each) ?? []),
    fits: (key: string) => {
      sessionStorage.setItem(KEY, key);
      sessionStorage.removeItem(GIVEN);
    },
  };
  const open = async (): Promise<OpenedServed> => (await import('./served.ts')).openServed(keys, runningCluster);
  return { known: { name, options: { name }, served: true }, open };
}

/**
 * Removes a link's key from the address at once, so that no bookmark or shared address contains it; returns whether
 * there was one.
 */
function takeKey(): boolean {
  const [address, key] = location.hash.split('?key=');
  if (!key) return false;
  sessionStorage.setItem(GIVEN, key);
  history.replaceState(null, '', address);
  return true;
}
