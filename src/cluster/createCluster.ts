/** The composition root: creates every part of a cluster and connects them. */
import { createApiServer, type ApiServer, type ApiServerOptions, type Origin } from '../apiserver/index.ts';
import type { KeyKind, RemoteFetch, SimulatedIssuer } from '../authn/index.ts';
import { Client, type Transport } from '../client/index.ts';
import type { RunningControllers } from '../controllers/index.ts';
import { namesOf, type Names } from '../names/index.ts';
import { networkSettings } from '../network/index.ts';
import { startNodes, type NodesOptions, type RunningNodes } from '../node/index.ts';
import { kinds, createScheme, status, type KindDeclaration } from '../schema/index.ts';
import { recallScheduling, type RunningScheduler } from '../scheduler/index.ts';
import {
  hostTime,
  loadAll,
  manualClock,
  Metrics,
  must,
  realClock,
  type Clock,
  type ControlledClock,
} from '../std/index.ts';
import { openStorage, type Backend, type Storage } from '../storage/index.ts';
import { Breakpoints, createTracer, type Tracer } from '../trace/index.ts';
import type { Sandbox, Webhooks } from '../webhooks/index.ts';
import { accessQuestions, type AccessQuestions } from './access.ts';
import { auditIfAsked, checkFiles, lookingBack } from './optional.ts';
import { bootstrap } from './bootstrap.ts';
import { chanceOf, type Chance } from './chance.ts';
import { readFlags, type FlagReading } from './flags/index.ts';
import { loadReaders } from './flags/readers.ts';
import { loopback } from './identities.ts';
import { gathering } from './gathered.ts';
import { keepClock, timed } from './keptClock.ts';
import { apiServerPort, fetchInside } from './insideNetwork.ts';
import { keptData as keptNodeData } from './keptData.ts';
import { openFiles, type KeptFiles } from './keptFiles.ts';
import type { Past } from './past.ts';
import { requireOptions, requireProfile, type ClusterOptions } from './options.ts';
import { programParts, secondServers, serving } from './parts.ts';
import { withOwnFiles } from './pki.ts';
import { podRangesOf } from './podRanges.ts';
import { podReader } from './readPod.ts';
import type { Beside, SecondServer } from './secondServer.ts';
import { startSecurity } from './security.ts';
import { startSurroundings, type Surroundings } from './surroundings.ts';
import type { Pair, ServingFiles } from './serving.ts';
import { transport } from './transport.ts';
import { beatsTo, inTurn, Turns } from './turns.ts';
import { flagOf, startWork, type Component, type TransportFor, type WorkParts } from './work.ts';

/** A running cluster. `fetch` is the whole API; the other members are for inspection and control. */
export interface Cluster {
  readonly name: string;
  readonly names: Names;
  readonly clock: ControlledClock;
  readonly trace: Tracer;
  /** Where requests are held for people to look at. */
  readonly breakpoints: Breakpoints;
  /** The stages before which a request can be held, in order. */
  readonly steps: readonly string[];
  readonly storage: Storage;
  readonly options: ClusterOptions;
  /** The files that flags name, and their storage. */
  readonly files: KeptFiles;
  /** Warnings about valid flags: deprecated ones, gates that will be removed. */
  readonly warnings: readonly string[];
  /** Questions about access. */
  readonly access: AccessQuestions;
  /** Questions about scheduling, and control of the scheduler. */
  readonly scheduling: Omit<RunningScheduler, 'stop'>;
  /** The controllers, for inspection, pausing and stepping. */
  readonly controllers: Pick<RunningControllers, 'view' | 'setPaused' | 'step' | 'follow'>;
  /** An OpenID Connect issuer for this cluster, with its own address. */
  readonly issuer: Pick<SimulatedIssuer, 'url' | 'issue' | 'rotate'>;
  /** The latest calls of user-written webhooks. */
  readonly webhooks: Pick<Webhooks, 'calls'>;
  /**
   * The serving certificate for a TLS host with these names: from the flags, or signed by the cluster's CA. Clients
   * check the certificate's time with their own clocks, so a host may pass another clock than the cluster's.
   */
  servingFiles(hosts: readonly string[], clock?: Clock): Promise<ServingFiles>;
  /** A client certificate of the cluster's CA for this user. */
  clientFiles(user: string, groups: readonly string[]): Promise<Pair>;
  /** The cluster at a kept revision. Throws CompactedError or FutureRevisionError if it is not available. */
  at(revision: number): Promise<Past>;
  /** Answers a request. Without an origin its credentials identify the user. */
  fetch(request: Request, origin?: Origin): Promise<Response>;
  /** Whether pages of an origin may send requests (`--cors-allowed-origins`). */
  allowsOrigin(origin: string): boolean;
  /** A transport with the identity of that user, without credentials: for trusted parts of the page. */
  transportAs(identity: string): Transport;
  /** Saves immediately what the nodes keep over a reload: files of volumes, logs. */
  keep(): Promise<void>;
  /** Stops the components, waits for accepted writes, and closes storage. */
  stop(): Promise<void>;
}

/** What a host adds to the options: where the data is stored. */
export interface Host {
  readonly backend?: Backend;
  /** Opens the storage instead of a backend: one that servers share. */
  readonly openStorage?: (clock: Clock) => Promise<Storage>;
  /** Reaches external issuers and webhooks. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Runs user-written webhooks; without it they can't be called. */
  readonly sandbox?: Sandbox;
  /** Milliseconds of history to keep; `--etcd-compaction-interval` by default. */
  readonly keep?: number;
  /** The backend contained this cluster before: if it is empty, opening fails with GoneError. */
  readonly expectData?: boolean;
  /** Kinds to serve besides those of the reference; each needs only a declaration. */
  readonly kinds?: readonly KindDeclaration[];
  /** Loads parts on first use; by default all are loaded at the start. */
  readonly partsWhenUsed?: boolean;
  /** The kind of key that signs service account tokens; RSA by default, which every verifier supports. */
  readonly signingKey?: KeyKind;
  /** The host name of this server: the prefix of the holder identity in its leases. */
  readonly hostname?: string;
  /** The first server of the process, if this is the second. */
  readonly beside?: Beside;
}

export async function createCluster(options: ClusterOptions, host: Host = {}): Promise<Cluster> {
  const parts = await openParts(options, host);
  let server: ApiServer | undefined;
  let nodes: () => RunningNodes | undefined = host.beside?.nodes ?? (() => undefined);
  const second = await secondServer({ ...parts, nodes: () => nodes() }, options, host);
  const { issuer, webhooks, reach, judge } = surroundingsOf(parts, host, () => nodes());
  const toServer = (): ApiServer => must(server, 'nothing asks the API server before it is made');
  const loopbackTransport = transport(toServer, parts.names, loopback.name);
  server = await createApiServer({
    ...parts,
    ...containersOf(() => nodes() ?? elsewhere()),
    fetch: reach,
    reachesServices: () => !parts.storage.shared || nodes() !== undefined,
    audit: (onLost) => auditIfAsked({ ...parts, fetch: reach, onLost }),
    security: (access) => startSecurity({ ...parts, loopback: loopbackTransport, fetch: reach }, access),
  });
  const made = server;
  const turns = new Turns(parts.clock);
  const gathered = gathering({ ...parts, turns, together: made.together });
  const transportFor: TransportFor = (identity, causes) =>
    gathered(identity, transport(toServer, parts.names, identity, causes));
  const componentTransport = inTurn(transportFor, turns);
  await bootstrapOver(loopbackTransport, parts);
  const startNodes = () => startFleet(parts, made, { transportFor: componentTransport, judge }, options, turns);
  const deps = { transportFor: componentTransport, fetch: reach, startNodes: host.beside ? undefined : startNodes };
  const work = await startWork(parts, options, deps);
  nodes = host.beside?.nodes ?? work.nodes;
  return {
    ...shown(parts, options),
    steps: ['authorization', 'admission', ...made.plugins, 'validation', 'storage'],
    access: accessQuestions(made.policy),
    ...{ issuer, webhooks, controllers: work.controllers, scheduling: work.scheduler },
    ...certificatesOf(parts),
    at: (revision) => pastOf(parts, reach, revision),
    fetch: (request, origin = {}) => second?.answer(request, origin, made) ?? made.fetch(request, origin),
    allowsOrigin: (origin) => made.allowsOrigin(origin),
    transportAs: transportFor,
    keep: async () => nodes()?.keep(),
    stop: () => stopAll([...work.running, ...(second ? [second] : [])], made, parts),
  };
}

type Shown = 'name' | 'names' | 'clock' | 'trace' | 'breakpoints' | 'storage' | 'warnings' | 'options' | 'files';

const shown = (parts: Parts, options: ClusterOptions): Pick<Cluster, Shown> => ({
  ...{ name: options.name, options, names: parts.names, clock: parts.clock, trace: parts.tracer },
  ...{ breakpoints: parts.breakpoints, storage: parts.storage, files: parts.kept },
  warnings: Object.values(parts.components).flatMap(({ warnings }) => warnings),
});

/** The second server of this process, if requested. */
async function secondServer(
  parts: Parts & Pick<Beside, 'nodes'>,
  options: ClusterOptions,
  { backend: _, openStorage: elsewhere, ...host }: Host,
): Promise<SecondServer | undefined> {
  if (options.servers !== 2 || elsewhere) return undefined;
  const { startSecond } = await secondServers.load();
  return startSecond(parts, options, (itsOptions, its) => createCluster(itsOptions, { ...host, ...its }));
}

const certificatesOf = (parts: Parts): Pick<Cluster, 'servingFiles' | 'clientFiles'> => ({
  servingFiles: async (hosts, clock = parts.clock) => (await serving.load()).servingFiles({ ...parts, clock }, hosts),
  clientFiles: async (...given) => (await serving.load()).clientFiles(parts, ...given),
});

async function pastOf(parts: Parts, reach: RemoteFetch, revision: number): Promise<Past> {
  const { openPast } = await lookingBack.load();
  let server: ApiServer | undefined;
  const toServer = (): ApiServer => must(server, 'nothing asks the API server before it is made');
  const loopbackTransport = transport(toServer, parts.names, loopback.name);
  return openPast(
    {
      ...parts,
      present: parts.clock.now(),
      fetch: reach,
      made: (made) => (server = made),
      recall: (fresh) =>
        recallScheduling({
          ...{ ...fresh, names: parts.names, files: parts.files, fetch: reach },
          transportFor: (identity) => transport(toServer, parts.names, identity),
          flags: flagOf(parts.components.scheduler),
        }),
      security: (fresh) => (access) =>
        startSecurity({ ...parts, ...fresh, loopback: loopbackTransport, fetch: reach }, access),
    },
    revision,
  );
}

function surroundingsOf(parts: Parts, { sandbox, fetch }: Host, nodes: () => RunningNodes | undefined): Surroundings {
  return startSurroundings({ ...parts, sandbox, outside: fetch, inside: fetchInside(nodes) });
}

type FleetDeps = Pick<NodesOptions, 'transportFor' | 'judge'>;

function startFleet(
  parts: Parts,
  server: ApiServer,
  deps: FleetDeps,
  options: ClusterOptions,
  turns: Turns,
): RunningNodes {
  const fetch = (request: Request): Promise<Response> => server.fetch(request, { from: 'pod' });
  const apiServer = apiServerPort({ ...parts, fetch, serving: certificatesOf(parts).servingFiles });
  const range = parts.flag('service-cluster-ip-range') || undefined;
  const network = networkSettings(parts.names, range, apiServer.address);
  const keptData = parts.keepsBytes ? keptNodeData(parts.storage) : undefined;
  return startNodes({
    ...parts,
    ...deps,
    ...beatsTo(server, parts.names, turns),
    isCrowded: () => turns.areCrowded,
    keptData,
    apiServer,
    network,
    podRanges: podRangesOf(parts.components),
    readPod: podReader(parts.scheme),
    count: options.nodes ?? 0,
    dnsPods: options.addons?.includes('dns') ?? false,
  });
}

function elsewhere(): never {
  const why = 'the simulated nodes run at another server of this control plane; ask there';
  throw status.failure(503, 'ServiceUnavailable', why);
}

/** The API server's access to containers; the nodes start after it. */
function containersOf(nodes: () => RunningNodes): Pick<ApiServerOptions, 'containerLogs' | 'nodeStreams'> {
  return {
    containerLogs: (...args) => nodes().containerLogs(...args),
    nodeStreams: {
      container: async (...args) => (await nodes().streams()).container(...args),
      connect: async (...args) => (await nodes().streams()).connect(...args),
      request: async (...args) => (await nodes().streams()).request(...args),
      node: async (...args) => (await nodes().streams()).node(...args),
    },
  };
}

function bootstrapOver(transport: Transport, { names, gate, flags, storage }: Parts): Promise<void> {
  const client = new Client({ transport, names, userAgent: names.fill('{prefix}-apiserver') });
  return bootstrap(client, gate, flags, storage.shared);
}

async function stopAll(
  running: readonly Component[],
  server: ApiServer,
  { storage, clock, leaveClock, ownsClock }: Parts,
): Promise<void> {
  await Promise.all(running.map((component) => component.stop()));
  await server.stop();
  await leaveClock();
  await storage.close();
  if (ownsClock) clock.dispose();
}

/** With a seed the order of events must not depend on the load time of a part. */
async function loadParts({ seed }: ClusterOptions, { partsWhenUsed = false }: Host): Promise<void> {
  if (seed !== undefined || !partsWhenUsed) await loadAll(programParts);
}

/** Milliseconds of host time, which passes while the cluster's clock jumps. */
const LAST_CHANCE = 200;

interface Parts extends WorkParts, Chance {
  readonly clock: ControlledClock;
  readonly ownsClock: boolean;
  /** Calls `expire` after an overdue request has had a last chance. */
  readonly lastChance: (expire: () => void) => void;
  readonly breakpoints: Breakpoints;
  /** Whether storage outlives the host's process and is used only by this cluster. */
  readonly keepsBytes: boolean;
  /** Saves the state of the clock before storage closes. */
  readonly leaveClock: () => Promise<void>;
  readonly scheme: ReturnType<typeof createScheme>;
  /** The flags of each component. */
  readonly components: ReturnType<typeof readFlags>;
  readonly flag: (name: string) => string | undefined;
  /** The given or stored files. */
  readonly kept: KeptFiles;
}

async function openParts(options: ClusterOptions, host: Host): Promise<Parts> {
  requireOptions(options);
  const clock = host.beside?.clock ?? clockOf(options.clock ?? 'real');
  const [storage] = await Promise.all([storageOf(host, clock, options), loadParts(options, host)]);
  try {
    requireProfile(storage, namesOf(options.naming ?? 'cluster.io'));
    return await partsOver(storage, clock, options, host);
  } catch (error) {
    await storage.close();
    if (!host.beside) clock.dispose();
    throw error;
  }
}

function storageOf(
  { openStorage: open, backend, expectData = false }: Host,
  clock: ControlledClock,
  { servers, seed }: ClusterOptions,
): Promise<Storage> {
  if (open) return open(clock);
  return openStorage({
    ...{ clock, expectData, keep: Infinity, shared: servers === 2 },
    backend: backend && timed(backend, clock, seed !== undefined),
  });
}

/** Flags are read after storage is open, because it may contain the files that they name. */
async function partsOver(
  storage: Storage,
  clock: ControlledClock,
  options: ClusterOptions,
  host: Host,
): Promise<Parts> {
  const names = namesOf(options.naming ?? 'cluster.io');
  const kept = openFiles(options.files, storage);
  const surroundings = { names, files: kept.current };
  await loadReaders({ ...options, files: kept.current });
  const components = readFlags(options, surroundings);
  await checkFiles(components, surroundings);
  const { flags, gate } = components.apiserver;
  // An interval of 0 disables compaction.
  storage.keepHistory(host.keep ?? (flags.ms('etcd-compaction-interval') || Infinity));
  const { hostname = options.servers === 2 ? 'first' : undefined } = host;
  const chance = await chanceOf(options, storage, hostname);
  if (host.backend) await kept.keepFirst();
  return {
    names,
    clock,
    ownsClock: !host.beside,
    ...(hostname !== undefined && { hostname }),
    ...chance,
    tracer: host.beside?.tracer ?? createTracer(clock),
    metrics: new Metrics(),
    lastChance: (expire) => void hostTime.schedule(expire, LAST_CHANCE),
    breakpoints: new Breakpoints(),
    storage,
    keepsBytes: host.backend !== undefined,
    leaveClock: host.backend ? await keepClock(clock, storage, options.clock) : () => Promise.resolve(),
    scheme: schemeOf(components.apiserver, names, host),
    components,
    flags,
    flag: (name) => flags.get(name),
    gate,
    kept,
    files: await withOwnFiles(kept.current, { names, clock, ...chance, storage, signingKey: host.signingKey }),
  };
}

const schemeOf = ({ flags, gate }: FlagReading, names: Names, { kinds: others = [] }: Host): Parts['scheme'] =>
  createScheme(names, [...kinds, ...others], { runtimeConfig: flags.get('runtime-config') ?? '', gate });

function clockOf(choice: NonNullable<ClusterOptions['clock']>): ControlledClock {
  if (choice === 'manual') return manualClock();
  return realClock(choice === 'real' ? 1 : choice);
}
