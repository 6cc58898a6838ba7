import {
  keyOf,
  pods as podsRef,
  services as servicesRef,
  type Informer,
  type Pod,
  type Service,
} from '../../client/index.ts';
import { deepEqual } from '../../std/index.ts';
import { isReady, podSelectorOf, type ControllerContext } from '../runtime/index.ts';

/** Which services select which pods, by the caches that all controllers share. */
export class SelectedPods {
  readonly services: Informer<Service>;
  readonly pods: Informer<Pod>;

  constructor({ informers }: ControllerContext) {
    this.services = informers.of(servicesRef);
    this.pods = informers.of(podsRef);
  }

  /** The pods that a service selects. */
  of(service: Service): Pod[] {
    const selector = podSelectorOf(service.spec.selector);
    const pods = this.pods.by('namespace', service.metadata.namespace ?? '');
    return pods.filter((pod) => selector.matches(pod.metadata.labels ?? {}));
  }

  /** Keys of the services that select a pod. */
  selecting(pod: Pod): string[] {
    const candidates = this.services.by('namespace', pod.metadata.namespace ?? '');
    const selects = (service: Service): boolean =>
      podSelectorOf(service.spec.selector).matches(pod.metadata.labels ?? {});
    return candidates.filter(selects).map(keyOf);
  }
}

export const hasSelector = (service: Service): boolean => Object.keys(service.spec.selector ?? {}).length > 0;

/** A service without an address of its own: its name leads to its pods. */
export const isHeadless = (service: Service): boolean => !service.spec.clusterIP || service.spec.clusterIP === 'None';

/** Whether a change of a pod can change the endpoints of a service. */
export function concernsEndpoints(pod: Pod, old: Pod): boolean {
  if (pod.metadata.deletionTimestamp !== undefined || isReady(pod) !== isReady(old)) return true;
  const visible = ({ metadata, spec, status }: Pod): unknown => [
    [metadata.labels ?? {}, spec.hostname, spec.subdomain],
    [status.podIP, status.podIPs],
  ];
  return !deepEqual(visible(pod), visible(old));
}
