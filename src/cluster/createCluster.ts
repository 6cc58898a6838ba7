/** The composition root: makes every part of a cluster and hands each what it needs. */
import { createApiServer, type ApiServer, type ApiServerOptions, type Origin } from '../apiserver/index.ts';
import type { RemoteFetch, SimulatedIssuer } from '../authn/index.ts';
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
  PlainHeaders,
  realClock,
  requestTo,
  Turnstile,
  type Clock,
  type ControlledClock,
} from '../std/index.ts';
import { memoryBackend, openStorage, type Backend, type Storage } from '../storage/index.ts';
import { Breakpoints, createTracer, type Tracer } from '../trace/index.ts';
import type { Sandbox, Webhooks } from '../webhooks/index.ts';
import { accessQuestions, type AccessQuestions } from './access.ts';
import { auditIfAsked, checkFiles, lookingBack } from './optional.ts';
import { bootstrap } from './bootstrap.ts';
import { chanceOf, type Chance } from './chance.ts';
import { readFlags, type FlagReading } from './flags/index.ts';
import { loadReaders } from './flags/readers.ts';
import { identityOf, loopback } from './identities.ts';
import { keepClock, timed } from './keptClock.ts';
import { apiServerPort, fetchInside } from './insideNetwork.ts';
import { keptData as keptNodeData } from './keptData.ts';
import { openFiles, type KeptFiles } from './keptFiles.ts';
import type { Past } from './past.ts';
import { requireOptions, requireProfile, type ClusterOptions } from './options.ts';
import { programParts, secondServers } from './parts.ts';
import { withOwnFiles } from './pki.ts';
import { podRangesOf } from './podRanges.ts';
import { podReader } from './readPod.ts';
import type { Beside, SecondServer } from './secondServer.ts';
import { startSecurity } from './security.ts';
import { startSurroundings, type Surroundings } from './surroundings.ts';
import { clientFiles, servingFiles, type Pair, type ServingFiles } from './serving.ts';
import { flagOf, startWork, type Component, type TransportFor, type WorkParts } from './work.ts';

/** A running cluster. `fetch` is the whole API; everything else is for those who look on. */
export interface Cluster {
  readonly name: string;
  readonly names: Names;
  readonly clock: ControlledClock;
  readonly trace: Tracer;
  /** Where requests are held for people to look at. */
  readonly breakpoints: Breakpoints;
  /** The steps before which a request can be held, in their order. */
  readonly steps: readonly string[];
  readonly storage: Storage;
  readonly options: ClusterOptions;
  /** The files that flags name, and how they are kept with the cluster's data. */
  readonly files: KeptFiles;
  /** What to mend in the flags, although the components took them: deprecated ones, gates that will go. */
  readonly warnings: readonly string[];
  /** Who may do what, for those who look on. */
  readonly access: AccessQuestions;
  /** Where pods go and why, and what would be otherwise, for those who look on. */
  readonly scheduling: Omit<RunningScheduler, 'stop'>;
  /** The controllers at work, for those who look on, pause one or let it reconcile by hand. */
  readonly controllers: Pick<RunningControllers, 'view' | 'setPaused' | 'step' | 'follow'>;
  /** An OpenID Connect issuer that answers to this cluster, at an address of its own. */
  readonly issuer: Pick<SimulatedIssuer, 'url' | 'issue' | 'rotate'>;
  /** The last calls of webhooks that people wrote. */
  readonly webhooks: Pick<Webhooks, 'calls'>;
  /**
   * What a host that speaks TLS under these names needs: flags name it, or the cluster's own authority signs it. Clients look at
   * the certificate's time by clocks of their own, so a host may name another clock than the cluster's.
   */
  servingFiles(hosts: readonly string[], clock?: Clock): Promise<ServingFiles>;
  /** A certificate of the cluster's own authority by which a client is this user. */
  clientFiles(user: string, groups: readonly string[]): Promise<Pair>;
  /** The cluster as it was at a kept revision. Throws CompactedError or FutureRevisionError when it is out of reach. */
  at(revision: number): Promise<Past>;
  /** Answers a request. Without an origin its credentials say who asks. */
  fetch(request: Request, origin?: Origin): Promise<Response>;
  /** Whether pages of an origin may ask (`--cors-allowed-origins`). */
  allowsOrigin(origin: string): boolean;
  /** A transport that acts as a user of that name, without credentials: for parts of the page that are trusted. */
  transportAs(identity: string): Transport;
  /** Writes at once what the nodes keep over a reload, and would write a little later: files of volumes, logs. */
  keep(): Promise<void>;
  /** Ends the components, waits for accepted writes, lets go of storage. */
  stop(): Promise<void>;
}

/** What a host adds to the options: where the data lives. */
export interface Host {
  readonly backend?: Backend;
  /** Opens the storage itself, in place of a backend: one that other servers share. */
  readonly openStorage?: (clock: Clock) => Promise<Storage>;
  /** How issuers and webhooks outside the cluster are reached. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Where webhooks run that people write; without it nothing listens at their addresses. */
  readonly sandbox?: Sandbox;
  /** Milliseconds of history to keep; `--etcd-compaction-interval` where nothing is said. */
  readonly keep?: number;
  /** The backend held this cluster before: when it is empty, opening fails with GoneError. */
  readonly expectData?: boolean;
  /** Kinds to serve besides those of the reference: a declaration is all that one needs. */
  readonly kinds?: readonly KindDeclaration[];
  /** Fetches parts of the program when they are first used; all of them at the start where nothing is said. */
  readonly partsWhenUsed?: boolean;
  /** The name of this server's machine: the holder identity in its leases begins with it. */
  readonly hostname?: string;
  /** The first server of the process, where this is the second. */
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
  const transportFor: TransportFor = (identity, causes) => transport(toServer, parts.names, identity, causes);
  const componentTransport = inTurn(transportFor, parts.clock);
  await bootstrapOver(loopbackTransport, parts);
  const startNodes = () => startFleet(parts, made, { transportFor: componentTransport, judge }, options);
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

/** The other server of this process, where there is to be one. */
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
  servingFiles: (hosts, clock = parts.clock) => servingFiles({ ...parts, clock }, hosts),
  clientFiles: (...given) => clientFiles(parts, ...given),
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

function startFleet(parts: Parts, server: ApiServer, deps: FleetDeps, options: ClusterOptions): RunningNodes {
  const fetch = (request: Request): Promise<Response> => server.fetch(request, { from: 'pod' });
  const apiServer = apiServerPort({ ...parts, fetch, serving: (hosts) => servingFiles(parts, hosts) });
  const range = parts.flag('service-cluster-ip-range') || undefined;
  const network = networkSettings(parts.names, range, apiServer.address);
  const keptData = parts.keepsBytes ? keptNodeData(parts.storage) : undefined;
  return startNodes({
    ...parts,
    ...deps,
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

/** What the API server reaches of containers; the nodes start after it. */
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
  return bootstrap(
    new Client({ transport, names, userAgent: names.fill('{prefix}-apiserver') }),
    gate,
    flags,
    storage.shared,
  );
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

/** What happens in which order must not hang on how long a part takes to load, where a seed is to give the same again. */
async function loadParts({ seed }: ClusterOptions, { partsWhenUsed = false }: Host): Promise<void> {
  if (seed !== undefined || !partsWhenUsed) await loadAll(programParts);
}

/** Milliseconds of the host's time, which passes while the cluster's clock jumps. */
const LAST_CHANCE = 200;

interface Parts extends WorkParts, Chance {
  readonly clock: ControlledClock;
  readonly ownsClock: boolean;
  /** Calls back when a request whose time is up has had its last chance. */
  readonly lastChance: (expire: () => void) => void;
  readonly breakpoints: Breakpoints;
  /** Storage outlives the host's process, and is this cluster's alone. */
  readonly keepsBytes: boolean;
  /** Writes down where the clock stands, before storage closes. */
  readonly leaveClock: () => Promise<void>;
  readonly scheme: ReturnType<typeof createScheme>;
  /** What each component was started with. */
  readonly components: ReturnType<typeof readFlags>;
  readonly flag: (name: string) => string | undefined;
  /** The files that were given or kept. */
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
    backend: backend ? timed(backend, clock, seed !== undefined) : memoryBackend(),
  });
}

/** Flags are read after storage is open, because the files that they name may be kept there. */
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
  // An interval of 0 asks for no compaction.
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
    files: await withOwnFiles(kept.current, { names, clock, ...chance, storage }),
  };
}

const schemeOf = ({ flags, gate }: FlagReading, names: Names, { kinds: others = [] }: Host): Parts['scheme'] =>
  createScheme(names, [...kinds, ...others], { runtimeConfig: flags.get('runtime-config') ?? '', gate });

function clockOf(choice: NonNullable<ClusterOptions['clock']>): ControlledClock {
  if (choice === 'manual') return manualClock();
  return realClock(choice === 'real' ? 1 : choice);
}

/** A fetch as a component of that name: its identity is known, no credential is checked. */
function transport(server: () => ApiServer, names: Names, identity: string, causes?: Origin['causes']): Transport {
  const as = identity === loopback.name ? loopback : identityOf(identity, names);
  // What the API server writes by itself, such as what is used of a quota, is managed by it.
  const ownAgent = identity === loopback.name ? names.fill('{prefix}-apiserver') : '';
  return (path, init) => {
    // Browsers take the User-Agent out of a Request of their own, so it is told beside it.
    const userAgent = new PlainHeaders(init?.headers).get('user-agent') ?? ownAgent;
    return server().fetch(requestTo(`http://cluster.local${path}`, init), { as, from: identity, userAgent, causes });
  };
}

/**
 * The components' requests start one in each turn of the thread, however many they make at once: what people ask is answered
 * in between. Stepped time waits for those that wait.
 */
function inTurn(transportFor: TransportFor, clock: Clock): TransportFor {
  const turnstile = new Turnstile();
  return (identity, causes) => {
    const send = transportFor(identity, causes);
    return async (path, init) => {
      const turn = turnstile.pass();
      if (turn) await clock.during(turn, 'io');
      return send(path, init);
    };
  };
}
