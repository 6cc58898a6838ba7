import { selectorOf, selectorOfLabels, selectorOfObject, type Selector } from '../../../schema/index.ts';
import type { Cycle } from '../../framework/plugin.ts';

/** The combined selector of all services and owners that select the pod; undefined if there are none. */
export function ownersSelector({ info, listers }: Cycle): Selector | undefined {
  const maps = [...listers.servicesFor(info), ...listers.replicationControllersFor(info)].map(
    (owner) => owner.spec.selector ?? {},
  );
  const selectors = [...listers.replicaSetsFor(info), ...listers.statefulSetsFor(info)].map(
    (owner) => owner.spec.selector,
  );
  const all = [
    ...maps.map((map) => selectorOfLabels(map)),
    ...selectors.map((selector) => selectorOfObject(selector)),
  ].filter((selector) => !selector.matchesEverything && selector.matches(info.labels));
  return all.length === 0 ? undefined : selectorOf(all.flatMap((selector) => selector.requirements));
}
