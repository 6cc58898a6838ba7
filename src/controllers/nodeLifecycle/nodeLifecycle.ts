/**
 * Node lifecycle: a node without a heartbeat for its grace period becomes Unknown. Conditions become taints. Pods that
 * do not tolerate them are evicted, each after its own time, at a limited rate of nodes.
 *
 * Watches nodes, their leases and pods.
 */
import {
  leases,
  nameOf,
  namespaceOf,
  nodes,
  pods as podsRef,
  type Informer,
  type Lease,
  type Node,
  type Pod,
} from '../../client/index.ts';
import { found } from '../../schema/index.ts';
import type { Names } from '../../names/index.ts';
import { getOwn, rfc3339 } from '../../std/index.ts';
import { wakeOn, type Again, type Controller, type ControllerContext, type Loop } from '../runtime/index.ts';
import { TaintEvictions } from './evictions.ts';
import { awaitsEviction, planTaints, swapsEviction } from './taints.ts';
import { TimedEvictions } from './timedEvictions.ts';
import {
  ClusterHealth,
  evictionRate,
  isExcluded,
  isReady,
  zoneOf,
  type EvictionRates,
  type ExclusionGates,
} from './zones.ts';

type NodeCondition = NonNullable<Node['status']['conditions']>[number];

/** What was heard of a node last, and when. */
interface Heard {
  /** The time in its lease. */
  readonly renewed: string;
  /** The time in its status, unless this controller wrote that. */
  readonly reported: string;
  readonly at: number;
}

const WATCHED = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'];

/** The conditions of a node without heartbeats; undefined if its readiness is already Unknown. */
export function unknownConditions(node: Node, agent: string, now: number): NodeCondition[] | undefined {
  const known = node.status.conditions ?? [];
  if (known.some(({ type, status }) => type === 'Ready' && status === 'Unknown')) return undefined;
  const capital = agent.charAt(0).toUpperCase() + agent.slice(1);
  const unknown = { status: 'Unknown', lastTransitionTime: rfc3339(now) };
  const stopped = { ...unknown, reason: 'NodeStatusUnknown', message: `${capital} stopped posting node status.` };
  const never = { ...unknown, reason: 'NodeStatusNeverUpdated', message: `${capital} never posted node status.` };
  const kept = known.map((condition) =>
    WATCHED.includes(condition.type) && condition.status !== 'Unknown' ? { ...condition, ...stopped } : condition,
  );
  const lastHeartbeatTime = node.metadata.creationTimestamp;
  const missing = WATCHED.filter((type) => !known.some((condition) => condition.type === type));
  return [...kept, ...missing.map((type) => ({ type, lastHeartbeatTime, ...never }) as NodeCondition)];
}

/** The older platform labels, copied from the newer ones; undefined if they are equal. */
export function planPlatformLabels(node: Node, names: Names): Record<string, string> | undefined {
  const entries = ['os', 'arch'].flatMap((kind) => {
    const wanted = getOwn(node.metadata.labels, names.fill(`{label}/${kind}`));
    const older = names.fill(`beta.{label}/${kind}`);
    return wanted === undefined || getOwn(node.metadata.labels, older) === wanted ? [] : [[older, wanted] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

class NodeLifecycle {
  readonly #context: ControllerContext;
  readonly #nodes: Informer<Node>;
  readonly #leases: Informer<Lease>;
  readonly #pods: Informer<Pod>;
  readonly #heard = new Map<string, Heard>();
  readonly #nextEviction = new Map<string, number>();
  /** Nodes that were ready before their heartbeats stopped, and whose pods have yet to be marked unready. */
  readonly #fallenSilent = new Set<string>();
  readonly #health = new ClusterHealth();
  /** When the last outage of all nodes ended. */
  #resumedAt = 0;
  readonly #grace: number;
  readonly #startupGrace: number;
  readonly #rates: EvictionRates;
  readonly #exclusion: ExclusionGates;
  /** Used if evictions by taints are disabled. */
  readonly #timed: TimedEvictions | undefined;

  constructor(context: ControllerContext) {
    const { flags, informers } = context;
    this.#context = context;
    this.#nodes = informers.of(nodes);
    this.#leases = informers.of(leases);
    this.#pods = informers.of(podsRef);
    this.#pods.addIndex('node', (pod) => (pod.spec.nodeName ? [pod.spec.nodeName] : []));
    this.#grace = flags.duration('node-monitor-grace-period');
    this.#startupGrace = flags.duration('node-startup-grace-period');
    this.#rates = {
      normal: flags.number('node-eviction-rate'),
      disrupted: flags.number('secondary-node-eviction-rate'),
      threshold: flags.number('unhealthy-zone-threshold'),
      largeZone: flags.number('large-cluster-size-threshold'),
    };
    this.#exclusion = {
      legacyRoles: flags.gate('LegacyNodeRoleBehavior'),
      label: flags.gate('NodeDisruptionExclusion'),
    };
    this.#timed = flags.bool('enable-taint-manager') ? undefined : new TimedEvictions(context, this.#pods);
    const loop = context.loop({ workers: 8, reconcile: (name) => this.#reconcile(name) });
    this.#watchOutage(loop);
    this.#announceNodes();
    wakeOn(loop, this.#nodes);
    const isOfNode = (lease: Lease): boolean => namespaceOf(lease) === context.names.nodeLeaseNamespace;
    const nodeOf = (lease: Lease): string[] => (isOfNode(lease) ? [nameOf(lease)] : []);
    wakeOn(loop, this.#leases, nodeOf, (lease) => isOfNode(lease) && !this.#onlyNotes(lease));
  }

  /** While no node is ready nothing is evicted. When one becomes ready again, all nodes get a new grace period. */
  #watchOutage(loop: Loop): void {
    const note = (name: string, node: Node | undefined): void => {
      const counted = node && !isExcluded(node, this.#context.names, this.#exclusion) ? node : undefined;
      const state = counted && { zone: zoneOf(counted, this.#context.names), isReady: isReady(counted) };
      if (!this.#health.note(name, state)) return;
      if (!this.#health.isOutage) this.#resume();
      for (const node of this.#nodes.list()) loop.add(nameOf(node));
    };
    const noteNode = (node: Node): void => note(nameOf(node), node);
    this.#nodes.on({
      added: noteNode,
      changed: noteNode,
      deleted: (node) => note(nameOf(node), undefined),
    });
  }

  #announceNodes(): void {
    const announce = (node: Node, reason: string, what: string): void =>
      this.#event(node, reason, `Node ${node.metadata.name} event: ${what}`);
    this.#nodes.on({
      added: (node) => announce(node, 'RegisteredNode', `Registered Node ${node.metadata.name} in Controller`),
      deleted: (node) => announce(node, 'RemovingNode', `Removing Node ${node.metadata.name} from Controller`),
    });
  }

  #resume(): void {
    this.#resumedAt = this.#context.clock.now();
    for (const [name, heard] of this.#heard) this.#heard.set(name, { ...heard, at: this.#resumedAt });
  }

  /** Returns when the next heartbeat of the node is due. */
  async #reconcile(name: string): Promise<number | Again | void> {
    const node = this.#nodes.get(name);
    if (!node) {
      this.#heard.delete(name);
      this.#fallenSilent.delete(name);
      return;
    }
    const labels = planPlatformLabels(node, this.#context.names);
    if (labels) return void (await this.#context.client.of(nodes).patch(node, 'strategic', { metadata: { labels } }));
    const now = this.#context.clock.now();
    const silentAt = this.#silentAt(node, this.#leases.get(`${this.#context.names.nodeLeaseNamespace}/${name}`), now);
    const isSilent = now >= silentAt;
    if (isSilent && (await this.#markUnknown(node, now))) return;
    if (this.#fallenSilent.has(name)) await this.#markPodsNotReady(node);
    const taintIn = await this.#taint(node, now);
    const evictionIn = this.#timed
      ? await this.#timed.evict(node, now, this.#resumedAt, () => this.#evictionIn(node, now))
      : taintIn;
    if (isSilent) return evictionIn;
    if (evictionIn !== undefined) return Math.min(silentAt - now, evictionIn);
    return { ms: silentAt - now, guards: `node ${name}` };
  }

  /**
   * Notes that a node renewed its lease, and returns whether that is all. A ready node needs no reconcile: a timer is set
   * for the end of its grace period, and the reconcile then finds the renewal.
   */
  #onlyNotes(lease: Lease): boolean {
    const name = nameOf(lease);
    const node = this.#nodes.get(name);
    if (!node || !isReady(node) || !this.#heard.has(name)) return false;
    this.#silentAt(node, lease, this.#context.clock.now());
    return true;
  }

  /** When the node counts as silent: a grace period after the last change of its lease or status. */
  #silentAt(node: Node, lease: Lease | undefined, now: number): number {
    const name = nameOf(node);
    const ready = node.status.conditions?.find((condition) => condition.type === 'Ready');
    // This controller's own status write must not count as a heartbeat.
    const isByAgent = ready?.status !== 'Unknown';
    const renewed = lease?.spec.renewTime ?? '';
    const reported = (isByAgent && ready?.lastHeartbeatTime) || '';
    let heard = this.#heard.get(name);
    if (heard?.renewed !== renewed || (isByAgent && heard.reported !== reported)) {
      heard = { renewed, reported, at: now };
      this.#heard.set(name, heard);
    }
    return heard.at + (ready ? this.#grace : this.#startupGrace);
  }

  async #markUnknown(node: Node, now: number): Promise<boolean> {
    const conditions = unknownConditions(node, this.#context.names.agent, now);
    if (!conditions) return false;
    await this.#context.client.of(nodes).updateStatus({ ...node, status: { ...node.status, conditions } });
    if (!isReady(node)) return true;
    this.#fallenSilent.add(nameOf(node));
    this.#event(node, 'NodeNotReady', `Node ${node.metadata.name} status is now: NodeNotReady`);
    return true;
  }

  /**
   * The pods of a silent node can't report either. A node that reports itself as not ready reports the state of its
   * pods.
   */
  async #markPodsNotReady(node: Node): Promise<void> {
    if (isReady(node)) return void this.#fallenSilent.delete(nameOf(node));
    for (const pod of this.#pods.by('node', nameOf(node))) {
      const before = pod.status.conditions ?? [];
      const ready = before.find((condition) => condition.type === 'Ready');
      if (ready?.status !== 'True') continue;
      const condition = { ...ready, status: 'False', lastTransitionTime: rfc3339(this.#context.clock.now()) };
      const conditions = before.map((known) => (known === ready ? condition : known));
      const status = { ...pod.status, conditions };
      await found(this.#context.client.of(podsRef).updateStatus({ ...pod, status }));
      this.#context.recorder.record(pod, 'Warning', 'NodeNotReady', 'Node is not ready');
    }
    this.#fallenSilent.delete(nameOf(node));
  }

  /** Returns the delay until the next node of the zone may be evicted, if this one has to wait. */
  async #taint(node: Node, now: number): Promise<number | undefined> {
    const waits = !this.#timed && awaitsEviction(node, this.#context.names);
    const evictionIn = waits ? this.#evictionIn(node, now) : 0;
    const isDue = (waits && evictionIn === 0) || swapsEviction(node, this.#context.names);
    const byTaint = this.#health.isOutage ? 'never' : isDue ? 'now' : 'later';
    const eviction = this.#timed ? 'off' : byTaint;
    const taints = planTaints(node, this.#context.names, eviction, now);
    if (taints) {
      const { resourceVersion } = node.metadata;
      await this.#context.client.of(nodes).patch(node, 'merge', { metadata: { resourceVersion }, spec: { taints } });
    }
    return evictionIn > 0 ? evictionIn : undefined;
  }

  #evictionIn(node: Node, now: number): number {
    const zone = zoneOf(node, this.#context.names);
    const rate = evictionRate(this.#health.of(zone), this.#health.isOutage, this.#rates);
    if (rate === 0) return this.#grace;
    const next = this.#nextEviction.get(zone) ?? now;
    if (next > now) return next - now;
    this.#nextEviction.set(zone, now + 1000 / rate);
    return 0;
  }

  #event(node: Node, reason: string, message: string): void {
    this.#context.recorder.record(node, 'Normal', reason, message);
  }
}

export const nodeLifecycle: Controller = {
  name: 'nodelifecycle',
  account: 'node-controller',
  keepsNodes: true,
  start(context) {
    new NodeLifecycle(context);
    if (context.flags.bool('enable-taint-manager')) new TaintEvictions(context);
  },
};
