import type { NodeInfo } from './nodeInfo.ts';
import { isRefusal, type Cycle, type Plugin, type Refusal } from './plugin.ts';

/** Why a node was left out. */
export interface Rejection {
  readonly node: string;
  readonly plugin: string;
  readonly refusal: Refusal;
}

export interface Filtered {
  readonly feasible: readonly NodeInfo[];
  readonly rejections: readonly Rejection[];
  /** Where in the order of nodes the next pod should begin, so that none is always asked first. */
  readonly asked: number;
}

export interface Scored {
  readonly node: NodeInfo;
  readonly total: number;
  readonly scores: Readonly<Record<string, number>>;
}

/** The filters of a profile, prepared for one pod. */
export class Filters {
  readonly #cycle: Cycle;
  readonly #prepared: readonly { readonly plugin: Plugin; readonly state: unknown }[];
  /** Set where a plugin refuses the pod on every node. */
  readonly refusedEverywhere: { readonly plugin: string; readonly refusal: Refusal } | undefined;

  constructor(plugins: readonly Plugin[], cycle: Cycle) {
    this.#cycle = cycle;
    const prepared: { plugin: Plugin; state: unknown }[] = [];
    for (const plugin of plugins) {
      const state = plugin.prepareFilter?.(cycle);
      if (isRefusal(state)) {
        this.refusedEverywhere = { plugin: plugin.name, refusal: state };
        break;
      }
      if (plugin.filter) prepared.push({ plugin, state });
    }
    this.#prepared = prepared;
  }

  /** The first plugin that refuses the node, and why; undefined where the pod could go there. */
  check(node: NodeInfo): Rejection | undefined {
    for (const { plugin, state } of this.#prepared) {
      const refusal = plugin.filter?.(this.#cycle, node, state);
      if (refusal) return { node: node.name, plugin: plugin.name, refusal };
    }
    return undefined;
  }
}

/** Asks nodes in turn, beginning at `start`, until enough are found. */
export function filterNodes(
  filters: Pick<Filters, 'check'>,
  nodes: readonly NodeInfo[],
  start: number,
  percentage = 0,
): Filtered {
  const enough = enoughOf(nodes.length, percentage);
  const feasible: NodeInfo[] = [];
  const rejections: Rejection[] = [];
  let asked = 0;
  for (; asked < nodes.length && feasible.length < enough; asked++) {
    const node = nodes[(start + asked) % nodes.length] as NodeInfo;
    const rejection = filters.check(node);
    if (rejection) rejections.push(rejection);
    else feasible.push(node);
  }
  return { feasible, rejections, asked };
}

const FEW = 100;

/**
 * In a large cluster not every node is asked: never fewer than a hundred, and of the others the percentage that is asked for,
 * or, where that is 0, from half of them down to a twentieth.
 */
function enoughOf(nodes: number, asked: number): number {
  if (nodes < FEW) return nodes;
  const percentage = asked > 0 ? asked : Math.max(5, 50 - Math.floor(nodes / 125));
  return Math.max(FEW, Math.floor((nodes * percentage) / 100));
}

/** Each feasible node with the weighted score of each plugin. */
export function scoreNodes(plugins: readonly Plugin[], cycle: Cycle, feasible: readonly NodeInfo[]): Scored[] {
  const columns = plugins
    .filter((plugin) => plugin.score)
    .map((plugin) => ({ plugin, scores: column(plugin, cycle, feasible) }));
  return feasible.map((node, i) => {
    const scores: Record<string, number> = {};
    let total = 0;
    for (const { plugin, scores: all } of columns) {
      const weighted = (all[i] ?? 0) * (plugin.weight ?? 1);
      scores[plugin.name] = weighted;
      total += weighted;
    }
    return { node, total, scores };
  });
}

function column(plugin: Plugin, cycle: Cycle, feasible: readonly NodeInfo[]): readonly number[] {
  const state = plugin.prepareScore?.(cycle, feasible);
  const raw = feasible.map((node) => plugin.score?.(cycle, node, state) ?? 0);
  return plugin.normalize?.(raw, cycle, feasible, state) ?? raw;
}

/** What is told of a pod that fits nowhere: how many nodes gave which reason. */
export function explain(nodes: number, rejections: readonly Rejection[]): string {
  const counts = new Map<string, number>();
  for (const { refusal } of rejections)
    for (const reason of refusal.reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const reasons = Array.from(counts, ([reason, count]) => `${count} ${reason}`).sort();
  return `0/${nodes} nodes are available: ${reasons.join(', ')}.`;
}
