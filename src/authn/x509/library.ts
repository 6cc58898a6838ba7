/**
 * The only place that loads the certificate library. It is large and rarely needed, so it is loaded when the first
 * certificate is read or created.
 */
import type * as library from '@peculiar/x509';

/** The library, after `loadX509` has resolved. */
export let x509: typeof library;

let loaded = false;

export const x509Loaded = (): boolean => loaded;

export async function loadX509(): Promise<void> {
  if (loaded) return;
  ({ x509 } = await import('./peculiar.ts'));
  loaded = true;
}
