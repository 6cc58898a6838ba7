/**
 * API services of other servers. They take part in discovery, and their status says whether the server is available;
 * `aggregation.ts` forwards requests to them.
 */
import type { RemoteFetch } from '../../authn/index.ts';
import type { ApiObject, objects, Resource, ServedGroup } from '../../schema/index.ts';
import { IDLE, must, Part, rfc3339, type Timer } from '../../std/index.ts';
import type { Core } from '../context.ts';
import { collectionRange, objectKey } from '../registry/keys.ts';
import { createLoop } from './loop.ts';
import { ask, type LoopServer } from './request.ts';

type ApiService = objects.APIService;
type Condition = NonNullable<ApiService['status']['conditions']>[number];
type Finding = Pick<Condition, 'reason' | 'message'>;

/** Code for availability checks and forwarding, loaded for clusters with remote API services. */
export const aggregation = new Part(() => import('./aggregation.ts'));
/** Code that reads remote OpenAPI documents. */
export const remoteOpenApi = new Part(() => import('./remoteOpenApi.ts'));

/** Milliseconds between availability checks of a server. */
const CHECK_EVERY = 30_000;
/** Milliseconds until the check after the first failure; each further failure doubles it. */
const RETRY_AFTER = 1000;

/**
 * Whether services in the cluster can be reached from here. Of servers that share the storage only the one that runs
 * the nodes can; the others must not overwrite what it reports.
 */
export type Reaches = () => boolean;

/**
 * Updates the conditions of remote API services when they, their services or endpoints change. Returns a function that
 * stops it.
 */
export function followRemoteServices(
  server: LoopServer,
  fetch: RemoteFetch,
  reaches: Reaches = () => true,
): () => Promise<void> {
  const checks = new Checks(server, fetch, reaches, () => loop.wake());
  const loop = createLoop(server.clock, async () => {
    const services = remoteServices(server);
    const findings = await Promise.all(
      services.map(async (service) => ({ service, is: await checks.findingOf(service) })),
    );
    if (checks.stopped) return;
    for (const { service, is } of findings) if (is) await report(server, service, is);
    checks.roundIsOver(services);
  });
  const resources = [serviceResource(server), coreResource(server, 'services'), coreResource(server, 'endpoints')];
  const { revision } = server.storage;
  const watched = resources.filter((resource) => resource !== undefined);
  const watches = watched.map((resource) =>
    server.storage.watch(
      { ...collectionRange(resource, ''), from: revision },
      () => loop.wake(),
      () => undefined,
    ),
  );
  loop.wake();
  return async () => {
    for (const watch of watches) watch.close();
    checks.stop();
    await loop.stop();
  };
}

/** The input and result of the last check of a server. */
interface Check {
  readonly about: string;
  readonly at: number;
  readonly problem: string | undefined;
  /** Milliseconds until the next check. */
  readonly pause: number;
}

/** Checks the availability of servers: on changes and periodically. */
class Checks {
  readonly #server: LoopServer;
  readonly #fetch: RemoteFetch;
  readonly #last = new Map<string, Check>();
  readonly #reaches: Reaches;
  readonly #onDue: () => void;
  #timer: Timer | undefined;
  readonly #ended = new AbortController();

  constructor(server: LoopServer, fetch: RemoteFetch, reaches: Reaches, onDue: () => void) {
    this.#server = server;
    this.#fetch = fetch;
    this.#reaches = reaches;
    this.#onDue = onDue;
  }

  /** Undefined if it can't be determined from here. */
  async findingOf(service: ApiService): Promise<Finding | undefined> {
    const found = localFinding(this.#server, service);
    if (!('versions' in found)) return found;
    const check = await this.#check(service, JSON.stringify([service.spec, found.versions]));
    this.#last.set(service.metadata.name ?? '', check);
    if (check.problem === undefined) return { reason: 'Passed', message: 'all checks passed' };
    return this.#reaches() ? { reason: 'FailedDiscoveryCheck', message: check.problem } : undefined;
  }

  /** Drops deleted services, and schedules the next check of the others. */
  roundIsOver(services: readonly ApiService[]): void {
    const names = new Set(services.map(({ metadata }) => metadata.name));
    for (const name of this.#last.keys()) if (!names.has(name)) this.#last.delete(name);
    const { clock } = this.#server;
    clock.clearTimeout(this.#timer);
    if (this.#last.size === 0 || this.stopped) return;
    const due = Math.min(...[...this.#last.values()].map(({ at, pause }) => at + pause));
    this.#timer = clock.setTimeout(this.#onDue, Math.max(0, due - clock.now()), IDLE);
  }

  get stopped(): boolean {
    return this.#ended.signal.aborted;
  }

  /** Also aborts pending requests: a server that never answers must not keep the cluster from stopping. */
  stop(): void {
    this.#ended.abort();
    this.#server.clock.clearTimeout(this.#timer);
  }

  async #check(service: ApiService, about: string): Promise<Check> {
    const { clock } = this.#server;
    const known = this.#last.get(service.metadata.name ?? '');
    const isSame = known?.about === about;
    if (isSame && clock.now() < known.at + known.pause) return known;
    const { discoveryProblem } = await aggregation.load();
    const problem = await discoveryProblem(service, this.#fetch, clock, this.#ended.signal);
    const failedBefore = isSame && known.problem !== undefined;
    const pause =
      problem === undefined ? CHECK_EVERY : failedBefore ? Math.min(CHECK_EVERY, known.pause * 2) : RETRY_AFTER;
    return { about, at: clock.now(), problem, pause };
  }
}

/** All API services. */
export function apiServices(server: Core): readonly ApiService[] {
  const resource = serviceResource(server);
  const { entries } = server.storage.range(collectionRange(resource, ''));
  // Only decoded API services are stored.
  return entries.map((entry) => server.views.of(entry, resource).object as ApiService);
}

/** The API services that name another server. */
function remoteServices(server: Core): readonly ApiService[] {
  return apiServices(server).filter(({ spec }) => spec.service !== undefined);
}

/** The available ones, by name. */
export const availableServices = (server: Core): readonly ApiService[] =>
  remoteServices(server).filter(({ status }) =>
    status.conditions?.some((condition) => condition.type === 'Available' && condition.status === 'True'),
  );

/** The remote API service of a group's version; undefined if there is none. */
export function remoteServiceOf(server: Core, group: string, version: string): ApiService | undefined {
  return remoteServices(server).find(({ spec }) => spec.group === group && spec.version === version);
}

/** Local and remote groups, most preferred first. */
export function allGroups(server: Core): readonly ServedGroup[] {
  const groups = new Map(server.scheme.groups.map((group) => [group.name, group]));
  for (const { spec } of remoteServices(server)) {
    const { group = '', version = '', groupPriorityMinimum: priority } = spec;
    const known = groups.get(group) ?? { name: group, versions: [], priority };
    if (known.versions.includes(version)) continue;
    groups.set(group, { ...known, versions: [...known.versions, version] });
  }
  return [...groups.values()].sort((a, b) => b.priority - a.priority || (a.name < b.name ? -1 : 1));
}

const serviceResource = ({ scheme, names }: Core): Resource =>
  must(
    scheme.byResource({ group: names.fill('apiregistration.{domain}'), version: 'v1', resource: 'apiservices' }),
    'API services are served',
  ).hub;

const coreResource = ({ scheme }: Core, resource: string): Resource | undefined =>
  scheme.byResource({ group: '', version: 'v1', resource })?.hub;

async function report(server: LoopServer, service: ApiService, { reason, message }: Finding): Promise<void> {
  const status = reason === 'Passed' ? 'True' : 'False';
  const conditions = service.status.conditions ?? [];
  const old = conditions.find(({ type }) => type === 'Available');
  if (old?.status === status && old.reason === reason && old.message === message) return;
  const since = old?.status === status ? old.lastTransitionTime : rfc3339(server.clock.now());
  const next = { type: 'Available', status, lastTransitionTime: since, reason, message };
  const others = conditions.filter((condition) => condition !== old);
  const path = `/apis/${serviceResource(server).apiVersion}/apiservices/${service.metadata.name ?? ''}/status`;
  await ask(server, 'PUT', path, { ...service, status: { ...service.status, conditions: [...others, next] } });
}

/** The first problem in the objects, in the reference's order; otherwise the revisions of the checked objects. */
function localFinding(server: Core, { spec }: ApiService): Finding | { readonly versions: readonly unknown[] } {
  const { namespace = '', name = '', port = 443 } = spec.service ?? {};
  const what = `service/${name} in ${JSON.stringify(namespace)}`;
  const service = stored(server, 'services', namespace, name) as objects.Service | undefined;
  const versions: unknown[] = [service?.metadata.resourceVersion];
  if (!service) return { reason: 'ServiceNotFound', message: `${what} is not present` };
  if (service.spec.type === 'ClusterIP') {
    const listening = service.spec.ports?.find((one) => one.port === port);
    if (!listening) return { reason: 'ServicePortError', message: `${what} is not listening on port ${port}` };
    const endpoints = stored(server, 'endpoints', namespace, name) as objects.Endpoints | undefined;
    if (!endpoints) return { reason: 'EndpointsNotFound', message: `cannot find endpoints for ${what}` };
    versions.push(endpoints.metadata.resourceVersion);
    const portName = listening.name ?? '';
    if (!hasAddress(endpoints, portName)) {
      const message = `endpoints for ${what} have no addresses with port name ${JSON.stringify(portName)}`;
      return { reason: 'MissingEndpoints', message };
    }
  }
  return { versions };
}

function hasAddress({ subsets }: objects.Endpoints, portName: string): boolean {
  return (subsets ?? []).some(
    ({ addresses = [], ports = [] }) => addresses.length > 0 && ports.some(({ name = '' }) => name === portName),
  );
}

function stored(server: Core, plural: string, namespace: string, name: string): ApiObject | undefined {
  const resource = coreResource(server, plural);
  const entry = resource && server.storage.get(objectKey(resource, namespace, name));
  return entry && server.views.of(entry, resource).object;
}
