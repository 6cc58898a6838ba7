import type { Pod } from '../../client/index.ts';
import { quantityOf, type objects } from '../../schema/index.ts';

/** An amount in the agent's unit: millicores for CPU, whole units for anything else. */
export const wholeAmount = (name: string, text: string): number =>
  name === 'cpu' ? quantityOf(text).milliValue() : quantityOf(text).value();

type Amounts = Map<string, number>;

/** A pod's request by resource: the sum of all containers or the largest init container, plus overhead. */
export function requestsOf({ spec }: Pod): ReadonlyMap<string, number> {
  const total: Amounts = new Map();
  for (const container of spec.containers ?? []) addTo(total, container.resources?.requests);
  for (const container of spec.initContainers ?? [])
    for (const [name, text] of Object.entries(container.resources?.requests ?? {}))
      total.set(name, Math.max(total.get(name) ?? 0, wholeAmount(name, text)));
  addTo(total, spec.overhead);
  return total;
}

function addTo(total: Amounts, amounts: objects.ResourceRequirements['requests'] = {}): void {
  for (const [name, text] of Object.entries(amounts)) total.set(name, (total.get(name) ?? 0) + wholeAmount(name, text));
}
