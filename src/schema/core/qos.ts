/** The quality of service that a pod gets by what its containers ask for. */
import { getOwn } from '../../std/index.ts';
import { Quantity, quantityOf } from '../values/quantity.ts';
import type { Container } from './container.ts';
import type { PodSpec } from './podSpec.ts';

export type QosClass = 'Guaranteed' | 'Burstable' | 'BestEffort';

const COMPUTE = ['cpu', 'memory'] as const;

/** The class that the reference gives to a pod: node agents evict by it, quotas select by it. */
export function qosClassOf(spec: Pick<PodSpec, 'containers' | 'initContainers'> | undefined): QosClass {
  const containers = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])];
  const requests = COMPUTE.map((name) => total(containers, 'requests', name));
  const limits = COMPUTE.map((name) => total(containers, 'limits', name));
  if ([...requests, ...limits].every((amount) => amount.isZero)) return 'BestEffort';
  const limited = containers.every(({ resources }) =>
    COMPUTE.every((name) => quantityOf(resources?.limits?.[name]).sign > 0),
  );
  return limited && requests.every((request, i) => request.equals(limits[i] as Quantity)) ? 'Guaranteed' : 'Burstable';
}

/** The sum of what is positive. */
function total(containers: readonly Container[], kind: 'requests' | 'limits', name: string): Quantity {
  const amounts = containers.map(({ resources }) => quantityOf(getOwn(resources?.[kind], name)));
  return amounts.filter((amount) => amount.sign > 0).reduce((sum, amount) => sum.add(amount), Quantity.zero);
}
