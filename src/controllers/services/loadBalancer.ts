/**
 * Load balancers: each service of type LoadBalancer gets an address in its status. There is no cloud: addresses come
 * from a range reserved for documentation, and only in clusters with simulated nodes. Otherwise the controller does
 * nothing, as the reference without a cloud provider.
 *
 * Watches services and nodes.
 */
import {
  keyOf,
  nodes as nodesRef,
  services as servicesRef,
  type Informer,
  type Node,
  type Service,
} from '../../client/index.ts';
import { found } from '../../schema/index.ts';
import { wakeOn, type ControllerContext } from '../runtime/index.ts';

/** TEST-NET-2 of RFC 5737: addresses that are not routed outside of the simulation. */
const PREFIX = '198.51.100.';
const LAST = 254;
const SIMULATED = 'simulation.vitrine.dev/agent';

export type LoadBalancerPlan = 'nothing' | 'ensure' | 'remove';

/** The action for a service: it needs a load balancer, or has one that it no longer needs. */
export function planLoadBalancer(service: Service, finalizer: string): LoadBalancerPlan {
  const wants = service.spec.type === 'LoadBalancer' && service.metadata.deletionTimestamp === undefined;
  const isMarked = service.metadata.finalizers?.includes(finalizer) ?? false;
  const ingress = service.status.loadBalancer?.ingress ?? [];
  if (wants) return isMarked && ingress.length > 0 ? 'nothing' : 'ensure';
  // The finalizer marks this controller's addresses: an address without it was written by somebody else and stays.
  return isMarked ? 'remove' : 'nothing';
}

/** The requested address, else the first free one; undefined if none is left. */
export function chooseAddress(wanted: string | undefined, taken: ReadonlySet<string>): string | undefined {
  if (wanted) return taken.has(wanted) ? undefined : wanted;
  for (let i = 1; i <= LAST; i++) if (!taken.has(`${PREFIX}${i}`)) return `${PREFIX}${i}`;
  return undefined;
}

const addressesOf = ({ status }: Service): string[] =>
  (status.loadBalancer?.ingress ?? []).flatMap(({ ip }) => (ip ? [ip] : []));

class LoadBalancers {
  readonly #context: ControllerContext;
  readonly #services: Informer<Service>;
  readonly #nodes: Informer<Node>;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#services = context.informers.of(servicesRef);
    this.#nodes = context.informers.of(nodesRef);
    this.#services.addIndex('loadBalancer', (service) => (service.spec.type === 'LoadBalancer' ? [''] : []));
    this.#services.addIndex('loadBalancerAddress', (service) => (addressesOf(service).length > 0 ? [''] : []));
    this.#nodes.addIndex('simulated', ({ metadata }) => (metadata.annotations?.[SIMULATED] === 'true' ? [''] : []));
    const loop = context.loop({
      workers: context.flags.number('concurrent-service-syncs'),
      reconcile: (key) => this.#reconcile(key),
    });
    wakeOn(loop, this.#services);
    // The first simulated node enables simulated load balancers in the cluster.
    this.#nodes.on({
      added: () => {
        if (this.#nodes.by('simulated', '').length === 1)
          for (const service of this.#services.by('loadBalancer', '')) loop.add(keyOf(service));
      },
    });
  }

  get #finalizer(): string {
    return this.#context.names.fill('service.{label}/load-balancer-cleanup');
  }

  async #reconcile(key: string): Promise<void> {
    const service = this.#services.get(key);
    if (!service || this.#nodes.by('simulated', '').length === 0) return;
    const plan = planLoadBalancer(service, this.#finalizer);
    if (plan === 'ensure') await this.#ensure(service);
    if (plan === 'remove') await this.#remove(service);
  }

  async #ensure(service: Service): Promise<void> {
    const { recorder } = this.#context;
    const taken = new Set(this.#services.by('loadBalancerAddress', '').flatMap(addressesOf));
    const ip = chooseAddress(service.spec.loadBalancerIP, taken);
    recorder.record(service, 'Normal', 'EnsuringLoadBalancer', 'Ensuring load balancer');
    if (ip === undefined) {
      const message = 'Error syncing load balancer: failed to ensure load balancer: no address is left';
      return recorder.record(service, 'Warning', 'SyncLoadBalancerFailed', message);
    }
    await this.#write(service, true, { ingress: [{ ip }] });
    recorder.record(service, 'Normal', 'EnsuredLoadBalancer', 'Ensured load balancer');
  }

  async #remove(service: Service): Promise<void> {
    const { recorder } = this.#context;
    recorder.record(service, 'Normal', 'DeletingLoadBalancer', 'Deleting load balancer');
    await this.#write(service, false, {});
    recorder.record(service, 'Normal', 'DeletedLoadBalancer', 'Deleted load balancer');
  }

  /** The finalizer is written through the status subresource, because this controller may write nothing else. */
  async #write(service: Service, present: boolean, loadBalancer: Service['status']['loadBalancer']): Promise<void> {
    const others = (service.metadata.finalizers ?? []).filter((finalizer) => finalizer !== this.#finalizer);
    const metadata = { ...service.metadata, finalizers: present ? [...others, this.#finalizer] : others };
    const next = { ...service, metadata, status: { ...service.status, loadBalancer } };
    await found(this.#context.client.of(servicesRef).updateStatus(next));
    const { resourceVersion } = service.metadata;
    await this.#services.until(keyOf(service), (now) => now?.metadata.resourceVersion !== resourceVersion);
  }
}

export function startLoadBalancers(context: ControllerContext): void {
  new LoadBalancers(context);
}
