/**
 * The initial objects of a cluster: its namespaces, the default policy, the system's priority classes, its own service.
 */
import { ensureDefaultPolicy } from '../authz/index.ts';
import type { Client } from '../client/index.ts';
import type { Names } from '../names/index.ts';
import { addressIn, formatAddress, found, isReason, parseBlock, type ApiObject } from '../schema/index.ts';
import type { FlagSet } from './flags/index.ts';

interface BootstrapObject {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly object: Record<string, unknown> & {
    readonly metadata: { readonly name: string; readonly namespace?: string; readonly labels?: object };
  };
}

/** The maximum number of retries after concurrent writes of another server. */
const TRIES = 20;

/** Errors when another server has just created the object or taken its address. */
const AT_THE_SAME_TIME = ['AlreadyExists', 'Conflict', 'Invalid'];

/** Creates missing objects; existing ones are not changed. */
export async function bootstrap(
  client: Client,
  gate: (name: string) => boolean,
  flags: FlagSet,
  shared = false,
): Promise<void> {
  for (let left = TRIES; ; left--) {
    try {
      return await complete(client, gate, flags, shared);
    } catch (problem) {
      if (left === 0 || !AT_THE_SAME_TIME.some((reason) => isReason(problem, reason))) throw problem;
    }
  }
}

async function complete(
  client: Client,
  gate: (name: string) => boolean,
  flags: FlagSet,
  shared: boolean,
): Promise<void> {
  const { names } = client;
  const isNew = await ensure(client, namespace('default'));
  await Promise.all(
    [names.systemNamespace, names.publicNamespace, names.nodeLeaseNamespace].map((name) =>
      ensure(client, namespace(name), isNew),
    ),
  );
  // Deleted limits are not created again after a restart.
  if (isNew) await ensure(client, defaultLimits, isNew);
  await ensureDefaultPolicy(client, gate, isNew);
  await Promise.all(
    [...priorityClasses(names.fill), apiService(names, flags)].map((wanted) => ensure(client, wanted, isNew)),
  );
  if (flags.get('endpoint-reconciler-type') !== 'none')
    // Servers that share the storage each add their own address later (`masterLease.ts`).
    await Promise.all(
      apiEndpoints(names, flags).map((wanted) =>
        isNew || shared ? ensure(client, wanted, isNew) : keep(client, wanted),
      ),
    );
}

/** Creates missing objects, and resets existing ones. */
async function keep(client: Client, wanted: BootstrapObject): Promise<void> {
  if (await ensure(client, wanted)) return;
  const { object, ...type } = wanted;
  const { name, namespace: inNamespace } = object.metadata;
  const resource = client.of({ ...type, namespaced: true });
  const { metadata } = await resource.get(name, inNamespace);
  await resource.update({ ...object, metadata: { ...metadata, ...object.metadata } } as ApiObject);
}

/** Returns whether the object was created. In a new cluster (`isNew`), it is created without reading it first. */
async function ensure(client: Client, { object, ...type }: BootstrapObject, isNew = false): Promise<boolean> {
  const { name, namespace: inNamespace } = object.metadata;
  const resource = client.of({ ...type, namespaced: inNamespace !== undefined });
  if (!isNew && (await found(resource.get(name, inNamespace)))) return false;
  await resource.create(object as ApiObject);
  return true;
}

const namespace = (name: string): BootstrapObject => ({
  group: '',
  version: 'v1',
  resource: 'namespaces',
  kind: 'Namespace',
  object: { metadata: { name } },
});

/** Containers in the default namespace request a tenth of a CPU by default (specification, Limits 5). */
const defaultLimits: BootstrapObject = {
  group: '',
  version: 'v1',
  resource: 'limitranges',
  kind: 'LimitRange',
  object: {
    metadata: { name: 'limits', namespace: 'default' },
    spec: { limits: [{ type: 'Container', defaultRequest: { cpu: '100m' } }] },
  },
};

function priorityClasses(fill: (template: string) => string): BootstrapObject[] {
  const type = { group: 'scheduling.{domain}', version: 'v1', resource: 'priorityclasses', kind: 'PriorityClass' };
  const critical = (name: string, value: number, who: string): BootstrapObject => ({
    ...type,
    object: { metadata: { name }, value, description: fill(`Used for system critical pods that must ${who}.`) },
  });
  return [
    critical('system-node-critical', 2000001000, 'not be moved from their current node'),
    critical(
      'system-cluster-critical',
      2000000000,
      'run in the cluster, but can be moved to another node if necessary',
    ),
  ];
}

/** The service by which pods reach the API server: at the first available address, and optionally with a node port. */
function apiService({ product, fill }: Names, flags: FlagSet): BootstrapObject {
  const nodePort = flags.number(fill('{product}-service-node-port'));
  const labels = { component: 'apiserver', provider: product };
  const ports = [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 6443, ...(nodePort > 0 && { nodePort }) }];
  const [range = ''] = (flags.get('service-cluster-ip-range') ?? '').split(',');
  const block = parseBlock(range.trim());
  const clusterIP = block && formatAddress(addressIn(block, 1n));
  const type = nodePort > 0 ? 'NodePort' : 'ClusterIP';
  // The policy is dropped where addresses have one family only, but its owner stays.
  const spec = { type, ports, clusterIP, ipFamilyPolicy: 'SingleStack' };
  return {
    group: '',
    version: 'v1',
    resource: 'services',
    kind: 'Service',
    object: { metadata: { name: product, namespace: 'default', labels }, spec },
  };
}

/** The advertised address of the API server without a flag: an address reserved for documentation. */
const ADVERTISED = '192.0.2.1';

/** The advertised address of the API server. */
export const advertisedAddress = (flags: FlagSet): string => flags.get('advertise-address') || ADVERTISED;

/** The endpoints of that service. */
function apiEndpoints({ product, fill }: Names, flags: FlagSet): BootstrapObject[] {
  const ip = advertisedAddress(flags);
  const ports = [{ name: 'https', port: 6443, protocol: 'TCP' }];
  const metadata = { name: product, namespace: 'default' };
  const endpoints = {
    metadata: { ...metadata, labels: { [fill('endpointslice.{label}/skip-mirror')]: 'true' } },
    subsets: [{ addresses: [{ ip }], ports }],
  };
  const slice = {
    metadata: { ...metadata, labels: { [fill('{label}/service-name')]: product } },
    addressType: ip.includes(':') ? 'IPv6' : 'IPv4',
    endpoints: [{ addresses: [ip], conditions: { ready: true } }],
    ports,
  };
  return [
    { group: '', version: 'v1', resource: 'endpoints', kind: 'Endpoints', object: endpoints },
    {
      group: 'discovery.{domain}',
      version: 'v1beta1',
      resource: 'endpointslices',
      kind: 'EndpointSlice',
      object: slice,
    },
  ];
}
