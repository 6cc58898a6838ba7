import { withoutPod, withPod, type NodeInfo, type PodInfo } from './nodeInfo.ts';
import { isRefusal, type Cycle, type Plugin, type Refusal } from './plugin.ts';

/** Why a node was left out. */
export interface Rejection {
  readonly node: string;
  readonly plugin: string;
  readonly refusal: Refusal;
}

interface Prepared {
  readonly plugin: Plugin;
  readonly state: unknown;
}

/** The filters of a profile, prepared for one pod. */
export class Filters {
  readonly #cycle: Cycle;
  readonly #prepared: readonly Prepared[];
  /** Set where a plugin refuses the pod on every node. */
  readonly refusedEverywhere: { readonly plugin: string; readonly refusal: Refusal } | undefined;

  private constructor(cycle: Cycle, prepared: readonly Prepared[], refused: Filters['refusedEverywhere']) {
    this.#cycle = cycle;
    this.#prepared = prepared;
    this.refusedEverywhere = refused;
  }

  static prepare(plugins: readonly Plugin[], cycle: Cycle): Filters {
    const prepared: Prepared[] = [];
    for (const plugin of plugins) {
      if (!plugin.filter && !plugin.prepareFilter) continue;
      if (plugin.concerns && !plugin.concerns(cycle)) continue;
      const state = plugin.prepareFilter?.(cycle);
      if (isRefusal(state)) return new Filters(cycle, prepared, { plugin: plugin.name, refusal: state });
      if (plugin.filter) prepared.push({ plugin, state });
    }
    return new Filters(cycle, prepared, undefined);
  }

  /** The enabled plugins with their prepared state. */
  get prepared(): readonly Prepared[] {
    return this.#prepared;
  }

  /** The first plugin that refuses the node, and why; undefined where the pod could go there. */
  check(node: NodeInfo): Rejection | undefined {
    for (const { plugin, state } of this.#prepared) {
      const refusal = plugin.filter?.(this.#cycle, node, state);
      if (refusal) return { node: node.name, plugin: plugin.name, refusal };
    }
    return undefined;
  }

  /** What every plugin says of a node, in their order. */
  checkAll(
    node: NodeInfo,
  ): { readonly plugin: Plugin; readonly state: unknown; readonly refusal: Refusal | undefined }[] {
    return this.#prepared.map(({ plugin, state }) => ({
      plugin,
      state,
      refusal: plugin.filter?.(this.#cycle, node, state),
    }));
  }

  /** A node on which pods can be supposed to come and go. */
  suppose(node: NodeInfo): SupposedNode {
    const prepared = this.#prepared.map(({ plugin, state }) => ({ plugin, state: plugin.copyState?.(state) ?? state }));
    return new SupposedNode(node, this.#cycle, prepared, new Filters(this.#cycle, prepared, undefined));
  }
}

/** One node as it would be with more or fewer pods, all others as they are. */
export class SupposedNode {
  #node: NodeInfo;
  readonly #cycle: Cycle;
  readonly #prepared: readonly Prepared[];
  readonly #filters: Filters;

  constructor(node: NodeInfo, cycle: Cycle, prepared: readonly Prepared[], filters: Filters) {
    this.#node = node;
    this.#cycle = cycle;
    this.#prepared = prepared;
    this.#filters = filters;
  }

  get node(): NodeInfo {
    return this.#node;
  }

  add(pod: PodInfo): void {
    this.#node = withPod(this.#node, pod);
    this.#move(pod, 1);
  }

  remove(pod: PodInfo): void {
    this.#node = withoutPod(this.#node, pod);
    this.#move(pod, -1);
  }

  check(): Rejection | undefined {
    return this.#filters.check(this.#node);
  }

  #move(pod: PodInfo, by: 1 | -1): void {
    for (const { plugin, state } of this.#prepared) plugin.movePod?.(state, this.#cycle, { pod, node: this.#node, by });
  }
}
