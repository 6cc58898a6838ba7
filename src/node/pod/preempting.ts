/** Whom a critical pod that doesn't fit puts off the node. */
import type { Pod } from '../../client/index.ts';
import { qosClassOf } from '../../schema/index.ts';
import { isCritical } from './admission.ts';
import { requestsOf } from './requests.ts';

type Amounts = ReadonlyMap<string, number>;

/** From those who are put off last to those who are put off first. */
const CLASSES = ['Guaranteed', 'Burstable', 'BestEffort'] as const;

/**
 * The pods whose requests make up for what the node lacks; undefined where all that may go are not enough. A class of
 * service gives only what the classes that go before it can't.
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

/** Critical pods yield to others of a higher priority, all others to critical pods. */
const yieldsTo = (other: Pod, critical: Pod): boolean =>
  !isCritical(other) || (other.spec.priority ?? 0) < (critical.spec.priority ?? 0);

/** What is still lacking when these pods are gone. */
function left(shortfall: Amounts, gone: readonly Pod[]): Amounts {
  const amounts = [...shortfall].map(([name, amount]): [string, number] => [
    name,
    gone.reduce((rest, pod) => rest - requestOf(pod, name), amount),
  ]);
  return new Map(amounts.filter(([, amount]) => amount > 0));
}

const requestOf = (pod: Pod, name: string): number => (name === 'pods' ? 1 : (requestsOf(pod).get(name) ?? 0));

/** Pods that make up for a lack: each time the one that leaves least of it, and among equals the one that asks for least. */
function nearest(pods: readonly Pod[], shortfall: Amounts): readonly Pod[] {
  const [chosen, rest] = [[] as Pod[], [...pods]];
  for (let lack = shortfall; lack.size > 0 && rest.length > 0; lack = left(shortfall, chosen)) {
    const [best] = rest.sort((a, b) => distance(a, lack) - distance(b, lack) || asked(a, lack) - asked(b, lack));
    chosen.push(best as Pod);
    rest.shift();
  }
  return chosen;
}

/** How much of a lack a pod would leave: 0 where nothing. */
const distance = (pod: Pod, lack: Amounts): number =>
  [...lack].reduce((sum, [name, amount]) => sum + Math.max(0, 1 - requestOf(pod, name) / amount) ** 2, 0);

const asked = (pod: Pod, lack: Amounts): number =>
  [...lack].reduce((sum, [name, amount]) => sum + requestOf(pod, name) / amount, 0);
