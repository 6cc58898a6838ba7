import type { Pod } from '../client/index.ts';
import { Quantity, quantityOf } from '../schema/index.ts';
import { CRITICAL } from './pod/admission.ts';
import { requestsOf } from './pod/requests.ts';

/** The resources under pressure, by the name of the resource that evictions reclaim. */
export type Shortage = 'memory' | 'ephemeral-storage' | 'pids';

/** A pod that may be evicted, with its usage. */
export interface Candidate {
  readonly pod: Pod;
  /** Bytes by container. */
  readonly memory: ReadonlyMap<string, number>;
  readonly disk: ReadonlyMap<string, number>;
}

const MEASURED = { memory: 'memory', 'ephemeral-storage': 'disk', pids: undefined } as const;

/** Eviction order: pods that exceed their request, then lower priority, then the largest excess. */
export function firstToEvict(shortage: Shortage, candidates: readonly Candidate[]): Candidate | undefined {
  const ranked = candidates
    .filter(({ pod }) => priorityOf(pod) < CRITICAL)
    .map((candidate) => ({ candidate, excess: excessOf(shortage, candidate) }));
  const exceeds = (excess: number): number => (excess > 0 ? 0 : 1);
  ranked.sort(
    (a, b) =>
      exceeds(a.excess) - exceeds(b.excess) ||
      priorityOf(a.candidate.pod) - priorityOf(b.candidate.pod) ||
      b.excess - a.excess,
  );
  return ranked[0]?.candidate;
}

const priorityOf = ({ spec }: Pod): number => spec.priority ?? 0;

/** How much a pod exceeds its request. Processes are not counted. */
function excessOf(shortage: Shortage, candidate: Candidate): number {
  const measured = MEASURED[shortage];
  if (!measured) return 0;
  const used = [...candidate[measured].values()].reduce((sum, bytes) => sum + bytes, 0);
  return used - (requestsOf(candidate.pod).get(shortage) ?? 0);
}

/** The message of an evicted pod's status and event. */
export function evictionMessage(shortage: Shortage, candidate: Candidate): string {
  const measured = MEASURED[shortage];
  const containers = (candidate.pod.spec.containers ?? []).map(({ name, resources }) => {
    const used = Quantity.of((measured && candidate[measured].get(name)) ?? 0, 'BinarySI');
    const request = quantityOf(resources?.requests?.[shortage]);
    const exceeds = used.value() > request.value();
    return exceeds
      ? `Container ${name} was using ${String(used)}, which exceeds its request of ${String(request)}. `
      : '';
  });
  return `The node was low on resource: ${shortage}. ${containers.join('')}`;
}
