/**
 * Endpoints: each service with a selector has an Endpoints object with its pods, ready or not.
 *
 * Watches services, pods and Endpoints.
 */
import {
  endpoints,
  identityOf,
  keyOf,
  splitKey,
  type Endpoints,
  type Informer,
  type Pod,
  type Service,
} from '../../client/index.ts';
import type { Names } from '../../names/index.ts';
import { subsetsOf } from '../../network/index.ts';
import { found } from '../../schema/index.ts';
import { deepEqual } from '../../std/index.ts';
import { isNamespaceTerminating, messageOf, wakeOn, wakingBy, type ControllerContext } from '../runtime/index.ts';
import { concernsEndpoints, hasSelector, isHeadless, SelectedPods } from './selected.ts';
import { TriggerTimes } from './triggerTime.ts';

/**
 * The desired Endpoints of a service; undefined if they exist as desired. `triggerTime` is when the endpoints changed,
 * if they did.
 */
export function planEndpoints(
  service: Service,
  pods: readonly Pod[],
  current: Endpoints | undefined,
  names: Names,
  triggerTime: string | undefined,
): Endpoints | undefined {
  const subsets = subsetsOf(service, pods, names);
  const headless = names.fill('service.{label}/headless');
  const { [headless]: _label, ...labels } = current?.metadata.labels ?? {};
  if (current && sameSubsets(current.subsets, subsets) && deepEqual(labels, service.metadata.labels ?? {}))
    return undefined;
  const { [headless]: _own, ...own } = service.metadata.labels ?? {};
  const changed = names.fill('endpoints.{label}/last-change-trigger-time');
  const { [changed]: _time, ...kept } = current?.metadata.annotations ?? {};
  const { name, namespace } = identityOf(service);
  const metadata = {
    ...(current?.metadata ?? { name, namespace, creationTimestamp: null }),
    labels: { ...own, ...(isHeadless(service) ? { [headless]: '' } : {}) },
    annotations: { ...kept, ...(triggerTime === undefined ? {} : { [changed]: triggerTime }) },
  };
  return { ...current, metadata, subsets };
}

/** Whether two lists have the same addresses, with pods at the same revisions. */
function sameSubsets(a: Endpoints['subsets'], b: Endpoints['subsets']): boolean {
  const bare = (subsets: Endpoints['subsets']): unknown => JSON.parse(JSON.stringify(subsets ?? []));
  return deepEqual(bare(a), bare(b));
}

class EndpointsLoop {
  readonly #context: ControllerContext;
  readonly #selected: SelectedPods;
  readonly #endpoints: Informer<Endpoints>;
  readonly #triggerTimes = new TriggerTimes();

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#selected = SelectedPods.in(context);
    this.#endpoints = context.informers.of(endpoints);
    const workers = context.flags.number('concurrent-endpoint-syncs');
    const loop = context.loop({ workers, retries: 15, reconcile: (key) => this.#reconcile(key) });
    wakeOn(loop, this.#selected.services);
    const gather = context.flags.duration('endpoint-updates-batch-period');
    wakeOn(loop, this.#selected.pods, (pod) => this.#selected.selecting(pod), concernsEndpoints, gather);
    // Endpoints without a service may be created by users: only those of a deleted service are deleted.
    this.#endpoints.on({ deleted: (gone) => loop.add(keyOf(gone), () => wakingBy(gone, 'deleted')) });
  }

  async #reconcile(key: string): Promise<void> {
    const service = this.#selected.services.get(key);
    if (!service) return this.#remove(key);
    if (!hasSelector(service)) return;
    const pods = this.#selected.of(service);
    const current = this.#endpoints.get(key);
    const triggerTime = this.#triggerTimes.next(service, pods);
    const wanted = planEndpoints(service, pods, current, this.#context.names, triggerTime);
    if (wanted) await this.#write(service, wanted, current);
  }

  async #write(service: Service, wanted: Endpoints, current: Endpoints | undefined): Promise<void> {
    const { client, recorder } = this.#context;
    try {
      if (current) await client.of(endpoints).update(wanted);
      else await client.of(endpoints).create(wanted);
    } catch (problem) {
      if (isNamespaceTerminating(problem)) return;
      const [reason, verb] = current ? ['FailedToUpdateEndpoint', 'update'] : ['FailedToCreateEndpoint', 'create'];
      const message = `Failed to ${verb} endpoint ${keyOf(service)}: ${messageOf(problem)}`;
      recorder.record({ ...wanted, kind: 'Endpoints', apiVersion: 'v1' }, 'Warning', reason, message);
      throw problem;
    }
    await this.#endpoints.until(
      keyOf(service),
      (seen) => seen?.metadata.resourceVersion !== current?.metadata.resourceVersion,
    );
  }

  async #remove(key: string): Promise<void> {
    this.#triggerTimes.forget(key);
    await found(this.#context.client.of(endpoints).delete({ metadata: splitKey(key) }));
  }
}

export function startEndpoints(context: ControllerContext): void {
  new EndpointsLoop(context);
}
