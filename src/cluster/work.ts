/**
 * The components besides the API server: nodes, controllers, scheduler; each at one server if several share the
 * storage.
 */
import type { RemoteFetch } from '../authn/index.ts';
import { Client, type Precedence, type Transport } from '../client/index.ts';
import { startControllers, type RunningControllers } from '../controllers/index.ts';
import type { Names } from '../names/index.ts';
import type { RunningNodes } from '../node/index.ts';
import { startScheduler, type RunningScheduler } from '../scheduler/index.ts';
import type { Clock, Metrics } from '../std/index.ts';
import type { Storage } from '../storage/index.ts';
import type { Tracer } from '../trace/index.ts';
import type { Origin } from '../apiserver/index.ts';
import type { Chance } from './chance.ts';
import type { FlagReading, FlagSet, readFlags } from './flags/index.ts';
import { loopback } from './identities.ts';
import { openIssuance } from './issuance.ts';
import type { ClusterOptions } from './options.ts';
import { sharedWork } from './parts.ts';

export interface WorkParts extends Chance {
  readonly names: Names;
  readonly clock: Clock;
  readonly tracer: Tracer;
  /** The metrics of all components, which share a process. */
  readonly metrics: Metrics;
  readonly storage: Storage;
  readonly hostname?: string;
  /** The flags of each component. */
  readonly components: ReturnType<typeof readFlags>;
  /** The API server's. */
  readonly flags: FlagSet;
  readonly gate: (name: string) => boolean;
  /** The given or stored files, and the cluster's own keys. */
  readonly files: Readonly<Record<string, string>>;
}

/** Returns a transport with the identity of that user, whose requests contain their causes. */
export type TransportFor = (identity: string, causes?: Origin['causes'], precedence?: Precedence) => Transport;

export interface Component {
  stop(): Promise<void> | void;
}

export interface Work {
  /** The simulated nodes, while they run here. */
  readonly nodes: () => RunningNodes | undefined;
  readonly controllers: RunningControllers;
  readonly scheduler: RunningScheduler;
  /** Everything that has to be stopped. */
  readonly running: readonly Component[];
}

interface WorkDeps {
  readonly transportFor: TransportFor;
  readonly fetch: RemoteFetch;
  /** Missing if the nodes run at another server of this process. */
  readonly startNodes: (() => RunningNodes) | undefined;
}

/** Starts all components. Their requests use `transportFor`. */
export async function startWork(
  parts: WorkParts,
  { schedulerPaused: paused = false, servers = 1 }: ClusterOptions,
  { transportFor, fetch, startNodes }: WorkDeps,
): Promise<Work> {
  const sharing = parts.storage.shared ? await sharedWork.load() : undefined;
  const sharingParts = { ...parts, transportFor };
  const elect = servers === 1 && startNodes ? sharing?.electNodes(sharingParts, startNodes) : undefined;
  const fleet = elect ?? always(startNodes?.());
  const { control, schedule } = await makeComponents(parts, transportFor, fetch, paused);
  const { controllers, scheduler } = sharing?.electComponents(sharingParts, { control, schedule }) ?? {
    controllers: control(),
    scheduler: schedule(),
  };
  const others = [...(await identityOfServer(parts, transportFor)), ...(sharing?.announce(sharingParts) ?? [])];
  return { nodes: fleet.current, controllers, scheduler, running: [fleet, ...others, controllers, scheduler] };
}

/** A component's flag by name. */
export const flagOf =
  ({ flags }: FlagReading) =>
  (name: string): string | undefined =>
    flags.get(name);

/** The components, each started in order. */
async function makeComponents(
  parts: WorkParts,
  transportFor: TransportFor,
  reach: RemoteFetch,
  paused: boolean,
): Promise<{ readonly control: () => RunningControllers; readonly schedule: () => RunningScheduler }> {
  const { clock, random, keyMaker, tracer, metrics, names, files } = parts;
  const shared = { transportFor, clock, random, tracer, metrics, names, files };
  const { controllerManager, scheduler } = parts.components;
  const issuance = await openIssuance({ names, clock, random, keyMaker, files, flag: flagOf(controllerManager) });
  const { gate } = controllerManager;
  return {
    control: () => startControllers({ ...shared, issuance, gate, flags: flagOf(controllerManager) }),
    schedule: () => startScheduler({ ...shared, fetch: reach, flags: flagOf(scheduler), paused }),
  };
}

const always = (
  running: RunningNodes | undefined,
): Component & { readonly current: () => RunningNodes | undefined } => ({
  current: () => running,
  stop: () => running?.stop(),
});

/** The identity lease of the API server, if enabled. */
async function identityOfServer(
  { names, gate, ...parts }: WorkParts,
  transportFor: (identity: string) => Transport,
): Promise<Component[]> {
  if (!gate('APIServerIdentity')) return [];
  const transport = transportFor(loopback.name);
  const client = new Client({ transport, names, userAgent: names.fill('{prefix}-apiserver') });
  return [(await sharedWork.load()).startIdentityLease({ ...parts, client })];
}
