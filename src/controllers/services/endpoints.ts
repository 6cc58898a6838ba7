/**
 * Endpoints: each service with a selector has an Endpoints object that names the pods behind it, ready or not.
 *
 * Watches services, pods and Endpoints.
 */
import {
  endpoints,
  keyOf,
  pods as podsRef,
  services,
  splitKey,
  type Endpoints,
  type Pod,
  type Service,
} from '../../client/index.ts';
import type { Names } from '../../names/index.ts';
import { subsetsOf } from '../../network/index.ts';
import { isReason } from '../../schema/index.ts';
import { deepEqual } from '../../std/index.ts';
import { isNamespaceTerminating, messageOf, podSelectorOf, wakeOn, type ControllerContext } from '../runtime/index.ts';
import { triggerTime } from './triggerTime.ts';

/** Keys of the services in a pod's namespace that select it. */
export function selecting(pod: Pod, candidates: readonly Service[]): string[] {
  return candidates
    .filter((service) => podSelectorOf(service.spec.selector).matches(pod.metadata.labels ?? {}))
    .map(keyOf);
}

const isHeadless = (service: Service): boolean => !service.spec.clusterIP || service.spec.clusterIP === 'None';

/** The Endpoints that a service should have; undefined where they are as they should be. */
export function planEndpoints(
  service: Service,
  pods: readonly Pod[],
  current: Endpoints | undefined,
  names: Names,
): Endpoints | undefined {
  const headless = names.fill('service.{label}/headless');
  const subsets = subsetsOf(service, pods);
  const { [headless]: _, ...own } = service.metadata.labels ?? {};
  const labels: Record<string, string> = { ...own, ...(isHeadless(service) ? { [headless]: '' } : {}) };
  if (current && sameSubsets(current.subsets, subsets) && deepEqual(withoutHeadless(current, headless), own))
    return undefined;
  const trigger = triggerTime(service, pods);
  const annotations = {
    ...current?.metadata.annotations,
    ...(trigger ? { [names.fill('endpoints.{label}/last-change-trigger-time')]: trigger } : {}),
  };
  const { name = '', namespace = '' } = service.metadata;
  const metadata = current?.metadata ?? { name, namespace, creationTimestamp: null };
  return { ...current, metadata: { ...metadata, labels, annotations }, subsets };
}

/** Whether two lists name the same addresses; that a pod has another revision changes nothing for clients. */
function sameSubsets(a: Endpoints['subsets'], b: Endpoints['subsets']): boolean {
  const bare = (subsets: Endpoints['subsets']): unknown =>
    JSON.parse(JSON.stringify(subsets ?? [], (key, value: unknown) => (key === 'resourceVersion' ? undefined : value)));
  return deepEqual(bare(a), bare(b));
}

function withoutHeadless(current: Endpoints, headless: string): Record<string, string> {
  const { [headless]: _, ...labels } = current.metadata.labels ?? {};
  return labels;
}

class EndpointsLoop {
  readonly #context: ControllerContext;

  constructor(context: ControllerContext) {
    this.#context = context;
    const { informers } = context;
    const all = informers.of(services);
    const pods = informers.of(podsRef);
    const workers = context.flags.number('concurrent-endpoint-syncs');
    const loop = context.loop({ workers, reconcile: (key) => this.#reconcile(key) });
    wakeOn(loop, all);
    const gather = context.flags.duration('endpoint-updates-batch-period');
    const selectingPod = (pod: Pod): string[] => selecting(pod, all.by('namespace', pod.metadata.namespace ?? ''));
    wakeOn(loop, pods, selectingPod, undefined, gather);
    // Endpoints without a service may be somebody's own: only those of a service that goes are deleted.
    informers.of(endpoints).on({ deleted: (gone) => loop.add(keyOf(gone)) });
  }

  async #reconcile(key: string): Promise<void> {
    const { informers, names } = this.#context;
    const service = informers.of(services).get(key);
    if (!service) return this.#remove(key);
    if (Object.keys(service.spec.selector ?? {}).length === 0) return;
    const selector = podSelectorOf(service.spec.selector);
    const pods = informers.of(podsRef).by('namespace', service.metadata.namespace ?? '');
    const selected = pods.filter((pod) => selector.matches(pod.metadata.labels ?? {}));
    const current = informers.of(endpoints).get(key);
    const wanted = planEndpoints(service, selected, current, names);
    if (wanted) await this.#write(service, wanted, current);
  }

  async #write(service: Service, wanted: Endpoints, current: Endpoints | undefined): Promise<void> {
    const { client, informers, recorder } = this.#context;
    try {
      if (current) await client.of(endpoints).update(wanted);
      else await client.of(endpoints).create(wanted);
    } catch (problem) {
      if (isNamespaceTerminating(problem)) return;
      const what = current ? 'FailedToUpdateEndpoint' : 'FailedToCreateEndpoint';
      recorder.record(service, 'Warning', what, `Failed to write endpoint ${keyOf(service)}: ${messageOf(problem)}`);
      throw problem;
    }
    await informers
      .of(endpoints)
      .until(keyOf(service), (seen) => seen?.metadata.resourceVersion !== current?.metadata.resourceVersion);
  }

  async #remove(key: string): Promise<void> {
    const { client } = this.#context;
    try {
      await client.of(endpoints).delete({ metadata: splitKey(key) });
    } catch (problem) {
      if (!isReason(problem, 'NotFound')) throw problem;
    }
  }
}

export function startEndpoints(context: ControllerContext): void {
  new EndpointsLoop(context);
}
