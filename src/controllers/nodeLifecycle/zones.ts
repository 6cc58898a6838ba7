import { nameOf } from '../../client/index.ts';
import type { Node } from '../../client/index.ts';
import type { Names } from '../../names/index.ts';

export interface EvictionRates {
  /** Nodes per second that may be evicted while most nodes of a zone are healthy. */
  readonly normal: number;
  /** The same while many are unhealthy, in a large zone; in a small zone it is zero then. */
  readonly disrupted: number;
  /** The share of unready nodes from which a zone counts as disrupted. */
  readonly threshold: number;
  readonly largeZone: number;
}

/** The zone of a node, from its labels; the older ones come first. */
export function zoneOf({ metadata: { labels = {} } }: Node, names: Names): string {
  const label = (kind: string): string =>
    labels[names.fill(`failure-domain.beta.{label}/${kind}`)] ?? labels[names.fill(`topology.{label}/${kind}`)] ?? '';
  return `${label('region')}/${label('zone')}`;
}

/** The gates that decide which nodes are left out when a zone's health is computed. */
export interface ExclusionGates {
  /** Leaves out nodes that are named like a master: `…master` and `…master-xyz`. */
  readonly legacyRoles: boolean;
  /** Leaves out nodes with the label `exclude-disruption`. */
  readonly label: boolean;
}

/** Whether the node does not count when the health of its zone and of the cluster is computed. */
export function isExcluded(node: Node, names: Names, gates: ExclusionGates): boolean {
  if (gates.legacyRoles && /master(-.{3})?$/.test(nameOf(node))) return true;
  return gates.label && Object.hasOwn(node.metadata.labels ?? {}, names.fill('node.{label}/exclude-disruption'));
}

export function isReady(node: Node): boolean {
  return (
    node.status.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') ?? false
  );
}

/** How many nodes there are, and how many of them are not ready. */
export interface Health {
  readonly nodes: number;
  readonly unready: number;
}

interface NodeState {
  readonly zone: string;
  readonly isReady: boolean;
}

const NO_NODES: Health = { nodes: 0, unready: 0 };

/** The health of the cluster and of each zone, from the states of nodes that were noted. Excluded nodes are not. */
export class ClusterHealth {
  readonly #nodes = new Map<string, NodeState>();
  readonly #zones = new Map<string, Health>();
  #all = NO_NODES;

  /**
   * Notes the state of a node; `undefined` if it was deleted. Returns whether an outage of all nodes began or ended.
   */
  note(name: string, state: NodeState | undefined): boolean {
    const before = this.isOutage;
    const known = this.#nodes.get(name);
    if (known) this.#count(known, -1);
    this.#nodes.delete(name);
    if (state) {
      this.#nodes.set(name, state);
      this.#count(state, 1);
    }
    return this.isOutage !== before;
  }

  /** Whether there are nodes, and none of them is ready. */
  get isOutage(): boolean {
    return this.#all.nodes > 0 && this.#all.unready === this.#all.nodes;
  }

  of(zone: string): Health {
    return this.#zones.get(zone) ?? NO_NODES;
  }

  #count({ zone, isReady }: NodeState, by: 1 | -1): void {
    const unreadyBy = isReady ? 0 : by;
    const counted = ({ nodes, unready }: Health): Health => ({ nodes: nodes + by, unready: unready + unreadyBy });
    this.#all = counted(this.#all);
    this.#zones.set(zone, counted(this.of(zone)));
  }
}

/**
 * Nodes of a zone that may be evicted per second. None if every node of the cluster has failed, because the control plane is
 * the likely cause. A zone whose nodes are all excluded keeps the normal rate.
 */
export function evictionRate(zone: Health, isOutage: boolean, rates: EvictionRates): number {
  const { nodes, unready } = zone;
  if (nodes === 0) return rates.normal;
  if (isOutage) return 0;
  const isDisrupted = unready > 2 && unready / nodes >= rates.threshold;
  if (unready === nodes || !isDisrupted) return rates.normal;
  return nodes > rates.largeZone ? rates.disrupted : 0;
}
