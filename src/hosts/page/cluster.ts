/** A page's interface to an open cluster: queries and controls. */
import type {
  AccessQuestions,
  BriefEvent,
  Breakpoint,
  ClusterOptions,
  Delivery,
  IdTokenWish,
  RemoteQuestions,
  StorageCondition,
  Topic,
  TraceEvent,
  WebhookCall,
  WholeRequest,
} from '../../cluster/index.ts';
import type { LineState } from './line.ts';
import type { ServedCluster } from '../served/messages.ts';
import type { ClockState } from '../worker/clockState.ts';
import type { BreakpointState } from '../worker/control.ts';
import type { KeptRevision, StorageReport } from '../worker/otherRoutes.ts';
import type { ControllerMove, ControllersState } from '../worker/controllers.ts';
import type { LaterChange, PastMoment } from '../worker/pastRoutes.ts';

export interface ClockControl {
  state(): Promise<ClockState>;
  /** Calls back when it was moved from this page, by whatever means; returns what ends it. */
  follow(listener: (state: ClockState) => void): () => void;
  pause(): Promise<ClockState>;
  resume(): Promise<ClockState>;
  scale(factor: number): Promise<ClockState>;
  /** Moves time ahead by `ms` of the cluster's time; resolves when everything that fell due has run. */
  step(ms: number): Promise<ClockState>;
  /** Ends the current step at the current time. */
  stopStep(): Promise<ClockState>;
}

export interface StorageControl {
  report(): Promise<StorageReport>;
  /** Compacts history up to `revision` (the current one by default). */
  compact(revision?: number): Promise<StorageReport>;
  /** Every kept revision of one object, oldest first. `key` is the storage key. */
  history(key: string): Promise<readonly KeptRevision[]>;
  /** Calls back with whether it can be written, now and whenever that changes; returns what ends it. */
  follow(listener: (condition: StorageCondition) => void): () => void;
  /** After the database was lost: writes what memory still has into a new one. The cluster has to be opened again then. */
  restore?(): Promise<void>;
  /** The whole database as JSON lines; secrets only if requested. */
  export(secrets?: boolean): Promise<Blob>;
}

/** The cluster's questions about access, asked over the wire. */
export type AccessControl = {
  readonly [Ask in keyof AccessQuestions]: (
    ...given: Parameters<AccessQuestions[Ask]>
  ) => ReturnType<AccessQuestions[Ask]>;
};

/** The controllers at work. */
export interface ControllersControl {
  /** Calls back with how they stand, now and whenever one has worked; returns what ends it. */
  follow(listener: (state: ControllersState) => void): () => void;
  /** Pauses one, lets it go on, or lets it reconcile one key. */
  move(controller: string, what: ControllerMove['do']): Promise<void>;
}

/** The OpenID Connect issuer that lives in the cluster. */
export interface IssuerControl {
  /** Signs an ID token. */
  issue(wish: IdTokenWish): Promise<string>;
  /** Takes new keys. */
  rotate(): Promise<void>;
}

/** The log of requests, most of which stays where the cluster runs. */
export interface RequestsControl {
  /** Begins the log. Calls back with requests in short as they happen; returns what ends it and forgets all. */
  follow(listener: (events: readonly BriefEvent[]) => void): () => void;
  /** While paused, requests are told and not kept. */
  pause(paused: boolean): Promise<void>;
  /** Calls back with all that was kept of a request, now and whenever there is more; null if nothing is. Returns what ends it. */
  whole(request: string, listener: (whole: WholeRequest | null) => void): () => void;
  /** Calls back with the watches that were notified of a revision, in the same way. */
  notified(revision: number, listener: (deliveries: readonly Delivery[]) => void): () => void;
}

/** Control of breakpoints. */
export interface BreakpointControl {
  /** Calls back with what is set and what waits, now and whenever it changes; returns what ends it. */
  follow(listener: (state: BreakpointState) => void): () => void;
  /** Replaces all breakpoints. */
  set(breakpoints: readonly Breakpoint[]): Promise<void>;
  /** Continues a request, with the given object if any. */
  release(request: string, object?: unknown): Promise<void>;
}

/**
 * The state of outside access: not allowed (possibly with a reason other than the person's choice), connecting,
 * connected with an address, or reconnecting when the page's server is back.
 */
export type BridgeState =
  | { readonly is: 'off'; readonly why?: string }
  | { readonly is: 'opening' }
  | { readonly is: 'open'; readonly url: string }
  | { readonly is: 'waiting'; readonly why: string };

/** Lets clients outside of the browser in, by the server that the page came from. */
export interface BridgeControl {
  /** Whether that server can. */
  find(): Promise<boolean>;
  /** Calls back with how it stands, now and whenever that changes; returns what ends it. */
  follow(listener: (state: BridgeState) => void): () => void;
  /** Lets clients in until `close`, also after this tab is reloaded. */
  open(): void;
  close(): void;
  /**
   * A kubeconfig for an administrator, once there is an address. Rejects if the cluster does not trust its own
   * certificates.
   */
  kubeconfig(): Promise<string>;
}

/** A cluster that is open in this tab. */
export interface RunningCluster {
  readonly name: string;
  readonly options: ClusterOptions;
  /** Where the page's own `fetch` reaches it. */
  readonly base: string;
  /** The direct way, with the meaning of `fetch`; without an Authorization header it is the built-in administrator's. */
  readonly transport: (path: string, init?: RequestInit) => Promise<Response>;
  /** Listens to the trace; returns what ends it. `listener` gets everything since its last call. */
  trace(listener: (events: readonly TraceEvent[]) => void, topics?: readonly Topic[]): () => void;
  readonly clock: ClockControl;
  readonly storage: StorageControl;
  readonly access: AccessControl;
  readonly scheduling: RemoteQuestions;
  readonly controllers: ControllersControl;
  readonly requests: RequestsControl;
  readonly breakpoints: BreakpointControl;
  /** The last calls of webhooks that people wrote, the oldest first. */
  webhookCalls(): Promise<readonly WebhookCall[]>;
  readonly issuer: IssuerControl;
  readonly past: PastControl;
  bridge(): Promise<BridgeControl>;
  /** Where it runs, for one that the page's server serves. */
  readonly served?: Pick<ServedCluster, 'keptIn'> & {
    readonly url: string;
    /** Calls back with how it stands with the server, now and whenever that changes; returns what ends it. */
    follow(listener: (state: LineState) => void): () => void;
  };
  /** Resolves with the reason when the cluster is no longer open here. */
  readonly left: Promise<string>;
  stop(): Promise<void>;
}

/** A cluster as it was: what asks it, without what moves it. */
export type PastCluster = Omit<
  RunningCluster,
  'controllers' | 'requests' | 'breakpoints' | 'webhookCalls' | 'past' | 'issuer' | 'bridge'
> & {
  readonly moment: PastMoment;
};

/** What can be asked of a cluster's past. */
export interface PastControl {
  /** Opens a kept revision for reading; throws an error with the reason if it is not kept. */
  open(revision: number): Promise<PastCluster>;
  /** What changed after a revision, heartbeats aside; the first two hundred changes. */
  next(revision: number): Promise<readonly LaterChange[]>;
  /** Makes a cluster on disk that begins as this one was; its options. Absent where the cluster runs elsewhere. */
  fork?(revision: number, name: string): Promise<ClusterOptions>;
}
