/** Services take cluster IPs and node ports from their ranges, and give them back. */
import { field, isReason, status, type ApiObject, type FieldError, type Resource } from '../../../schema/index.ts';
import { must, toBase64 } from '../../../std/index.ts';
import type { Op } from '../../../storage/index.ts';
import type { Answer } from '../../codec/answer.ts';
import type { ResourceContext, ResourceServer } from '../registry.ts';
import { AllocationError, PortPool, PortTrial } from '../allocation.ts';
import { deleteObject } from '../deletion.ts';
import { objectKey } from '../keys.ts';
import { getObject } from '../read.ts';
import { proxyTarget } from '../proxyTarget.ts';
import { passOn } from '../../streams/proxy.ts';
import type { KindFile, Undo } from '../registry.ts';
import {
  completeFamilies,
  heldAddresses,
  ServiceAddresses,
  wantsAddress,
  type AddressedSpec,
} from '../serviceAddresses.ts';

export const services: KindFile = {
  resource: 'services',
  behaviour: { claim, released, deleted },
  subresources: { proxy },
};

/** The way to a service's pods. A service without endpoints is not found, as in the reference. */
async function proxy(context: ResourceContext, resource: Resource): Promise<Answer> {
  const { server, info } = context;
  const { name, port, tls } = proxyTarget(info.name, 'service');
  const entry = await getObject(context, resource, name, '');
  const wanted = portName(specOf(server.views.of(entry, resource.hub).object).ports ?? [], port, name);
  const endpoints = server.scheme.byResource({ group: '', version: 'v1', resource: 'endpoints' });
  const found = endpoints && server.storage.get(objectKey(endpoints.hub, info.namespace, name));
  if (!found) throw status.notFound({ group: '', resource: 'services' }, name);
  const { subsets = [] } = server.views.of(found, endpoints.hub).object as Endpoints;
  const ready = subsets.flatMap(({ addresses = [], ports = [] }) =>
    ports
      .filter((one) => (one.name ?? '') === wanted)
      .flatMap((one) => addresses.map((address) => ({ address, port: one.port }))),
  );
  const chosen = ready[Math.floor(server.random.next() * ready.length)];
  if (!chosen) throw unavailable(`no endpoints available for service ${JSON.stringify(name)}`);
  const pod = podBehind(context, chosen.address);
  if (!pod) throw unavailable(`error trying to reach service: no pod has the address ${chosen.address.ip}`);
  return { type: 'response', response: await passOn(context, { pod, port: chosen.port, tls }) };
}

const unavailable = (message: string): Error => status.failure(503, 'ServiceUnavailable', message);

/** A port by its number stands for its name. */
function portName(ports: readonly Port[], port: string, service: string): string {
  if (!/^\d+$/.test(port)) return port;
  const found = ports.find((known) => known.port === Number(port));
  if (!found) throw unavailable(`no service port ${port} found for service ${JSON.stringify(service)}`);
  return found.name ?? '';
}

interface EndpointAddress {
  readonly ip: string;
  readonly targetRef?: { readonly kind?: string; readonly name?: string };
}

interface Endpoints extends ApiObject {
  readonly subsets?: readonly {
    readonly addresses?: readonly EndpointAddress[];
    readonly ports?: readonly { readonly name?: string; readonly port: number }[];
  }[];
}

function podBehind({ server, info }: ResourceContext, { targetRef }: EndpointAddress): ApiObject | undefined {
  const pods = server.scheme.byResource({ group: '', version: 'v1', resource: 'pods' });
  if (!pods || targetRef?.kind !== 'Pod') return undefined;
  const entry = server.storage.get(objectKey(pods.hub, info.namespace, targetRef.name ?? ''));
  return entry && server.views.of(entry, pods.hub).object;
}

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
}

interface Pools {
  readonly addresses: ServiceAddresses;
  readonly ports: PortPool;
  /** Stops following the allocations of other servers. */
  end?: () => void;
}

const pools = new WeakMap<ResourceServer, Pools>();

/** The server's pools, filled on first use with what stored services hold. */
function poolsOf(server: ResourceServer): Pools {
  const known = pools.get(server);
  if (known) return known;
  const made = {
    addresses: new ServiceAddresses(server.flag('service-cluster-ip-range') ?? '', server.random),
    ports: new PortPool(server.flag('service-node-port-range') ?? '', server.random),
  };
  pools.set(server, made);
  const resource = server.scheme.byResource({ group: '', version: 'v1', resource: 'services' });
  if (resource) fill(made, server, resource.hub);
  return made;
}

function fill(made: Pools, { storage, views }: ResourceServer, hub: Resource): void {
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

/** Fills the pools anew at the next claim. */
function forgetPools(server: ResourceServer): void {
  pools.get(server)?.end?.();
  pools.delete(server);
}

const specOf = (object: ApiObject | undefined): ServiceSpec => (object?.['spec'] as ServiceSpec | undefined) ?? {};

function mark({ addresses, ports }: Pools, service: ApiObject): void {
  const spec = specOf(service);
  for (const address of heldAddresses(spec)) addresses.mark(address);
  for (const port of heldPorts(spec)) ports.mark(port);
}

const wantsPorts = (spec: ServiceSpec): boolean => spec.type === 'NodePort' || spec.type === 'LoadBalancer';
const wantsHealthCheck = (spec: ServiceSpec): boolean =>
  spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local';

function heldPorts(spec: ServiceSpec): number[] {
  if (!wantsPorts(spec)) return [];
  const ports = (spec.ports ?? []).map((p) => p.nodePort ?? 0);
  return [...new Set([...ports, spec.healthCheckNodePort ?? 0])].filter((p) => p > 0);
}

/** Takes what a new or changed service needs and does not hold yet; the rest goes back once the change is stored. */
function claim(object: ApiObject, old: ApiObject | undefined, context: ResourceContext, dryRun: boolean): Undo {
  const { server } = context;
  const { addresses, ports } = poolsOf(server);
  const spec = specOf(object);
  const before = specOf(old);
  const taken: (() => void)[] = [];
  const undo = (): void => (server.storage.shared ? forgetPools(server) : taken.forEach((give) => give()));
  try {
    const dual = server.gate('IPv6DualStack');
    if (dual) refuse(completeFamilies(spec, addresses.families));
    // What a trial would be given is left open, as in the reference.
    if (!dryRun && wantsAddress(spec)) claimAddresses(spec, before, addresses, dual, taken);
    const from = dryRun ? new PortTrial(ports) : ports;
    if (wantsPorts(spec)) claimPorts(spec, before, from, taken);
    if (wantsHealthCheck(spec)) claimHealthCheck(spec, before, from, taken);
  } catch (error) {
    undo();
    if (error instanceof ClaimError)
      throw status.invalid({ group: '', kind: 'Service' }, object.metadata.name ?? '', [...error.errors]);
    throw error;
  }
  if (!server.storage.shared || taken.length === 0 || dryRun) return undo;
  return Object.assign(undo, { guards: guardsOf(server) });
}

/** Where the reference writes down what is taken, at the names of its resources. */
const RANGES = '/registry/ranges/';

/** All servers write these keys whenever they take something: who goes by older ones fails. */
function guardsOf(server: ResourceServer): Op[] {
  const { addresses, ports } = poolsOf(server);
  const states = { serviceips: addresses.first?.state, servicenodeports: ports.state };
  return Object.entries(states).flatMap(([name, state]) => {
    if (!state) return [];
    const key = RANGES + name;
    const object = {
      ...{ kind: 'RangeAllocation', apiVersion: 'v1', metadata: { creationTimestamp: null } },
      ...{ range: state.range, data: toBase64(state.bits) },
    };
    return [{ type: 'put', key, value: JSON.stringify(object), expect: server.storage.get(key)?.revision ?? 0 }];
  });
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

/** Takes what was asked for by name; what goes wrong with it is the field's fault. */
function takeThis<T>(path: string, wanted: unknown, allocate: () => T): T {
  try {
    return allocate();
  } catch (error) {
    if (error instanceof AllocationError) throw new ClaimError([field.invalid(path, wanted, error.message)]);
    throw error;
  }
}

/** Takes whatever is free; that nothing is left is nobody's fault but the server's. */
function takeAny<T>(what: string, allocate: () => T): T {
  try {
    return allocate();
  } catch (error) {
    if (error instanceof AllocationError) throw status.internalError(`failed to allocate ${what}: ${error.message}`);
    throw error;
  }
}

/** One address of each family that the service has; those it holds it keeps. */
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

/** Ports of a new service: those with the same number for clients (under two protocols, say) have one number on nodes. */
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

/** Ports of a changed service: what it holds it may use again, under as many protocols as it likes. */
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

/** The port by which the outside asks after the service's health; a service that needs one keeps the one it has. */
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

/** Releases what the service held and (after an update) holds no more. */
function released(old: ApiObject, context: ResourceContext, now?: ApiObject): void {
  // Of what several servers take, storage tells who released what.
  if (!context.server.storage.shared) releaseHeld(poolsOf(context.server), old, now);
}

function releaseHeld({ addresses, ports }: Pools, old: ApiObject, now: ApiObject | undefined): void {
  const before = specOf(old);
  const after = specOf(now);
  const kept = new Set(now ? heldPorts(after) : []);
  const keptAddresses = now ? heldAddresses(after) : [];
  for (const address of heldAddresses(before)) if (!keptAddresses.includes(address)) addresses.release(address);
  for (const port of heldPorts(before)) if (!kept.has(port)) ports.release(port);
}

/** The endpoints go with their service, without a word of admission. */
async function deleted({ metadata }: ApiObject, context: ResourceContext): Promise<void> {
  const endpoints = context.server.scheme.byResource({ group: '', version: 'v1', resource: 'endpoints' });
  if (!endpoints) return;
  try {
    await deleteObject(context, endpoints, metadata.name ?? '', {}, () => Promise.resolve());
  } catch (error) {
    if (!isReason(error, 'NotFound')) throw error;
  }
}
