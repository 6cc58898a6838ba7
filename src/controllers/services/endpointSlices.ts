/**
 * Endpoint slices: what Endpoints say of a service, in pieces of at most a hundred endpoints each. Endpoints that
 * somebody keeps by hand, for a service without a selector, are mirrored into slices.
 *
 * Watches services, pods, nodes, Endpoints and endpoint slices.
 */
import {
  endpoints as endpointsRef,
  endpointSlices,
  keyOf,
  nodes as nodesRef,
  pods as podsRef,
  services,
  type Endpoints,
  type EndpointSlice,
  type Informer,
  type Node,
  type Pod,
  type Service,
} from '../../client/index.ts';
import type { Names } from '../../names/index.ts';
import { backendsOf, referenceTo } from '../../network/index.ts';
import { isReason } from '../../schema/index.ts';
import {
  controllerReference,
  isNamespaceTerminating,
  podSelectorOf,
  wakeOn,
  type ControllerContext,
} from '../runtime/index.ts';
import { selecting } from './endpoints.ts';
import { newSlice, planSlices, withPlaceholder, type Endpoint, type PortGroup, type SlicePort } from './slices.ts';

/** The endpoints of a service, by the ports that they have. */
export function groupsOf(
  service: Service,
  pods: readonly Pod[],
  nodeOf: (name: string) => Node | undefined,
  names: Names,
): PortGroup[] {
  const groups = new Map<string, { ports: SlicePort[]; endpoints: Endpoint[] }>();
  for (const { pod, ip, ready, ports, hostname } of backendsOf(service, pods)) {
    const named = ports.map(({ name = '', port, protocol = 'TCP', appProtocol }) => ({
      name,
      port,
      protocol,
      ...(appProtocol === undefined ? {} : { appProtocol }),
    }));
    const group = groups.get(JSON.stringify(named)) ?? { ports: named, endpoints: [] };
    groups.set(JSON.stringify(named), group);
    const topology = topologyOf(pod, nodeOf, names);
    const target = {
      ...(hostname ? { hostname } : {}),
      targetRef: referenceTo(pod),
      ...(Object.keys(topology).length > 0 ? { topology } : {}),
    };
    group.endpoints.push({ addresses: [ip], conditions: { ready }, ...target });
  }
  return [...groups.values()];
}

function topologyOf(pod: Pod, nodeOf: (name: string) => Node | undefined, names: Names): Record<string, string> {
  const nodeName = pod.spec.nodeName ?? '';
  const labels = nodeOf(nodeName)?.metadata.labels ?? {};
  const zones = ['topology.{label}/region', 'topology.{label}/zone'].map((label) => names.fill(label));
  const known = zones.flatMap((label) => (labels[label] === undefined ? [] : [[label, labels[label]] as const]));
  return nodeName === '' ? {} : { [names.fill('{label}/hostname')]: nodeName, ...Object.fromEntries(known) };
}

/** What hand-kept Endpoints say, as endpoints of slices. */
export function mirroredGroups(endpoints: Endpoints): PortGroup[] {
  return (endpoints.subsets ?? []).map(({ addresses, notReadyAddresses, ports }) => {
    const mirrored =
      (ready: boolean) =>
      (address: NonNullable<typeof addresses>[number]): Endpoint => ({
        addresses: [address.ip],
        conditions: { ready },
        ...(address.hostname ? { hostname: address.hostname } : {}),
        ...(address.targetRef ? { targetRef: address.targetRef } : {}),
      });
    const slicePorts = (ports ?? []).map(({ name = '', port, protocol = 'TCP', appProtocol }) => ({
      name,
      port,
      protocol,
      ...(appProtocol === undefined ? {} : { appProtocol }),
    }));
    return {
      ports: slicePorts,
      endpoints: [...(addresses ?? []).map(mirrored(true)), ...(notReadyAddresses ?? []).map(mirrored(false))],
    };
  });
}

/** Keeps the slices of one owner, a service or mirrored Endpoints. */
class SliceKeeper {
  readonly #context: ControllerContext;
  readonly #slices: Informer<EndpointSlice>;
  readonly #manager: string;
  readonly #max: number;

  constructor(context: ControllerContext, manager: string, max: number) {
    this.#context = context;
    this.#slices = context.informers.of(endpointSlices);
    this.#manager = context.names.fill(manager);
    this.#max = max;
  }

  get #serviceLabel(): string {
    return this.#context.names.fill('{label}/service-name');
  }

  get #managerLabel(): string {
    return this.#context.names.fill('endpointslice.{label}/managed-by');
  }

  /** The service that a slice of this manager belongs to. */
  ownerOf(slice: EndpointSlice): string[] {
    const { labels = {}, namespace } = slice.metadata;
    return labels[this.#managerLabel] === this.#manager ? [`${namespace}/${labels[this.#serviceLabel]}`] : [];
  }

  async keep(service: Service, groups: readonly PortGroup[], owner: 'service' | 'endpoints'): Promise<void> {
    const { names, client } = this.#context;
    const { name = '', namespace = '', labels } = service.metadata;
    const wanted = { ...labels, [this.#serviceLabel]: name, [this.#managerLabel]: this.#manager };
    const existing = this.#slices
      .by('namespace', namespace)
      .filter((slice) => this.ownerOf(slice).includes(keyOf(service)));
    const planned = planSlices(groups, existing, this.#max, (slice) => ({
      ...slice,
      metadata: { ...slice.metadata, labels: wanted },
    }));
    const plan = owner === 'service' ? withPlaceholder(planned, existing) : planned;
    const ownerReferences = [controllerReference(service, owner === 'service' ? services : endpointsRef, names)];
    for (const slice of plan.create) {
      const made = await client
        .of(endpointSlices)
        .create(newSlice({ generateName: `${name}-`, namespace, labels: wanted, ownerReferences }, slice));
      await this.#slices.until(keyOf(made), (seen) => seen !== undefined);
    }
    for (const slice of plan.update) {
      await client.of(endpointSlices).update(slice);
      await this.#slices.until(
        keyOf(slice),
        (seen) => seen?.metadata.resourceVersion !== slice.metadata.resourceVersion,
      );
    }
    for (const slice of plan.remove) await this.#remove(slice);
  }

  async removeAll(key: string): Promise<void> {
    for (const slice of this.#slices.list()) if (this.ownerOf(slice).includes(key)) await this.#remove(slice);
  }

  async #remove(slice: EndpointSlice): Promise<void> {
    try {
      await this.#context.client.of(endpointSlices).delete(slice);
    } catch (problem) {
      if (!isReason(problem, 'NotFound')) throw problem;
    }
    await this.#slices.until(keyOf(slice), (seen) => seen?.metadata.uid !== slice.metadata.uid);
  }
}

async function ignoringTerminating(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (problem) {
    if (!isNamespaceTerminating(problem)) throw problem;
  }
}

export function startEndpointSlices(context: ControllerContext): void {
  const { informers, flags, names } = context;
  const keeper = new SliceKeeper(context, 'endpointslice-controller.{domain}', flags.number('max-endpoints-per-slice'));
  const all = informers.of(services);
  const pods = informers.of(podsRef);
  const nodes = informers.of(nodesRef);
  const reconcile = async (key: string): Promise<void> => {
    const service = all.get(key);
    if (!service) return;
    if (Object.keys(service.spec.selector ?? {}).length === 0) return;
    const selector = podSelectorOf(service.spec.selector);
    const selected = pods
      .by('namespace', service.metadata.namespace ?? '')
      .filter((pod) => selector.matches(pod.metadata.labels ?? {}));
    await ignoringTerminating(
      keeper.keep(
        service,
        groupsOf(service, selected, (name) => nodes.get(name), names),
        'service',
      ),
    );
  };
  const loop = context.loop({ workers: flags.number('concurrent-service-endpoint-syncs'), reconcile });
  wakeOn(loop, all);
  const gather = flags.duration('endpointslice-updates-batch-period');
  const selectingPod = (pod: Pod): string[] => selecting(pod, all.by('namespace', pod.metadata.namespace ?? ''));
  wakeOn(loop, pods, selectingPod, undefined, gather);
  wakeOn(loop, informers.of(endpointSlices), (slice) => keeper.ownerOf(slice));
}

export function startEndpointSliceMirroring(context: ControllerContext): void {
  const { informers, flags, names } = context;
  const max = flags.number('mirroring-max-endpoints-per-subset');
  const keeper = new SliceKeeper(context, 'endpointslicemirroring-controller.{domain}', max);
  const all = informers.of(services);
  const kept = informers.of(endpointsRef);
  const isMirrored = (service: Service | undefined, endpoints: Endpoints | undefined): endpoints is Endpoints => {
    if (!service || !endpoints || Object.keys(service.spec.selector ?? {}).length > 0) return false;
    const skipped = endpoints.metadata.labels?.[names.fill('endpointslice.{label}/skip-mirror')] === 'true';
    return !skipped && endpoints.metadata.annotations?.[names.fill('control-plane.alpha.{label}/leader')] === undefined;
  };
  const reconcile = async (key: string): Promise<void> => {
    const [service, endpoints] = [all.get(key), kept.get(key)];
    if (!service || !isMirrored(service, endpoints)) return keeper.removeAll(key);
    const owner = { ...service, metadata: endpoints.metadata };
    await ignoringTerminating(keeper.keep(owner, mirroredGroups(endpoints), 'endpoints'));
  };
  const loop = context.loop({ workers: flags.number('mirroring-concurrent-service-endpoint-syncs'), reconcile });
  wakeOn(loop, all);
  wakeOn(loop, kept, undefined, undefined, flags.duration('mirroring-endpointslice-updates-batch-period'));
  wakeOn(loop, informers.of(endpointSlices), (slice) => keeper.ownerOf(slice));
}
