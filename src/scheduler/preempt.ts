/** Performs preemption: chooses victims, deletes them, and clears outdated nominations. */
import { keyOf, pods, type Client, type Pod, type PodDisruptionBudget, type SeriesRecorder } from '../client/index.ts';
import { isReason } from '../schema/index.ts';
import { candidatesAfterExtenders, type Extender } from './extender/index.ts';
import type { Cycle } from './framework/plugin.ts';
import type { Nominations } from './nominations.ts';
import type { FilterOutcome } from './place.ts';
import type { PodStatusWriter } from './podStatus.ts';
import {
  findCandidates,
  mayPreempt,
  nodesWherePreemptionMightHelp,
  pickCandidate,
  type Candidate,
  type PreemptionArgs,
} from './preemption.ts';

export interface PreemptorOptions {
  readonly client: Client;
  readonly statuses: PodStatusWriter;
  readonly nominations: Nominations;
  readonly extenders: readonly Extender[];
  readonly budgets: () => readonly PodDisruptionBudget[];
  readonly offset: (nodes: number) => number;
}

export class Preemptor {
  readonly #options: PreemptorOptions;

  constructor(options: PreemptorOptions) {
    this.#options = options;
  }

  /** The best candidate node for a pod that fits nowhere; undefined if preemption does not help. */
  async choose(cycle: Cycle, outcome: FilterOutcome, args: PreemptionArgs): Promise<Candidate | undefined> {
    const { pod, info, snapshot } = cycle;
    const { rejections, filters } = outcome;
    const { nominations, extenders, budgets, offset, statuses } = this.#options;
    if (!mayPreempt(pod, snapshot, rejections)) return undefined;
    if (nodesWherePreemptionMightHelp(snapshot, rejections).length === 0) {
      await statuses.clearNominatedNode(pod);
      return undefined;
    }
    const nominatedOn = (node: string) => nominations.reservedOn(node, info);
    const question = { pod, snapshot, filters, rejections, budgets: budgets(), nominatedOn, args, offset };
    const candidates = findCandidates(question);
    return pickCandidate(await candidatesAfterExtenders(extenders, pod, candidates, snapshot))?.candidate;
  }

  /** Deletes the victims; pods with lower priority than `cycle.pod` lose their nomination of that node. */
  async carryOut({ pod, info }: Cycle, { node, victims }: Candidate, recorder: SeriesRecorder): Promise<void> {
    const { nominations, statuses } = this.#options;
    for (const victim of victims) await this.#evict(victim, pod, node, recorder);
    for (const other of nominations.lessImportantOn(node, info)) {
      nominations.remove(other);
      await statuses.clearNominatedNode(other);
    }
  }

  async #evict(victim: Pod, by: Pod, node: string, recorder: SeriesRecorder): Promise<void> {
    try {
      await this.#options.client.of(pods).delete(victim);
    } catch (problem) {
      if (isReason(problem, 'NotFound')) return;
      throw problem;
    }
    const note = `Preempted by ${keyOf(by)} on node ${node}`;
    recorder.record(victim, { type: 'Normal', reason: 'Preempted', action: 'Preempting', note, related: by });
  }
}
