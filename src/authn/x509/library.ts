/**
 * The one place that loads the certificate library. It is large and most clusters are asked for no certificate on most
 * days, so that is done when the first one is read or made.
 */
import type * as library from '@peculiar/x509';

/** The library; there once `loadX509` has resolved. */
export let x509: typeof library;

let loaded = false;

export const x509Loaded = (): boolean => loaded;

export async function loadX509(): Promise<void> {
  if (loaded) return;
  ({ x509 } = await import('./peculiar.ts'));
  loaded = true;
}
