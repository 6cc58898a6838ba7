import { getOwn, setOwn } from '../../std/index.ts';
import type { ClusterOptions } from '../../cluster/index.ts';

/**
 * A cluster in this browser, open or not. `options` are those it was created with, without its files: they contain
 * credentials and are in the cluster's own storage. Lists of older versions have files until the cluster is opened.
 */
export interface KnownCluster {
  readonly name: string;
  readonly options: ClusterOptions;
  /** Milliseconds since the epoch, by the browser's clock. */
  readonly lastOpened?: number;
  /** It runs in the server that the page came from. */
  readonly served?: true;
}

const key = 'vitrine.clusters';

/** The clusters on disk, the one that was opened last first. */
export function knownClusters(): KnownCluster[] {
  return Object.values(read()).sort((a, b) => (b.lastOpened ?? 0) - (a.lastOpened ?? 0));
}

export function knownCluster(name: string): KnownCluster | undefined {
  return getOwn(read(), name);
}

/** Remembers a cluster that is open. Files that an older version left here go once the cluster keeps them. */
export function remember({ files: _files, ...options }: ClusterOptions, filesAreKept: boolean): void {
  const left = filesAreKept ? undefined : knownCluster(options.name)?.options.files;
  const known = { name: options.name, options: { ...options, ...(left && { files: left }) }, lastOpened: Date.now() };
  const all = read();
  setOwn(all, options.name, known);
  write(all);
}

/** The storage key of a cluster's bridge: in the tab that it is enabled, in the browser its address. */
export const bridgeKey = (name: string): string => `vitrine.bridge.${name}`;

export function forget(name: string): void {
  for (const storage of [localStorage, sessionStorage]) storage.removeItem(bridgeKey(name));
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

/** The list is a convenience: without space for it, the databases still exist. */
function write(all: Record<string, KnownCluster>): void {
  try {
    localStorage.setItem(key, JSON.stringify(all));
  } catch {
    // Nothing to be done here; the next write may fit.
  }
}
