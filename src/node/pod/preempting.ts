/** Preemption by a critical pod that does not fit on the node. */
import type { Pod } from '../../client/index.ts';
import { qosClassOf } from '../../schema/index.ts';
import { isCritical } from './admission.ts';
import { requestsOf } from './requests.ts';

type Amounts = ReadonlyMap<string, number>;

/** From the last class to be preempted to the first. */
const CLASSES = ['Guaranteed', 'Burstable', 'BestEffort'] as const;

/**
 * The pods whose requests cover the shortage; undefined if preempting all allowed pods is not enough. A QoS class is
 * used only for what the earlier classes can't cover.
 */
export function victimsFor(pod: Pod, shortfall: Amounts, running: readonly Pod[]): readonly Pod[] | undefined {
  const victims: Pod[] = [];
  let waiting = running.filter((other) => yieldsTo(other, pod));
  if (left(shortfall, waiting).size > 0) return undefined;
  for (const quality of CLASSES) {
    const [here, others] = [
      waiting.filter((p) => qosClassOf(p.spec) === quality),
      waiting.filter((p) => qosClassOf(p.spec) !== quality),
    ];
    victims.push(...nearest(here, left(shortfall, [...others, ...victims])));
    waiting = others;
  }
  return victims;
}

/** Critical pods yield to critical pods of higher priority, all others to any critical pod. */
const yieldsTo = (other: Pod, critical: Pod): boolean =>
  !isCritical(other) || (other.spec.priority ?? 0) < (critical.spec.priority ?? 0);

/** The remaining shortage without these pods. */
function left(shortfall: Amounts, gone: readonly Pod[]): Amounts {
  const amounts = [...shortfall].map(([name, amount]): [string, number] => [
    name,
    gone.reduce((rest, pod) => rest - requestOf(pod, name), amount),
  ]);
  return new Map(amounts.filter(([, amount]) => amount > 0));
}

const requestOf = (pod: Pod, name: string): number => (name === 'pods' ? 1 : (requestsOf(pod).get(name) ?? 0));

/**
 * Pods that cover a shortage: each time the one that leaves the least, and among equals the one with the smallest
 * request.
 */
function nearest(pods: readonly Pod[], shortfall: Amounts): readonly Pod[] {
  const [chosen, rest] = [[] as Pod[], [...pods]];
  for (let lack = shortfall; lack.size > 0 && rest.length > 0; lack = left(shortfall, chosen)) {
    const [best] = rest.sort((a, b) => distance(a, lack) - distance(b, lack) || asked(a, lack) - asked(b, lack));
    chosen.push(best as Pod);
    rest.shift();
  }
  return chosen;
}

/** How much of a shortage a pod would leave; 0 if nothing. */
const distance = (pod: Pod, lack: Amounts): number =>
  [...lack].reduce((sum, [name, amount]) => sum + Math.max(0, 1 - requestOf(pod, name) / amount) ** 2, 0);

const asked = (pod: Pod, lack: Amounts): number =>
  [...lack].reduce((sum, [name, amount]) => sum + requestOf(pod, name) / amount, 0);
