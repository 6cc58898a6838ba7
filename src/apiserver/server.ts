/** Creates the API server from its options. */
import { ChainTimer, createAdmission, type AdmissionPlugin } from '../admission/index.ts';
import { auditErrors, type Auditor, type OnLost } from '../audit/index.ts';
import type { RemoteFetch } from '../authn/index.ts';
import type { PolicyIndex } from '../authz/index.ts';
import type { Names } from '../names/index.ts';
import type { Scheme } from '../schema/index.ts';
import { parseDuration } from '../schema/index.ts';
import { Metrics, Part, type Clock, type Random } from '../std/index.ts';
import type { Storage } from '../storage/index.ts';
import type { Breakpoints, Tracer } from '../trace/index.ts';
import { createViews, type Views } from './codec/views.ts';
import type { Decisions } from './decisions.ts';
import { keepApiServices } from './extensions/apiServices.ts';
import { serveDefinitions } from './extensions/serving.ts';
import { followRemoteServices } from './extensions/remoteServices.ts';
import { createLoop } from './extensions/loop.ts';
import type { LoopServer } from './extensions/request.ts';
import type { Origin } from './origin.ts';
import { handle, type Server } from './pipeline.ts';
import { followFlowObjects } from './flow/consumer.ts';
import { createFlow } from './flow/index.ts';
import { keepFlowObjects } from './flow/keeper.ts';
import { startMetrics } from './metrics.ts';
import { FilterTimer } from './metrics/filters.ts';
import { InFlight } from './metrics/inFlight.ts';
import { RequestMetrics } from './metrics/requests.ts';
import { timedStorage } from './metrics/storage.ts';
import { allowedOrigins } from './stages/cors.ts';
import { Deadlines, type LastChance } from './stages/deadline.ts';
import type { NodeAccess, NodeStreams } from './streams/nodeStreams.ts';
import { kindFiles } from './registry/kinds/index.ts';
import { createRegistry } from './registry/registry.ts';
import { SharedSpecs } from './registry/sharedSpecs.ts';
import type { Together } from './together/index.ts';

export interface ApiServerOptions {
  readonly names: Names;
  readonly scheme: Scheme;
  readonly storage: Storage;
  readonly clock: Clock;
  readonly random: Random;
  readonly tracer: Tracer;
  readonly breakpoints: Breakpoints;
  readonly gate: (name: string) => boolean;
  readonly flag: (name: string) => string | undefined;
  /** The server is read-only and keeps no objects of its own in storage. */
  readonly onlyShows?: boolean;
  /** The metrics of the process; by default the server has its own. */
  readonly metrics?: Metrics;
  /** Called for expired requests; by default they get no extra time. */
  readonly lastChance?: LastChance;
  /** Reads a container's log from its node's agent; without it logs are empty. */
  readonly containerLogs?: NodeAccess['containerLogs'];
  /** Access to containers; without it exec, attach and portforward fail. */
  readonly nodeStreams?: NodeStreams | undefined;
  /** Reaches conversion webhooks; without it they can't be reached. */
  readonly fetch?: RemoteFetch;
  /** Whether services in the cluster can be reached now; true by default. */
  readonly reachesServices?: () => boolean;
  /** Creates the audit recorder; without it nothing is recorded. */
  readonly audit?: (onLost: OnLost) => Promise<Auditor | undefined>;
  /** Created once the server can serve itself, because methods and modules read objects. */
  readonly security: (access: Access) => Security | Promise<Security>;
}

/** How methods, modules and plugins read objects: directly from the current storage. */
export interface Access {
  readonly scheme: Scheme;
  readonly storage: Storage;
  readonly views: Views;
}

export interface Security extends Decisions {
  readonly plugins: readonly AdmissionPlugin[];
  stop(): void;
}

export interface ApiServer {
  fetch(request: Request, origin: Origin): Promise<Response>;
  /** What is written many at once; loaded when it is needed first. */
  readonly together: () => Promise<Together>;
  /** Whether pages of an origin may send requests. */
  allowsOrigin(origin: string): boolean;
  /** Roles and bindings as used in decisions. */
  readonly policy: PolicyIndex;
  /** The names of the active admission plugins, in order. */
  readonly plugins: readonly string[];
  stop(): Promise<void>;
}

export async function createApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const { scheme, clock, names, flag, gate, metrics = new Metrics() } = options;
  const views = createViews(scheme);
  const storage = timedStorage(options.storage, { scheme, metrics, clock });
  const audit = await options.audit?.((plugin, count) => metrics.add(auditErrors, { plugin }, count));
  const security = await options.security({ scheme, storage, views });
  const flow = createFlow({ clock, names, flag, gate, metrics });
  const server: Server = {
    ...options,
    ...flow,
    ...{ storage, views, metrics, audit },
    registry: createRegistry(kindFiles, names.fill),
    retryQueues: new Map(),
    specs: new SharedSpecs(),
    admission: createAdmission(security.plugins, options.tracer, options.breakpoints, new ChainTimer(metrics, clock)),
    requests: new RequestMetrics(metrics),
    inFlight: new InFlight(clock),
    filters: new FilterTimer(metrics, clock, flow.levels !== undefined),
    deadlines: new Deadlines(clock, options.lastChance),
    requestTimeout: parseDuration(flag('request-timeout') ?? '') ?? 0,
    allowsOrigin: allowedOrigins(flag('cors-allowed-origins') ?? ''),
    containerLogs: options.containerLogs,
    nodeStreams: options.nodeStreams,
    ...decisionsOf(security),
  };
  startMetrics(server);
  const { onlyShows = false } = options;
  const loops: LoopServer = { ...server, send: (request, origin) => handle(server, request, origin), onlyShows };
  const stopFlow = await startFlow(loops, flow);
  const stopExtensions = await startExtensions(loops, options);
  return {
    fetch: (request, origin) => handle(server, request, origin),
    together: togetherAt(server),
    allowsOrigin: (origin) => server.allowsOrigin?.(origin) ?? false,
    policy: server.policy,
    plugins: security.plugins.map(({ name }) => name),
    stop: async () => {
      await stopFlow();
      await stopExtensions();
      server.deadlines.stop();
      security.stop();
      await audit?.stop();
    },
  };
}

/** Only used by clusters with many nodes or pods, or where many events wait. */
export const writingTogether = new Part(() => import('./together/index.ts'));

function togetherAt(server: Server): ApiServer['together'] {
  let made: Together | undefined;
  return async () => (made ??= (await writingTogether.load()).together(server));
}

/** What stages need from authentication and authorization. */
function decisionsOf(security: Security): Decisions {
  return {
    authenticate: (request, connection) => security.authenticate(request, connection),
    authorize: (attributes) => security.authorize(attributes),
    rulesFor: (user, namespace) => security.rulesFor(user, namespace),
    reviewToken: (token, audiences) => security.reviewToken(token, audiences),
    accounts: security.accounts,
    policy: security.policy,
  };
}

/** Creates flow control's objects, and follows them if flow control is on. */
async function startFlow(
  server: LoopServer,
  { flow, levels }: ReturnType<typeof createFlow>,
): Promise<() => Promise<void>> {
  const stopFollowing = levels && followFlowObjects(server, levels);
  const stopKeeping = server.onlyShows ? () => undefined : await keepFlowObjects(server);
  return async () => {
    stopKeeping();
    flow.stop();
    await stopFollowing?.();
  };
}

const unreachable: RemoteFetch = () => Promise.reject(new Error('this server reaches no other services'));

/** Serves custom resources, and keeps an API service for each served group and version. */
async function startExtensions(
  server: LoopServer,
  { fetch = unreachable, reachesServices }: ApiServerOptions,
): Promise<() => Promise<void>> {
  const services = createLoop(server.clock, () => (server.onlyShows ? Promise.resolve() : keepApiServices(server)));
  const definitions = await serveDefinitions(server, fetch, () => services.wake());
  services.wake();
  const stopFollowing = followRemoteServices(server, fetch, reachesServices);
  return async () => {
    await stopFollowing();
    await definitions.stop();
    await services.stop();
  };
}
