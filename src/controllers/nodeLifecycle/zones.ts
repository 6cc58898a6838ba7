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

/** Whether there are nodes, and none of them is ready. */
export class Outage {
  readonly #ready = new Map<string, boolean>();
  #unready = 0;

  /**
   * Records the state of a node; `undefined` if it was deleted. Returns whether an outage of all nodes began or ended.
   */
  note(name: string, node: Node | undefined): boolean {
    const before = this.isTotal;
    if (this.#ready.get(name) === false) this.#unready -= 1;
    this.#ready.delete(name);
    if (node) {
      this.#ready.set(name, isReady(node));
      if (!isReady(node)) this.#unready += 1;
    }
    return this.isTotal !== before;
  }

  get isTotal(): boolean {
    return this.#unready > 0 && this.#unready === this.#ready.size;
  }
}

/**
 * Nodes of a zone that may be evicted per second. None if every node has failed, because the control plane is the
 * likely cause. Excluded nodes are in neither list; a zone that has no others keeps the normal rate.
 */
export function evictionRate(zone: readonly Node[], all: readonly Node[], rates: EvictionRates): number {
  if (zone.length === 0) return rates.normal;
  if (!all.some(isReady)) return 0;
  const unready = zone.filter((node) => !isReady(node)).length;
  const isDisrupted = unready > 2 && unready / zone.length >= rates.threshold;
  if (unready === zone.length || !isDisrupted) return rates.normal;
  return zone.length > rates.largeZone ? rates.disrupted : 0;
}
