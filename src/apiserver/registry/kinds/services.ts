/** Services allocate cluster IPs and node ports from their ranges, and release them. */
import { field, isReason, status, type ApiObject, type FieldError, type Resource } from '../../../schema/index.ts';
import { must, Part } from '../../../std/index.ts';
import type { ResourceContext, ResourceServer } from '../registry.ts';
import { AllocationError, PortPool, PortTrial } from '../allocation.ts';
import { deleteObject } from '../deletion.ts';
import type { KindFile, Undo } from '../registry.ts';
import {
  completeFamilies,
  heldAddresses,
  ServiceAddresses,
  wantsAddress,
  type AddressedSpec,
} from '../serviceAddresses.ts';
import type { Pools } from '../serviceRanges.ts';

/** The additional code for several servers on one storage. */
export const sharedRanges = new Part(() => import('../serviceRanges.ts'));

/** Few requests use the service proxy. */
export const serviceProxy = new Part(() => import('./serviceProxy.ts'));

export const services: KindFile = {
  resource: 'services',
  behaviour: { claim, released, deleted },
  subresources: { proxy: async (...asked) => (await serviceProxy.load()).proxy(...asked) },
};

interface Port {
  name?: string;
  nodePort?: number;
  protocol?: string;
  port?: number;
}

interface ServiceSpec extends AddressedSpec {
  ports?: Port[];
  externalTrafficPolicy?: string;
  healthCheckNodePort?: number;
  allocateLoadBalancerNodePorts?: boolean;
}

/** The pools, and the function that stops following the allocations of other servers. */
type Followed = Pools & { end?: () => void };

const known = new WeakMap<ResourceServer, Followed>();

/** The server's pools, filled on first use from the stored services. */
function poolsOf(server: ResourceServer): Pools {
  const found = known.get(server);
  if (found) return found;
  const made: Followed = {
    addresses: new ServiceAddresses(server.flag('service-cluster-ip-range') ?? '', server.random),
    ports: new PortPool(server.flag('service-node-port-range') ?? '', server.random),
  };
  known.set(server, made);
  const resource = server.scheme.byResource({ group: '', version: 'v1', resource: 'services' });
  if (resource) fill(made, server, resource.hub);
  return made;
}

function fill(made: Followed, { storage, views }: ResourceServer, hub: Resource): void {
  const start = hub.prefix;
  const range = { start, end: `${start.slice(0, -1)}0` };
  for (const entry of storage.range(range).entries) mark(made, views.of(entry, hub).object);
  if (!storage.shared) return;
  const watch = storage.watch(
    { ...range, from: storage.revision, bufferLimit: Infinity },
    (events) => {
      for (const { previous, entry } of events) {
        const now = entry && views.of(entry, hub).object;
        if (previous) releaseHeld(made, views.of(previous, hub).object, now);
        if (now) mark(made, now);
      }
    },
    () => undefined,
  );
  made.end = () => watch.close();
}

/** Refills the pools at the next claim. */
function forgetPools(server: ResourceServer): void {
  known.get(server)?.end?.();
  known.delete(server);
}

const specOf = (object: ApiObject | undefined): ServiceSpec => (object?.['spec'] as ServiceSpec | undefined) ?? {};

function mark({ addresses, ports }: Pools, service: ApiObject): void {
  const spec = specOf(service);
  for (const address of heldAddresses(spec)) addresses.mark(address);
  for (const port of heldPorts(spec)) ports.mark(port);
}

const wantsPorts = (spec: ServiceSpec): boolean => spec.type === 'NodePort' || spec.type === 'LoadBalancer';
/** A load balancer may do without node ports. Those that it has stay. */
const refusesPorts = (spec: ServiceSpec, { gate }: ResourceServer): boolean =>
  spec.type === 'LoadBalancer' && gate('ServiceLBNodePortControl') && spec.allocateLoadBalancerNodePorts === false;
const wantsHealthCheck = (spec: ServiceSpec): boolean =>
  spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local';

function heldPorts(spec: ServiceSpec): number[] {
  if (!wantsPorts(spec)) return [];
  const ports = (spec.ports ?? []).map((p) => p.nodePort ?? 0);
  return [...new Set([...ports, spec.healthCheckNodePort ?? 0])].filter((p) => p > 0);
}

/**
 * Allocates what a new or changed service needs and does not have yet; the rest is released once the change is stored.
 */
function claim(object: ApiObject, old: ApiObject | undefined, context: ResourceContext, dryRun: boolean): Undo {
  const { server } = context;
  const pools = poolsOf(server);
  const { addresses, ports } = pools;
  if (server.storage.shared) sharedRanges.get().adoptRanges(server, pools);
  const spec = specOf(object);
  const before = specOf(old);
  const taken: (() => void)[] = [];
  const undo = (): void => (server.storage.shared ? forgetPools(server) : taken.forEach((give) => give()));
  try {
    const dual = server.gate('IPv6DualStack');
    if (dual) refuse(completeFamilies(spec, addresses.families));
    // A dry run allocates no address, as in the reference.
    if (!dryRun && wantsAddress(spec)) claimAddresses(spec, before, addresses, dual, taken);
    const from = dryRun ? new PortTrial(ports) : ports;
    if (wantsPorts(spec) && !refusesPorts(spec, server)) claimPorts(spec, before, from, taken);
    if (wantsHealthCheck(spec)) claimHealthCheck(spec, before, from, taken);
  } catch (error) {
    undo();
    if (error instanceof ClaimError)
      throw status.invalid({ group: '', kind: 'Service' }, object.metadata.name ?? '', [...error.errors]);
    throw error;
  }
  if (!server.storage.shared || taken.length === 0 || dryRun) return undo;
  return Object.assign(undo, { guards: sharedRanges.get().rangeWrites(server, pools) });
}

class ClaimError extends Error {
  readonly errors: readonly FieldError[];
  constructor(errors: readonly FieldError[]) {
    super(errors.map(({ message }) => message).join(', '));
    this.errors = errors;
  }
}

function refuse(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw new ClaimError(errors);
}

/** Allocates a requested value; a failure is an error of the field. */
function takeThis<T>(path: string, wanted: unknown, allocate: () => T): T {
  try {
    return allocate();
  } catch (error) {
    if (error instanceof AllocationError) throw new ClaimError([field.invalid(path, wanted, error.message)]);
    throw error;
  }
}

/** Allocates any free value; exhaustion is a server error. */
function takeAny<T>(what: string, allocate: () => T): T {
  try {
    return allocate();
  } catch (error) {
    if (error instanceof AllocationError) throw status.internalError(`failed to allocate ${what}: ${error.message}`);
    throw error;
  }
}

/** One address for each IP family of the service; existing addresses are kept. */
function claimAddresses(
  spec: ServiceSpec,
  before: ServiceSpec,
  addresses: ServiceAddresses,
  dual: boolean,
  taken: (() => void)[],
): void {
  const held = heldAddresses(before);
  if (!dual && held.length > 0 && held[0] === spec.clusterIP) return;
  const asked = dual ? (spec.clusterIPs ?? []) : [spec.clusterIP ?? ''];
  const families = (dual ? spec.ipFamilies : undefined) ?? addresses.families.slice(0, 1);
  const claimed = families.map((family, i) => {
    const wanted = asked[i] ?? '';
    if (wanted !== '' && held.includes(wanted)) return wanted;
    const pool = must(addresses.pool(family), `the cluster has no addresses of ${family}`);
    const address =
      wanted === ''
        ? takeAny('a service address', () => pool.next())
        : takeThis('spec.clusterIPs', spec.clusterIPs ?? [wanted], () => pool.take(wanted));
    taken.push(() => pool.release(address));
    return address;
  });
  spec.clusterIP = claimed[0] ?? '';
  spec.clusterIPs = claimed;
}

function claimPorts(spec: ServiceSpec, before: ServiceSpec, pool: PortPool | PortTrial, taken: (() => void)[]): void {
  const takeOne = (wanted: number, i: number): number => {
    const number =
      wanted === 0
        ? takeAny('a node port', () => pool.next())
        : takeThis(`spec.ports[${i}].nodePort`, wanted, () => pool.take(wanted));
    taken.push(() => pool.release(number));
    return number;
  };
  const held = new Set((before.ports ?? []).map(({ nodePort = 0 }) => nodePort));
  if (before.type === undefined) claimFirstPorts(spec.ports ?? [], takeOne);
  else claimFurtherPorts(spec.ports ?? [], held, takeOne);
}

/** Ports of a new service: ports with the same number (for two protocols, say) share a node port. */
function claimFirstPorts(ports: readonly Port[], takeOne: (wanted: number, i: number) => number): void {
  const numbers = new Map<number | undefined, number>();
  for (const [i, port] of ports.entries()) {
    const known = numbers.get(port.port);
    if (known === undefined) {
      const asked = ports.find((other) => other.port === port.port && (other.nodePort ?? 0) !== 0);
      port.nodePort = takeOne(asked?.nodePort ?? 0, i);
      numbers.set(port.port, port.nodePort);
    } else if ((port.nodePort ?? 0) === 0) port.nodePort = known;
    else if (port.nodePort !== known) takeOne(port.nodePort as number, i);
  }
}

/** Ports of a changed service: it may reuse its own node ports, for any number of protocols. */
function claimFurtherPorts(
  ports: readonly Port[],
  held: Set<number>,
  takeOne: (wanted: number, i: number) => number,
): void {
  for (const [i, port] of ports.entries()) {
    const wanted = port.nodePort ?? 0;
    if (wanted !== 0 && held.has(wanted)) continue;
    port.nodePort = takeOne(wanted, i);
    if (wanted !== 0) held.add(wanted);
  }
}

/** The health check node port; a service that needs one keeps its existing port. */
function claimHealthCheck(
  spec: ServiceSpec,
  before: ServiceSpec,
  pool: PortPool | PortTrial,
  taken: (() => void)[],
): void {
  const wanted = spec.healthCheckNodePort ?? 0;
  if (wantsHealthCheck(before)) {
    if (wanted === (before.healthCheckNodePort ?? 0)) return;
    const why = 'may not change on LoadBalancer services with ExternalTrafficPolicy=Local';
    throw new ClaimError([field.invalid('spec.healthCheckNodePort', wanted, why)]);
  }
  const port = takeAny('a health check node port', () => (wanted === 0 ? pool.next() : pool.take(wanted)));
  taken.push(() => pool.release(port));
  spec.healthCheckNodePort = port;
}

/** Releases what the service had and (after an update) no longer has. */
function released(old: ApiObject, { server }: ResourceContext, now?: ApiObject): Promise<void> | undefined {
  const release = (pools: Pools): void => releaseHeld(pools, old, now);
  if (!server.storage.shared) return void release(poolsOf(server));
  const kept = new Set(now ? held(specOf(now)) : []);
  if (held(specOf(old)).every((one) => kept.has(one))) return undefined;
  // The pool follows storage; the shared allocation objects still contain the value. If they can't be written now,
  // servers drop it after a while.
  const { writeReleased } = sharedRanges.get();
  return writeReleased(server, () => poolsOf(server), release).catch(() => undefined);
}

const held = (spec: ServiceSpec): readonly unknown[] => [...heldAddresses(spec), ...heldPorts(spec)];

function releaseHeld({ addresses, ports }: Pools, old: ApiObject, now: ApiObject | undefined): void {
  const before = specOf(old);
  const after = specOf(now);
  const kept = new Set(now ? heldPorts(after) : []);
  const keptAddresses = now ? heldAddresses(after) : [];
  for (const address of heldAddresses(before)) if (!keptAddresses.includes(address)) addresses.release(address);
  for (const port of heldPorts(before)) if (!kept.has(port)) ports.release(port);
}

/** The endpoints are deleted with their service, without admission. */
async function deleted({ metadata }: ApiObject, context: ResourceContext): Promise<void> {
  const endpoints = context.server.scheme.byResource({ group: '', version: 'v1', resource: 'endpoints' });
  if (!endpoints) return;
  try {
    await deleteObject(context, endpoints, metadata.name ?? '', {}, () => Promise.resolve());
  } catch (error) {
    if (!isReason(error, 'NotFound')) throw error;
  }
}
