/** What the page asks of its host, which `main.tsx` or a test hands in. Of a cluster it knows a transport, a trace, a clock. */
import type { Transport } from '../client/index.ts';
import type { Profile } from '../names/index.ts';
import type { Bridged } from './bridge.ts';
import type { ControllersControl } from './controllers.ts';
import type { Requested } from './requests.ts';
import type { SchedulingControl } from './scheduling.ts';
import type { Topic, TraceEvent, WebhookCall } from '../trace/index.ts';

/** How a cluster is made; the form of `vitrine.boot`'s argument. */
export interface BootOptions {
  readonly name: string;
  readonly naming?: Profile;
  readonly apiserver?: readonly string[];
  readonly controllerManager?: readonly string[];
  readonly scheduler?: readonly string[];
  readonly schedulerPaused?: boolean;
  readonly files?: Readonly<Record<string, string>>;
  readonly nodes?: number;
  readonly addons?: readonly 'dns'[];
  readonly clock?: 'real' | 'manual' | number;
  readonly seed?: string | number;
  readonly storage?: 'memory' | 'indexeddb';
}

/** A cluster that this browser keeps, open or not, or one that the page's server runs (`served`). `options` are those it was made with. */
export interface KnownCluster {
  readonly name: string;
  readonly options: BootOptions;
  /** Milliseconds since the epoch, by the browser's clock. */
  readonly lastOpened?: number;
  /** Bytes on disk, where the host can tell. */
  readonly bytes?: number;
  readonly served?: true;
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
  /** Where the step under way ends, in milliseconds since the epoch. */
  readonly target?: number;
  /** The next timer whose moment matters, heartbeats aside, and whose it is. */
  readonly next?: { readonly due: number; readonly what: string };
}

export interface ClockControl {
  state(): Promise<ClockState>;
  /** Calls back when it was moved from this page, by whatever means; returns what ends it. */
  follow(listener: (state: ClockState) => void): () => void;
  pause(): Promise<ClockState>;
  resume(): Promise<ClockState>;
  scale(factor: number): Promise<ClockState>;
  /** Moves time ahead by `ms` of the cluster's time; resolves when everything that fell due has run. */
  step(ms: number): Promise<ClockState>;
  /** Ends the step under way where it is. */
  stopStep(): Promise<ClockState>;
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
  /** Calls back with whether it can be written, now and whenever that changes; returns what ends it. */
  follow?(listener: (condition: StorageCondition) => void): () => void;
  /** After the database was lost: writes what memory still has into a new one. The cluster has to be opened again then. */
  restore?(): Promise<void>;
}

/** `full`: only deletions are written. `lost`: what was on disk is gone, and only memory still has it. */
export type StorageCondition =
  { readonly is: 'sound' } | { readonly is: 'full' } | { readonly is: 'lost'; readonly why: string };

/** What names a subject, a role or a binding in an answer about access. */
export interface AccessId {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

export interface AccessRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

export interface AccessUser {
  readonly name: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** A request, as the authorizers see it. */
export interface AccessWish {
  readonly verb: string;
  readonly isResource: boolean;
  readonly path: string;
  readonly namespace: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
}

/** By what somebody may do something. */
export interface AccessGrant {
  readonly subject: AccessId;
  readonly binding: AccessId;
  readonly role: AccessId;
  readonly ruleIndex: number;
}

/** A rule that a user holds; `scope` is a namespace, or empty for the whole cluster. */
export interface HeldRule extends AccessGrant {
  readonly scope: string;
  readonly rule: AccessRule;
}

export interface AccessRow {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
}

export interface AccessMatrixRow extends AccessRow {
  readonly cells: readonly {
    readonly verb: string;
    readonly allowed: 'yes' | 'named' | 'no';
    readonly names: readonly string[];
  }[];
}

/** A part of a change that would allow a request. */
export type AccessEdit =
  | { readonly do: 'add'; readonly to: AccessId; readonly field: string; readonly value: string | AccessId }
  | { readonly do: 'create-role'; readonly role: AccessId; readonly rules: readonly AccessRule[] }
  | {
      readonly do: 'create-binding';
      readonly binding: AccessId;
      readonly roleRef: { readonly apiGroup: string; readonly kind: string; readonly name: string };
      readonly subjects: readonly AccessId[];
    };

export interface AccessChange {
  readonly edits: readonly AccessEdit[];
  /** What it would allow besides. */
  readonly opens: readonly { readonly subject: AccessId; readonly scope: string; readonly rule: AccessRule }[];
}

/** Roles and bindings as they would be. */
export interface AccessProposal {
  readonly roles: readonly {
    readonly metadata: { readonly name: string; readonly namespace?: string };
    readonly rules: readonly AccessRule[];
  }[];
  readonly bindings: readonly {
    readonly metadata: { readonly name: string; readonly namespace?: string };
    readonly roleRef: { readonly apiGroup: string; readonly kind: string; readonly name: string };
    readonly subjects: readonly AccessId[];
  }[];
}

export interface AccessShift {
  readonly subject: AccessId;
  readonly scope: string;
  readonly gains: readonly AccessRule[];
  readonly loses: readonly AccessRule[];
}

/** Questions about who may do what, answered by the index that decides requests. */
export interface AccessControl {
  whoCan(wish: AccessWish): Promise<readonly AccessGrant[]>;
  whatCan(user: AccessUser): Promise<readonly HeldRule[]>;
  matrix(
    user: AccessUser,
    namespace: string,
    rows: readonly AccessRow[],
    verbs: readonly string[],
  ): Promise<readonly AccessMatrixRow[]>;
  /** Changes that would allow it, the one that opens least first. */
  changesFor(wish: AccessWish & { readonly user: AccessUser }): Promise<readonly AccessChange[]>;
  /** Who would gain and lose what if roles and bindings were as proposed. */
  shiftsBy(proposal: AccessProposal): Promise<readonly AccessShift[]>;
}

/** What an ID token is to say; `claims` are those besides the usual ones, such as groups. */
export interface TokenWish {
  readonly subject: string;
  readonly audience: string;
  readonly lifetimeSeconds: number;
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly algorithm?: 'RS256' | 'ES256';
}

/** The OpenID Connect issuer that lives in the cluster. */
export interface IssuerControl {
  issue(wish: TokenWish): Promise<string>;
  rotate(): Promise<void>;
}

/** A moment of a cluster's past. */
export interface PastMoment {
  readonly revision: number;
  /** What the cluster's clock showed; milliseconds since the epoch. */
  readonly now: number;
}

/** A change that came after a revision. */
export interface LaterChange {
  readonly revision: number;
  /** The storage key, such as `/registry/pods/default/web`. */
  readonly key: string;
  readonly type: 'created' | 'changed' | 'deleted';
}

/** What can be asked of a cluster's past. */
export interface PastControl {
  /** Opens a kept revision, to look at; throws an error that says why where it is not kept. */
  open(revision: number): Promise<RunningCluster & { readonly moment: PastMoment }>;
  /** What changed after a revision, heartbeats aside. */
  next(revision: number): Promise<readonly LaterChange[]>;
  /** Makes a cluster on disk that begins as this one was; its options. Absent where the cluster runs elsewhere. */
  fork?(revision: number, name: string): Promise<BootOptions>;
}

/** A running cluster. Requests without credentials of their own come from the page's built-in administrator. */
export interface RunningCluster extends Bridged, Requested {
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
  /** Absent where the host cannot look into its decisions. */
  readonly access?: AccessControl;
  /** Absent where the host cannot ask the scheduler. */
  readonly scheduling?: SchedulingControl;
  /** Absent where the host can't look at its controllers. */
  readonly controllers?: ControllersControl;
  /** Absent where the host keeps no past, and in the past itself. */
  readonly past?: PastControl;
  /** Absent where the host has none. */
  readonly issuer?: IssuerControl;
  /** The last calls of webhooks that people wrote, the oldest first. */
  webhookCalls?(): Promise<readonly WebhookCall[]>;
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
  readonly kind: 'damaged' | 'gone' | 'flags' | 'quota' | 'origin' | 'away' | 'other';

  constructor(kind: BootError['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

/** A component that is started with flags, as its key among the options says. */
export type ComponentKey = 'apiserver' | 'controllerManager' | 'scheduler';

/** A flag, as its declaration has it. */
export interface FlagInfo {
  readonly name: string;
  readonly section: string;
  /** The type in words. */
  readonly type: string;
  /** Whether it may be given repeatedly. */
  readonly several: boolean;
  /** Whether it is written without a value to switch it on. */
  readonly isSwitch: boolean;
  readonly help: string;
  /** What the reference assumes; empty for a text that nobody gave. */
  readonly default: string;
  /** What a cluster gives itself instead of leaving it open. */
  readonly supplied?: string;
  readonly choices?: readonly string[];
  /** Its values are names of files. */
  readonly isFile: boolean;
  readonly deprecated?: string;
  /** Why it is accepted and does nothing; missing where it works. */
  readonly noEffect?: string;
}

export interface GateInfo {
  readonly name: string;
  readonly stage: string;
  readonly on: boolean;
  readonly locked: boolean;
  readonly noEffect?: string;
}

export interface ComponentInfo {
  readonly key: ComponentKey;
  readonly title: string;
  readonly flags: readonly FlagInfo[];
}

export interface FlagsInfo {
  readonly components: readonly ComponentInfo[];
  readonly gates: readonly GateInfo[];
}

/** What a start with some options would be told. */
export interface FlagsVerdict {
  readonly problems: readonly {
    readonly component: ComponentKey;
    /** The flag, without dashes; missing where an argument is none. */
    readonly flag?: string;
    readonly message: string;
  }[];
  readonly warnings: readonly string[];
}

/** The declarations of flags, which live with the control plane and not in the page. */
export interface FlagsControl {
  describe(naming: Profile): Promise<FlagsInfo>;
  check(options: BootOptions): Promise<FlagsVerdict>;
}

export interface Host {
  readonly origin: OriginReport;
  clusters(): Promise<readonly KnownCluster[]>;
  /** Starts a cluster or opens the one of this name; throws BootError. */
  open(options: BootOptions, progress: (step: BootStep) => void): Promise<RunningCluster>;
  remove(name: string): Promise<void>;
  /** Calls `listener` when a cluster was removed, by whomever in this page, and waits for it; returns what ends that. */
  onRemoved?(listener: (name: string) => Promise<void>): () => void;
  /** Everything that is readable of a cluster's storage; what is secret only where it is asked for. */
  export?(name: string, secrets?: boolean): Promise<Blob>;
  /** Keeps a cluster that was exported with its secrets under a new name. Rejects where a line of it is broken. */
  importHistory?(options: BootOptions, lines: Blob): Promise<void>;
  /** Absent where the host cannot tell of flags; they are edited as text then. */
  readonly flags?: FlagsControl;
  /** Hears when the browser's room for clusters becomes scarce; in bytes. */
  onScarceRoom?(listener: (room: { readonly usage: number; readonly quota: number }) => void): () => void;
  /** Hears the message of each error that nothing in a worker caught. */
  onProblem?(listener: (message: string) => void): () => void;
  /** Drops the damaged tail of a cluster's log; says what was dropped. */
  repair?(name: string): Promise<string>;
}
