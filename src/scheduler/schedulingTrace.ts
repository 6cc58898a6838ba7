import { keyOf, type Pod } from '../client/index.ts';
import type { SchedulingEvent, Tracer } from '../trace/index.ts';
import type { Rejection } from './framework/filters.ts';
import type { NodeInfo } from './framework/nodeInfo.ts';
import { keptScores, weightedScores, type Scored } from './framework/run.ts';

/**
 * Emits trace events of scheduling decisions, if anything listens. What concerns each node is put together for those who read it, not for
 * those who only want to know that the scheduler has worked.
 */
export class SchedulingTrace {
  readonly #tracer: Tracer;

  constructor(tracer: Tracer) {
    this.#tracer = tracer;
  }

  filtered(pod: Pod, feasible: readonly NodeInfo[], rejections: readonly Rejection[]): void {
    if (!this.#isWanted()) return;
    this.#tracer.emit({
      ...{ topic: 'scheduling', ...about(pod), what: 'filtered' },
      get nodes() {
        return filteredNodes(feasible, rejections);
      },
    });
  }

  scored(pod: Pod, feasible: readonly NodeInfo[], scored: Scored): void {
    if (!this.#isWanted()) return;
    const kept = keptScores(scored);
    this.#tracer.emit({
      ...{ topic: 'scheduling', ...about(pod), what: 'scored' },
      get nodes() {
        return scoredNodes(feasible, kept);
      },
    });
  }

  bound(pod: Pod, node: string): void {
    if (this.#isWanted()) this.#tracer.emit({ topic: 'scheduling', ...about(pod), what: 'bound', node });
  }

  preempting(pod: Pod, node: string, victims: readonly string[]): void {
    if (this.#isWanted()) this.#tracer.emit({ topic: 'scheduling', ...about(pod), what: 'preempting', node, victims });
  }

  failed(pod: Pod, why: string): void {
    if (this.#isWanted()) this.#tracer.emit({ topic: 'scheduling', ...about(pod), what: 'failed', why });
  }

  #isWanted(): boolean {
    return this.#tracer.wants('scheduling');
  }
}

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
