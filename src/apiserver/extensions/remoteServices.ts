/**
 * API services that another server answers for. They take part in discovery, and their objects say whether that server can
 * be reached; nothing is passed on to it.
 */
import type { ApiObject, objects, Resource, ServedGroup } from '../../schema/index.ts';
import { must, rfc3339 } from '../../std/index.ts';
import type { Core } from '../context.ts';
import { collectionRange, objectKey } from '../registry/keys.ts';
import { createLoop } from './loop.ts';
import { ask, type LoopServer } from './request.ts';

type ApiService = objects.APIService;
type Condition = NonNullable<ApiService['status']['conditions']>[number];
type Finding = Pick<Condition, 'reason' | 'message'>;

/** Keeps the conditions of remote API services while they, their services or endpoints change. Returns how to stop. */
export function followRemoteServices(server: LoopServer): () => Promise<void> {
  const loop = createLoop(async () => {
    for (const service of remoteServices(server)) await report(server, service);
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
    await loop.stop();
  };
}

/** All API services. */
export function apiServices(server: Core): readonly ApiService[] {
  const resource = serviceResource(server);
  const { entries } = server.storage.range(collectionRange(resource, ''));
  // Only decoded API services are stored.
  return entries.map((entry) => server.views.of(entry, resource).object as unknown as ApiService);
}

/** The API services that say that another server answers for them. */
export function remoteServices(server: Core): readonly ApiService[] {
  return apiServices(server).filter(({ spec }) => spec.service !== undefined);
}

/** Whether another server is to answer for a group's version. */
export function isRemote(server: Core, group: string, version: string): boolean {
  return remoteServices(server).some(({ spec }) => spec.group === group && spec.version === version);
}

/** What is served here, and what others are said to serve: most preferred first. */
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

async function report(server: LoopServer, service: ApiService): Promise<void> {
  const { reason, message } = findingOf(server, service);
  const conditions = service.status.conditions ?? [];
  const old = conditions.find(({ type }) => type === 'Available');
  if (old?.status === 'False' && old.reason === reason && old.message === message) return;
  const since = old?.status === 'False' ? old.lastTransitionTime : rfc3339(server.clock.now());
  const next = { type: 'Available', status: 'False', lastTransitionTime: since, reason, message };
  const others = conditions.filter((condition) => condition !== old);
  const path = `/apis/${serviceResource(server).apiVersion}/apiservices/${service.metadata.name ?? ''}/status`;
  await ask(server, 'PUT', path, { ...service, status: { ...service.status, conditions: [...others, next] } });
}

/** What speaks against it, in the order in which the reference looks. The last always does: nothing is passed on. */
function findingOf(server: Core, { spec }: ApiService): Finding {
  const { namespace = '', name = '', port = 443 } = spec.service ?? {};
  const what = `service/${name} in ${JSON.stringify(namespace)}`;
  const service = stored(server, 'services', namespace, name) as objects.Service | undefined;
  if (!service) return { reason: 'ServiceNotFound', message: `${what} is not present` };
  if (service.spec.type === 'ClusterIP') {
    const listening = service.spec.ports?.find((one) => one.port === port);
    if (!listening) return { reason: 'ServicePortError', message: `${what} is not listening on port ${port}` };
    const endpoints = stored(server, 'endpoints', namespace, name) as objects.Endpoints | undefined;
    if (!endpoints) return { reason: 'EndpointsNotFound', message: `cannot find endpoints for ${what}` };
    const portName = listening.name ?? '';
    if (!hasAddress(endpoints, portName)) {
      const message = `endpoints for ${what} have no addresses with port name ${JSON.stringify(portName)}`;
      return { reason: 'MissingEndpoints', message };
    }
  }
  const url = `https://${name}.${namespace}.svc:${port}/apis/${spec.group ?? ''}/${spec.version ?? ''}`;
  return { reason: 'FailedDiscoveryCheck', message: `failing or missing response from ${url}: it can't be reached` };
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
