import { keyOf, type Pod } from '../client/index.ts';
import type { Tracer } from '../trace/index.ts';
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
    if (!this.#isWanted()) return;
    const refused = rejections.map(({ node, plugin, refusal }) => ({ node, plugin, reasons: refusal.reasons }));
    const nodes = [...feasible.map((node) => ({ node: node.name, reasons: [] })), ...refused];
    this.#tracer.emit({ topic: 'scheduling', ...about(pod), what: 'filtered', nodes });
  }

  scored(pod: Pod, feasible: readonly NodeInfo[], scored: Scored): void {
    if (!this.#isWanted()) return;
    const nodes = feasible.map((node, i) => ({
      node: node.name,
      total: scored.totals[i] as number,
      scores: weightedScores(scored, i),
    }));
    this.#tracer.emit({ topic: 'scheduling', ...about(pod), what: 'scored', nodes });
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

const about = (pod: Pod): { readonly pod: string; readonly uid: string } => ({
  pod: keyOf(pod),
  uid: pod.metadata.uid ?? '',
});
