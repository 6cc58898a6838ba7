import { keyOf, type Pod } from '../client/index.ts';
import type { SchedulingEvent, Tracer } from '../trace/index.ts';
import type { Rejection } from './framework/filters.ts';
import type { NodeInfo } from './framework/nodeInfo.ts';
import { weightedScores, type Scored } from './framework/run.ts';

/** Emits trace events of scheduling decisions, if anything listens. */
export class SchedulingTrace {
  readonly #tracer: Tracer;

  constructor(tracer: Tracer) {
    this.#tracer = tracer;
  }

  filtered(pod: Pod, feasible: readonly NodeInfo[], rejections: readonly Rejection[]): void {
    this.#tell(pod, () => ({ what: 'filtered', nodes: filteredNodes(feasible, rejections) }));
  }

  scored(pod: Pod, feasible: readonly NodeInfo[], scored: Scored): void {
    this.#tell(pod, () => ({ what: 'scored', nodes: scoredNodes(feasible, scored) }));
  }

  bound(pod: Pod, node: string): void {
    this.#tell(pod, () => ({ what: 'bound', node }));
  }

  preempting(pod: Pod, node: string, victims: readonly string[]): void {
    this.#tell(pod, () => ({ what: 'preempting', node, victims }));
  }

  failed(pod: Pod, why: string): void {
    this.#tell(pod, () => ({ what: 'failed', why }));
  }

  #tell(pod: Pod, what: () => About<SchedulingEvent>): void {
    if (!this.#tracer.wants('scheduling')) return this.#tracer.happened('scheduling');
    this.#tracer.emit({ topic: 'scheduling', ...about(pod), ...what() });
  }
}

/** What an event says besides its pod. */
type About<E extends SchedulingEvent> = E extends SchedulingEvent ? Omit<E, 'topic' | 'at' | 'pod' | 'uid'> : never;

type FilteredNodes = Extract<SchedulingEvent, { readonly what: 'filtered' }>['nodes'];
type ScoredNodes = Extract<SchedulingEvent, { readonly what: 'scored' }>['nodes'];

function filteredNodes(feasible: readonly NodeInfo[], rejections: readonly Rejection[]): FilteredNodes {
  const refused = rejections.map(({ node, plugin, refusal }) => ({ node, plugin, reasons: refusal.reasons }));
  return [...feasible.map((node) => ({ node: node.name, reasons: [] })), ...refused];
}

const scoredNodes = (feasible: readonly NodeInfo[], scored: Scored): ScoredNodes =>
  feasible.map((node, i) => ({
    node: node.name,
    total: scored.totals[i] as number,
    scores: weightedScores(scored, i),
  }));

const about = (pod: Pod): { readonly pod: string; readonly uid: string } => ({
  pod: keyOf(pod),
  uid: pod.metadata.uid ?? '',
});
