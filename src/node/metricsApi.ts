/**
 * The metrics API as an API server in the cluster: an API service and a service with an address in the simulated
 * network. It serves the usage from node agents, and starts with the first pod.
 */
import { keyOf, retry, type Client, type Retrying } from '../client/index.ts';
import { SYSTEM_LABEL, type Dataplane } from '../network/index.ts';
import type { Names } from '../names/index.ts';
import { parseLabelSelector, status, type StatusError } from '../schema/index.ts';
import { pathAndQuery, rfc3339 } from '../std/index.ts';
import { make } from './addons/make.ts';
import { listenForApi } from './apiServerPort.ts';
import type { NodeUse, PodUse, Use } from './usage.ts';

/** An address reserved for documentation, next to the API server's. */
const ADDRESS = '192.0.2.2';
const PORT = 443;
const VERSION = 'v1beta1';
const SERVICE = 'metrics-server';

export interface MetricsApiOptions {
  /** Has the identity of the API server. */
  readonly client: Client;
  readonly names: Names;
  readonly dataplane: Dataplane;
  /** PEM. */
  readonly certificate: () => Promise<string>;
  readonly usage: () => readonly NodeUse[];
  readonly retrying: Retrying;
}

/**
 * Listens, and creates the objects by which the API server finds it. Existing objects with these names are left alone.
 */
export async function startMetricsApi(options: MetricsApiOptions): Promise<void> {
  const { client, dataplane, certificate, retrying, names } = options;
  const fetch = async (request: Request): Promise<Response> => answer(request, options);
  await listenForApi(dataplane, { address: ADDRESS, port: PORT, certificate, fetch });
  for (const [path, object] of objectsFor(names)) await retry(() => make(client, path, object), retrying);
}

const groupOf = ({ fill }: Names): string => fill('metrics.{domain}');

/** Each with the path of its collection. */
function objectsFor(names: Names): readonly (readonly [string, object])[] {
  const { fill, systemNamespace: namespace } = names;
  const labels = { [SYSTEM_LABEL]: SERVICE };
  const metadata = { name: SERVICE, namespace, labels };
  const group = groupOf(names);
  const core = `/api/v1/namespaces/${namespace}`;
  const ports = [{ name: 'https', port: PORT, protocol: 'TCP' }];
  const skip = { ...labels, [fill('endpointslice.{label}/skip-mirror')]: 'true' };
  const slice = {
    metadata: { ...metadata, labels: { ...labels, [fill('{label}/service-name')]: SERVICE } },
    ...{ addressType: 'IPv4', endpoints: [{ addresses: [ADDRESS], conditions: { ready: true } }], ports },
  };
  const aggregated = ['view', 'edit', 'admin'].map((to) => [
    fill(`rbac.authorization.{domain}/aggregate-to-${to}`),
    'true',
  ]);
  const role = {
    metadata: { name: 'system:aggregated-metrics-reader', labels: { ...labels, ...Object.fromEntries(aggregated) } },
    rules: [{ apiGroups: [group], resources: ['pods', 'nodes'], verbs: ['get', 'list', 'watch'] }],
  };
  const apiService = {
    metadata: { name: `${VERSION}.${group}`, labels },
    spec: {
      ...{ group, version: VERSION, groupPriorityMinimum: 100, versionPriority: 100, insecureSkipTLSVerify: true },
      service: { name: SERVICE, namespace, port: PORT },
    },
  };
  return [
    [`${core}/services`, { metadata, spec: { ports: [{ ...ports[0], targetPort: PORT }] } }],
    [
      `${core}/endpoints`,
      { metadata: { ...metadata, labels: skip }, subsets: [{ addresses: [{ ip: ADDRESS }], ports }] },
    ],
    [fill(`/apis/discovery.{domain}/v1beta1/namespaces/${namespace}/endpointslices`), slice],
    [fill('/apis/rbac.authorization.{domain}/v1/clusterroles'), role],
    [fill('/apis/apiregistration.{domain}/v1/apiservices'), apiService],
  ];
}

function answer(request: Request, options: MetricsApiOptions): Response {
  const { pathname, search } = pathAndQuery(request.url);
  const query = new URLSearchParams(search);
  const [, root, group, version, ...rest] = pathname.replace(/\/$/, '').split('/').map(decodeURIComponent);
  if (root !== 'apis' || group !== groupOf(options.names) || version !== VERSION) return refused(status.unknownPath());
  if (request.method !== 'GET') return refused(status.failure(405, 'MethodNotAllowed', 'metrics are only read'));
  if (rest.length === 0) return json(resourceList(options.names));
  const inNamespace = rest[0] === 'namespaces';
  const [namespace, resource, name, ...more] = inNamespace ? rest.slice(1) : ['', ...rest];
  if (more.length > 0 || !(resource === 'pods' || (resource === 'nodes' && !inNamespace)))
    return refused(status.unknownPath());
  const found = resource === 'pods' ? podMetrics(options, namespace ?? '', query) : nodeMetrics(options, query);
  if (name === undefined) return json(listOf(resource === 'pods' ? 'PodMetrics' : 'NodeMetrics', found, options.names));
  const one = found.find((metrics) => metrics.metadata.name === name);
  return one ? json(one) : refused(status.notFound({ group, resource }, name));
}

interface Metrics {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly creationTimestamp: string };
}

function resourceList(names: Names): object {
  const resource = (name: string, kind: string, namespaced: boolean): object => ({
    ...{ name, singularName: '', namespaced, kind, verbs: ['get', 'list'] },
  });
  const resources = [resource('nodes', 'NodeMetrics', false), resource('pods', 'PodMetrics', true)];
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: `${groupOf(names)}/${VERSION}`, resources };
}

const listOf = (kind: string, items: readonly Metrics[], names: Names): object => ({
  kind: `${kind}List`,
  apiVersion: `${groupOf(names)}/${VERSION}`,
  metadata: {},
  items,
});

const amounts = ({ millicores, memory }: Use): object => ({
  cpu: `${Math.round(millicores * 1e6)}n`,
  memory: `${Math.ceil(memory / 1024)}Ki`,
});

function typed(
  kind: string,
  { at, window }: NodeUse,
  names: Names,
): { kind: string; apiVersion: string; timestamp: string; window: string } {
  return { kind, apiVersion: `${groupOf(names)}/${VERSION}`, timestamp: rfc3339(at), window: `${window / 1000}s` };
}

function nodeMetrics({ usage, names, dataplane }: MetricsApiOptions, query: URLSearchParams): Metrics[] {
  const selector = parseLabelSelector(query.get('labelSelector') ?? '');
  return usage()
    .filter(({ node }) => selector.matches(dataplane.view.get('nodes', node)?.metadata?.labels ?? {}))
    .map((use) => ({
      ...typed('NodeMetrics', use, names),
      metadata: { name: use.node, creationTimestamp: rfc3339(use.at) },
      usage: amounts(use),
    }));
}

function podMetrics(
  { usage, names, dataplane }: MetricsApiOptions,
  namespace: string,
  query: URLSearchParams,
): Metrics[] {
  const selector = parseLabelSelector(query.get('labelSelector') ?? '');
  const isAsked = (pod: PodUse): boolean =>
    (namespace === '' || pod.namespace === namespace) &&
    selector.matches(dataplane.view.get('pods', keyOf({ metadata: pod }))?.metadata?.labels ?? {});
  return usage().flatMap((use) =>
    use.pods.filter(isAsked).map((pod) => ({
      ...typed('PodMetrics', use, names),
      metadata: { name: pod.name, namespace: pod.namespace, creationTimestamp: rfc3339(use.at) },
      containers: pod.containers.map((container) => ({ name: container.name, usage: amounts(container) })),
    })),
  );
}

const json = (value: object, status = 200): Response =>
  new Response(JSON.stringify(value), { status, headers: { 'content-type': 'application/json' } });

const refused = ({ status: answer }: StatusError): Response => json(answer, answer.code);
