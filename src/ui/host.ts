/**
 * What the page asks of its host. `main.tsx` hands in an implementation (the worker behind the page); tests hand in
 * the core itself. The page knows a cluster only by these few things: a transport, a trace, a clock.
 */
import type { Transport } from '../client/index.ts';
import type { Profile } from '../names/index.ts';
import type { Topic, TraceEvent } from '../trace/index.ts';

/** How a cluster is made; the form of `vitrine.boot`'s argument. */
export interface BootOptions {
  readonly name: string;
  readonly naming?: Profile;
  readonly apiserver?: readonly string[];
  readonly controllerManager?: readonly string[];
  readonly scheduler?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly nodes?: number;
  readonly clock?: 'real' | 'manual' | number;
  readonly seed?: string | number;
  readonly storage?: 'memory' | 'indexeddb';
}

/** A cluster that this browser keeps, open or not. `options` are those it was made with. */
export interface KnownCluster {
  readonly name: string;
  readonly options: BootOptions;
  /** Milliseconds since the epoch, by the browser's clock. */
  readonly lastOpened?: number;
  /** Bytes on disk, where the host can tell. */
  readonly bytes?: number;
}

/** What the origin of the page lacks; each sentence says what then does not work. */
export interface OriginReport {
  readonly secure: boolean;
  readonly lacking: readonly string[];
}

/** What the cluster's clock shows. */
export interface ClockState {
  /** Milliseconds since the epoch, by the cluster's clock, when this state was read. */
  readonly now: number;
  readonly paused: boolean;
  readonly scale: number;
}

export interface ClockControl {
  state(): Promise<ClockState>;
  pause(): Promise<ClockState>;
  resume(): Promise<ClockState>;
  scale(factor: number): Promise<ClockState>;
  /** Moves time ahead by `ms` of the cluster's time; resolves when everything that fell due has run. */
  step(ms: number): Promise<ClockState>;
}

/** What storage keeps, for the storage panel. */
export interface StorageReport {
  readonly revision: number;
  /** Revisions at or below this one are gone. */
  readonly compacted: number;
  readonly keys: number;
  readonly bytes?: number;
  readonly backend: 'memory' | 'indexeddb';
}

/** One past write of a key. `value` is the stored object; undefined for a deletion. */
export interface KeptRevision {
  readonly revision: number;
  readonly value?: unknown;
}

export interface StorageControl {
  report(): Promise<StorageReport>;
  /** Forgets history up to `revision` (the current one where nothing is said). */
  compact(revision?: number): Promise<StorageReport>;
  /** Every kept revision of one object, oldest first. `key` is the storage key, such as `/registry/pods/default/web`. */
  history(key: string): Promise<readonly KeptRevision[]>;
}

/** A running cluster. Requests without credentials of their own come from the page's built-in administrator. */
export interface RunningCluster {
  readonly name: string;
  readonly options: BootOptions;
  /** Where the page's own `fetch` reaches it. */
  readonly base: string;
  readonly transport: Transport;
  /** Listens to the trace; returns what ends it. The host batches: `listener` gets everything since the last call. */
  trace(listener: (events: readonly TraceEvent[]) => void, topics?: readonly Topic[]): () => void;
  readonly clock: ClockControl;
  /** Absent where the host cannot look into storage. */
  readonly storage?: StorageControl;
  stop(): Promise<void>;
}

/** A step of opening a cluster, as the start page shows it. */
export interface BootStep {
  readonly step: 'worker' | 'storage' | 'controlPlane' | 'nodes' | 'ready';
  readonly detail?: string;
}

/** Why a cluster could not be opened. `damaged` offers export and repair. */
export class BootError extends Error {
  override name = 'BootError';
  readonly kind: 'damaged' | 'flags' | 'quota' | 'origin' | 'other';

  constructor(kind: BootError['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

export interface Host {
  readonly origin: OriginReport;
  clusters(): Promise<readonly KnownCluster[]>;
  /** Starts a cluster or opens the one of this name; throws BootError. */
  open(options: BootOptions, progress: (step: BootStep) => void): Promise<RunningCluster>;
  remove(name: string): Promise<void>;
  /** Everything that is readable of a cluster's storage. */
  export?(name: string): Promise<Blob>;
  /** Drops the damaged tail of a cluster's log; says what was dropped. */
  repair?(name: string): Promise<string>;
}
