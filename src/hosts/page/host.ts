import type { ClusterOptions } from '../../cluster/index.ts';
import type { BootStep } from '../worker/messages.ts';
import { BootError, connect, runChore } from './connection.ts';
import type { Connection } from './connection.ts';
import { askHost } from './ask.ts';
import { settleFiles } from './files.ts';
import { createFlagsControl, type FlagsControl } from './flags.ts';
import { intercept, keepPage } from './intercept.ts';
import type { KnownCluster } from './known.ts';
import { forget, knownCluster, knownClusters, remember } from './known.ts';
import type { OriginReport } from './origin.ts';
import { canKeep, canSign, inspectOrigin } from './origin.ts';
import type { RunningCluster } from './cluster.ts';
import { runningCluster } from './running.ts';
import { servedHere } from './servedHere.ts';
import type { Room } from './room.ts';
import { watchRoom } from './room.ts';
import { inBackground, throwToHost } from '../../std/index.ts';

/** What a page has of its host. */
export interface PageHost {
  readonly origin: OriginReport;
  /** The clusters that are open in this page, the one opened last at the end. */
  readonly opened: ReadonlyMap<string, RunningCluster>;
  clusters(): Promise<readonly KnownCluster[]>;
  /** Starts a cluster, or opens the one of this name; throws BootError. */
  open(options: ClusterOptions, progress?: (step: BootStep) => void): Promise<RunningCluster>;
  /** Stops a cluster in every tab and deletes its data. */
  remove(name: string): Promise<void>;
  /** Calls `listener` when a cluster was removed, and waits for it; returns what ends that. */
  onRemoved(listener: (name: string) => Promise<void>): () => void;
  /** Everything readable in a cluster's storage as JSON lines; secrets only if requested. */
  export(name: string, secrets?: boolean): Promise<Blob>;
  /** Stores an export with secrets as a new cluster. Rejects if a line is invalid. */
  importHistory(options: ClusterOptions, lines: Blob): Promise<void>;
  /** Drops damaged data of a cluster's storage; returns a description of it. */
  repair(name: string): Promise<string>;
  /** Calls `listener` when the browser's room for clusters becomes scarce; returns what ends that. */
  onScarceRoom(listener: (room: Room) => void): () => void;
  /** Calls `listener` with the message of each error that nothing in a worker caught; returns what ends that. */
  onProblem(listener: (message: string) => void): () => void;
  /** The components' flags, for those who edit them. */
  readonly flags: FlagsControl;
}

export function createPageHost(): PageHost {
  const served = servedHere();
  const connections = new Map<string, Connection>();
  const running = new Map<string, Promise<RunningCluster>>();
  const opened = new Map<string, RunningCluster>();
  const watchers = new Set<(room: Room) => void>();
  const removalListeners = new Set<(name: string) => Promise<void>>();
  const problemListeners = new Set<(message: string) => void>();

  /** From now on the cluster can be asked, until it is left. */
  const enter = (cluster: RunningCluster, connection: Connection): RunningCluster => {
    const { name, left } = cluster;
    connections.set(name, connection);
    opened.set(name, cluster);
    const forgotten = left.then(() => {
      connections.delete(name);
      running.delete(name);
      opened.delete(name);
    });
    inBackground(forgotten, throwToHost);
    keepPage();
    return cluster;
  };

  const start = async (given: ClusterOptions, progress: (step: BootStep) => void): Promise<RunningCluster> => {
    if (served?.known.name === given.name) {
      const [{ cluster, connection }] = await Promise.all([served.open(), intercept(connections)]);
      return enter(cluster, connection);
    }
    const options = settle(given);
    const onProblem = (message: string): void => problemListeners.forEach((listener) => listener(message));
    const known = options.storage === 'indexeddb' && knownCluster(options.name) !== undefined;
    const [direct] = await Promise.all([connect(options, known, progress, onProblem), intercept(connections)]);
    const onScarce = (room: Room): void => watchers.forEach((tell) => tell(room));
    const connection = options.storage === 'indexeddb' ? watchRoom(direct, onScarce) : direct;
    const cluster = runningCluster(await rememberWithFiles(options, direct, onProblem), connection);
    if (options.storage === 'indexeddb') keepWhenHidden(connection);
    progress({ step: 'ready' });
    return enter(cluster, connection);
  };

  const open: PageHost['open'] = (options, progress = () => undefined) => {
    const known = running.get(options.name);
    if (known) return known;
    const opening = start(options, progress);
    running.set(options.name, opening);
    opening.catch(() => running.delete(options.name));
    return opening;
  };

  const remove = async (name: string): Promise<void> => {
    const cluster = await running.get(name)?.catch(() => undefined);
    await cluster?.stop();
    if (canKeep()) await runChore(name, 'remove');
    forget(name);
    await Promise.all([...removalListeners].map((listener) => listener(name)));
  };

  return {
    origin: inspectOrigin(),
    opened,
    clusters: () => Promise.resolve(served ? [served.known, ...knownClusters()] : knownClusters()),
    open,
    remove,
    onRemoved: (listener) => {
      removalListeners.add(listener);
      return () => removalListeners.delete(listener);
    },
    export: async (name, secrets = false) => {
      const cluster = await running.get(name)?.catch(() => undefined);
      return cluster ? cluster.storage.export(secrets) : ((await runChore(name, 'export', { secrets })) as Blob);
    },
    importHistory: async (options, lines) => {
      const { name } = options;
      if (knownCluster(name)) throw new BootError('flags', `there is a cluster named ${name} already`);
      await runChore(name, 'import', { lines });
      remember(options, true);
    },
    onScarceRoom: (listener) => {
      watchers.add(listener);
      return () => watchers.delete(listener);
    },
    onProblem: (listener) => {
      problemListeners.add(listener);
      return () => problemListeners.delete(listener);
    },
    repair: async (name) => (await runChore(name, 'repair')) as string,
    flags: createFlagsControl(),
  };
}

/** A page that goes out of sight may be closed: what would be written a little later is written then. */
function keepWhenHidden(connection: Connection): void {
  const keep = (): void => {
    if (document.hidden) inBackground(askHost(connection, '/storage/keep', { method: 'POST' }), () => undefined);
  };
  document.addEventListener('visibilitychange', keep);
  inBackground(
    connection.left.then(() => document.removeEventListener('visibilitychange', keep)),
    throwToHost,
  );
}

/** Remembers a cluster on disk that is open now; its options with the files that it runs with. */
async function rememberWithFiles(
  options: ClusterOptions,
  connection: Connection,
  onProblem: (message: string) => void,
): Promise<ClusterOptions> {
  if (options.storage !== 'indexeddb') return options;
  const { files, kept } = await settleFiles(connection, options.files);
  remember(options, kept);
  if (!kept) onProblem(`The files of ${options.name} could not be kept: its storage can't be written.`);
  return { ...options, files };
}

/** The given options, then those of the stored cluster, then the page's defaults. */
function settle(given: ClusterOptions): ClusterOptions {
  if (!/^[a-z0-9]([-a-z0-9.]{0,61}[a-z0-9])?$/i.test(given.name)) {
    throw new BootError('flags', `"${given.name}" cannot name a cluster: use at most 63 letters, digits, "-" and "."`);
  }
  if (!canSign()) {
    throw new BootError(
      'origin',
      'browsers withhold cryptography from pages that came over plain http; open this one over https or from localhost',
    );
  }
  const kept = given.storage === 'memory' ? undefined : knownCluster(given.name)?.options;
  if (kept && given.naming && given.naming !== (kept.naming ?? 'cluster.io')) {
    throw new BootError('flags', `${given.name} was made with the names of ${kept.naming}; they cannot be changed`);
  }
  const storage = given.storage ?? (canKeep() ? 'indexeddb' : 'memory');
  if (storage === 'indexeddb' && !canKeep()) {
    throw new BootError('origin', 'this origin has no Web Locks, so a cluster can only be kept in memory');
  }
  return { ...kept, ...given, storage };
}
