import { withoutPod, withPod, type NodeInfo, type PodInfo } from './nodeInfo.ts';
import type { Verdicts } from './verdicts.ts';
import { isRefusal, type Cycle, type Plugin, type Refusal } from './plugin.ts';

/** Why a node was rejected. */
export interface Rejection {
  readonly node: string;
  readonly plugin: string;
  readonly refusal: Refusal;
}

interface Prepared {
  readonly plugin: Plugin;
  readonly state: unknown;
}

interface FilterParts {
  readonly cycle: Cycle;
  readonly prepared: readonly Prepared[];
  readonly asksAll: boolean;
  readonly known?: Verdicts | undefined;
  readonly refused?: Filters['refusedEverywhere'];
}

/** The filters of a profile, prepared for one pod. */
export class Filters {
  readonly #cycle: Cycle;
  readonly #prepared: readonly Prepared[];
  readonly #asksAll: boolean;
  readonly #known: Verdicts | undefined;
  /** The plugins that are asked about a node that passes the local ones. */
  readonly #notLocal: readonly Prepared[];
  /** Set if a plugin rejects the pod on every node. */
  readonly refusedEverywhere: { readonly plugin: string; readonly refusal: Refusal } | undefined;

  private constructor({ cycle, prepared, asksAll, known, refused }: FilterParts) {
    this.#cycle = cycle;
    this.#prepared = prepared;
    this.#asksAll = asksAll;
    this.#known = known;
    this.#notLocal = known ? prepared.filter(({ plugin }) => !plugin.isLocal) : prepared;
    this.refusedEverywhere = refused;
  }

  /**
   * With `asksAll` all plugins check a node that one of them has rejected, to collect all reasons. `known` is what local plugins said
   * about nodes for pods like this one.
   */
  static prepare(plugins: readonly Plugin[], cycle: Cycle, asksAll = false, known?: Verdicts): Filters {
    const prepared: Prepared[] = [];
    for (const plugin of plugins) {
      if (!plugin.filter && !plugin.prepareFilter) continue;
      if (plugin.concerns && !plugin.concerns(cycle)) continue;
      const state = plugin.prepareFilter?.(cycle);
      if (isRefusal(state))
        return new Filters({ cycle, prepared, asksAll, refused: { plugin: plugin.name, refusal: state } });
      if (plugin.filter) prepared.push({ plugin, state });
    }
    return new Filters({ cycle, prepared, asksAll, known });
  }

  /** The enabled plugins with their prepared state. */
  get prepared(): readonly Prepared[] {
    return this.#prepared;
  }

  /** The first plugin that rejects the node with its reason, or all reasons; undefined if the node passes. */
  check(node: NodeInfo): Rejection | undefined {
    if (this.#asksAll) return this.#refusedByAny(node);
    const verdict = this.#known?.of(node);
    for (const { plugin, state } of verdict?.fits ? this.#notLocal : this.#prepared) {
      const refusal = plugin.filter?.(this.#cycle, node, state);
      if (refusal) return { node: node.name, plugin: plugin.name, refusal };
    }
    if (verdict) verdict.fits = true;
    return undefined;
  }

  #refusedByAny(node: NodeInfo): Rejection | undefined {
    const verdicts = this.checkAll(node);
    const first = verdicts.find(({ refusal }) => refusal);
    return first && { node: node.name, plugin: first.plugin.name, refusal: merged(verdicts) };
  }

  /** The result of every plugin for a node, in order. */
  checkAll(
    node: NodeInfo,
  ): { readonly plugin: Plugin; readonly state: unknown; readonly refusal: Refusal | undefined }[] {
    return this.#prepared.map(({ plugin, state }) => ({
      plugin,
      state,
      refusal: plugin.filter?.(this.#cycle, node, state),
    }));
  }

  /** A node with hypothetical changes of its pods. */
  suppose(node: NodeInfo): SupposedNode {
    const prepared = this.#prepared.map(({ plugin, state }) => ({ plugin, state: plugin.copyState?.(state) ?? state }));
    const filters = new Filters({ cycle: this.#cycle, prepared, asksAll: this.#asksAll });
    return new SupposedNode(node, this.#cycle, prepared, filters);
  }
}

/** Merges the reasons of all rejections; the result is resolvable only if each of them is. */
function merged(verdicts: readonly { readonly refusal: Refusal | undefined }[]): Refusal {
  const refusals = verdicts.flatMap(({ refusal }) => refusal ?? []);
  return {
    reasons: refusals.flatMap(({ reasons }) => reasons),
    resolvable: refusals.every(({ resolvable }) => resolvable === true),
  };
}

/** One node with hypothetically added and removed pods; all other nodes are unchanged. */
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
