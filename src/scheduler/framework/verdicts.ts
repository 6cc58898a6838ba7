import { controllerOf } from '../../schema/index.ts';
import type { NodeInfo } from './nodeInfo.ts';
import type { Cycle, Plugin } from './plugin.ts';

/** What local plugins said about a node. */
interface Verdict {
  /** Whether all of their filters let the pod pass. */
  fits: boolean;
  /** The score of each that scores, in their order. */
  scores: readonly number[] | undefined;
}

/** What is equal for pods about which local plugins say the same. */
interface Kind {
  readonly spec: unknown;
  /** Kind and uid of the controller. */
  readonly owner: string;
  readonly nodes: number;
  readonly plugins: readonly Plugin[];
}

/**
 * What local plugins said about nodes for the pods of one template, which share their specification: for the next of them only
 * nodes that have changed meanwhile, and are therefore other objects, are looked at again.
 */
export class Verdicts {
  #kind: Kind | undefined;
  /** Weak, so that nodes as they were before a change, and the pods on them, do not stay in memory. */
  #byNode = new WeakMap<NodeInfo, Verdict>();

  /** Those about pods like this one; undefined for the first of them, because most templates have one pod at a time. */
  about({ pod, snapshot }: Cycle, plugins: readonly Plugin[]): this | undefined {
    const owner = controllerOf(pod);
    const kind = { spec: pod.spec, owner: `${owner?.kind} ${owner?.uid}`, nodes: snapshot.list.length, plugins };
    const isKnown = this.#kind !== undefined && isSame(this.#kind, kind);
    if (!isKnown) this.#byNode = new WeakMap();
    this.#kind = kind;
    return isKnown ? this : undefined;
  }

  of(node: NodeInfo): Verdict {
    let verdict = this.#byNode.get(node);
    if (!verdict) this.#byNode.set(node, (verdict = { fits: false, scores: undefined }));
    return verdict;
  }

  /** The scores of local plugins, each in the order of the nodes. `scoresOf` computes those of a node that are not known. */
  columns<Scorer>(
    scorers: readonly Scorer[],
    nodes: readonly NodeInfo[],
    scoresOf: (node: NodeInfo) => readonly number[],
  ): ReadonlyMap<Scorer, readonly number[]> {
    const columns = scorers.map(() => new Array<number>(nodes.length));
    // By index: the iterators of `entries` took an eighth of all that a pod allocates.
    for (let i = 0; i < nodes.length; i++) {
      const node = nodes[i] as NodeInfo;
      const verdict = this.of(node);
      const scores = (verdict.scores ??= scoresOf(node));
      for (let at = 0; at < columns.length; at++) (columns[at] as number[])[i] = scores[at] as number;
    }
    return new Map(scorers.map((scorer, at) => [scorer, columns[at] as number[]]));
  }
}

const isSame = (a: Kind, b: Kind): boolean =>
  a.spec === b.spec && a.owner === b.owner && a.nodes === b.nodes && a.plugins === b.plugins;
