import { getOwn } from '../../std/index.ts';
import type { ClusterOptions } from '../../cluster/index.ts';

/** A cluster that this browser keeps, open or not. `options` are those it was made with. */
export interface KnownCluster {
  readonly name: string;
  readonly options: ClusterOptions;
  /** Milliseconds since the epoch, by the browser's clock. */
  readonly lastOpened?: number;
}

const key = 'vitrine.clusters';

/** The clusters on disk, the one that was opened last first. */
export function knownClusters(): KnownCluster[] {
  return Object.values(read()).sort((a, b) => (b.lastOpened ?? 0) - (a.lastOpened ?? 0));
}

export function knownCluster(name: string): KnownCluster | undefined {
  return getOwn(read(), name);
}

export function remember(options: ClusterOptions): void {
  write({ ...read(), [options.name]: { name: options.name, options, lastOpened: Date.now() } });
}

export function forget(name: string): void {
  const { [name]: _gone, ...others } = read();
  write(others);
}

function read(): Record<string, KnownCluster> {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '{}') as Record<string, KnownCluster>;
  } catch {
    return {};
  }
}

/** The list is a convenience: where there is no room for it, the databases are still there. */
function write(all: Record<string, KnownCluster>): void {
  try {
    localStorage.setItem(key, JSON.stringify(all));
  } catch {
    // Nothing to be done here; the next write may fit.
  }
}
