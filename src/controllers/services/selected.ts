import {
  keyOf,
  labelPairs,
  pods as podsRef,
  selecting,
  services as servicesRef,
  type Informer,
  type Labelled,
  type Pod,
  type Service,
} from '../../client/index.ts';
import type { ApiObject } from '../../schema/index.ts';
import { deepEqual } from '../../std/index.ts';
import { isReady, podSelectorOf, type ControllerContext } from '../runtime/index.ts';

/** The index of pods by each of their labels. */
const LABELLED = 'labelled';

type Cache<T extends ApiObject> = Pick<Informer<T>, 'addIndex' | 'by'>;

/** Which services select which pods, from the shared caches. */
export class SelectedPods<
  Services extends Cache<Service> = Informer<Service>,
  Pods extends Cache<Pod> = Informer<Pod>,
> {
  readonly services: Services;
  readonly pods: Pods;
  readonly #candidates: (pod: Labelled) => Service[];

  constructor(services: Services, pods: Pods) {
    this.services = services;
    this.pods = pods;
    this.#candidates = selecting(services, ({ spec }) => spec.selector);
    pods.addIndex(LABELLED, ({ metadata }) => labelPairs(metadata));
  }

  static in({ informers }: ControllerContext): SelectedPods {
    return new SelectedPods(informers.of(servicesRef), informers.of(podsRef));
  }

  /** The pods that a service selects. */
  of({ metadata, spec }: Service): Pod[] {
    const selector = podSelectorOf(spec.selector);
    const [first] = labelPairs({ ...metadata, labels: spec.selector });
    const pods = first === undefined ? [] : this.pods.by(LABELLED, first);
    return pods.filter((pod) => selector.matches(pod.metadata.labels ?? {}));
  }

  /** Keys of the services that select a pod. */
  selecting({ metadata }: Pod): string[] {
    const { labels = {} } = metadata;
    const selected = this.#candidates(metadata).filter(({ spec }) => podSelectorOf(spec.selector).matches(labels));
    return selected.map(keyOf);
  }
}

export const hasSelector = (service: Service): boolean => Object.keys(service.spec.selector ?? {}).length > 0;

/** A service without a cluster IP: its name resolves to its pods. */
export const isHeadless = (service: Service): boolean => !service.spec.clusterIP || service.spec.clusterIP === 'None';

/** Whether a change of a pod can affect the endpoints of a service. */
export function concernsEndpoints(pod: Pod, old: Pod): boolean {
  if (pod.metadata.deletionTimestamp !== undefined || isReady(pod) !== isReady(old)) return true;
  const visible = ({ metadata, spec, status }: Pod): unknown => [
    [metadata.labels ?? {}, spec.hostname, spec.subdomain],
    [status.podIP, status.podIPs],
  ];
  return !deepEqual(visible(pod), visible(old));
}
