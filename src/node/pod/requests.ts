import type { Pod } from '../../client/index.ts';
import { quantityOf, type objects } from '../../schema/index.ts';

/** An amount as the agent counts: thousandths of a core, whole units of anything else. */
export const wholeAmount = (name: string, text: string): number =>
  name === 'cpu' ? quantityOf(text).milliValue() : quantityOf(text).value();

type Amounts = Map<string, number>;

/** What a pod asks for by resource: all containers together or the largest init container, and its overhead. */
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
