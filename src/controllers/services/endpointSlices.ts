/**
 * Endpoint slices: the pods of each service with a selector, in slices of limited size, for each IP family of the
 * service.
 *
 * Watches services, pods, nodes and endpoint slices.
 */
import {
  keyOf,
  nodes as nodesRef,
  services as servicesRef,
  type EndpointSlice,
  type Service,
} from '../../client/index.ts';
import type { Names } from '../../names/index.ts';
import { deepEqual } from '../../std/index.ts';
import { isConflict, messageOf, wakeOn, type ControllerContext } from '../runtime/index.ts';
import { concernsEndpoints, hasSelector, isHeadless, SelectedPods } from './selected.ts';
import { addressTypesOf, groupsOf } from './sliceGroups.ts';
import { SliceKeeper } from './sliceKeeper.ts';
import { planSlices } from './slices.ts';
import { TriggerTimes } from './triggerTime.ts';

/** The first and the longest retry delay of a service, in milliseconds. */
const FIRST_DELAY = 1_000;
const LONGEST_DELAY = 100_000;
/** A service is dropped after this many failures, until it or its pods change. */
const RETRIES = 15;

function without(
  labels: Readonly<Record<string, string>> | undefined,
  reserved: readonly string[],
): Record<string, string> {
  return Object.fromEntries(Object.entries(labels ?? {}).filter(([label]) => !reserved.includes(label)));
}

/** The labels of a service's slices, without the ones that identify the service and manager. */
export function labelsOfSlices(service: Service, reserved: readonly string[], names: Names): Record<string, string> {
  const own = without(service.metadata.labels, reserved);
  return isHeadless(service) ? { ...own, [names.fill('service.{label}/headless')]: '' } : own;
}

class EndpointSliceLoop {
  readonly #context: ControllerContext;
  readonly #keeper: SliceKeeper;
  readonly #selected: SelectedPods;
  readonly #triggerTimes = new TriggerTimes();
  readonly #max: number;

  constructor(context: ControllerContext) {
    const { flags, informers } = context;
    this.#context = context;
    this.#keeper = new SliceKeeper(context, 'endpointslice-controller.{domain}');
    this.#selected = SelectedPods.in(context);
    this.#max = flags.number('max-endpoints-per-slice');
    informers.of(nodesRef);
    const loop = context.loop({
      ...{ firstDelay: FIRST_DELAY, longestDelay: LONGEST_DELAY, retries: RETRIES },
      workers: flags.number('concurrent-service-endpoint-syncs'),
      reconcile: (key) => this.#reconcile(key),
    });
    wakeOn(loop, this.#selected.services);
    const gather = flags.duration('endpointslice-updates-batch-period');
    wakeOn(loop, this.#selected.pods, (pod) => this.#selected.selecting(pod), concernsEndpoints, gather);
    this.#keeper.wake(loop);
  }

  /** The slices of a deleted service are left to the garbage collector, because the service owned them. */
  async #reconcile(key: string): Promise<void> {
    const service = this.#selected.services.get(key);
    if (!service) return this.#triggerTimes.forget(key);
    if (!hasSelector(service)) return;
    try {
      await this.#keep(service);
    } catch (problem) {
      if (!isConflict(problem)) this.#reportFailure(service, problem);
      throw problem;
    }
  }

  async #keep(service: Service): Promise<void> {
    const { names, informers } = this.#context;
    const pods = this.#selected.of(service);
    const triggerTime = this.#triggerTimes.next(service, pods);
    const nodes = informers.of(nodesRef);
    const reserved = this.#keeper.reservedLabels;
    const own = without(service.metadata.labels, reserved);
    const isLabelled = ({ metadata }: EndpointSlice): boolean => deepEqual(without(metadata.labels, reserved), own);
    const labels = labelsOfSlices(service, reserved, names);
    const owner = { object: service, ref: servicesRef, labels, triggerTime };
    const plan = planSlices(
      groupsOf(service, pods, (name) => nodes.get(name), names),
      addressTypesOf(service),
      this.#keeper.of(keyOf(service)),
      {
        ...{ max: this.#max, isLabelled },
        isOwned: (slice) => this.#keeper.isOwned(slice, owner),
        isAsNew: (slice) => this.#keeper.isAsNew(slice, owner),
      },
    );
    await this.#keeper.carryOut(plan, owner);
  }

  #reportFailure(service: Service, problem: unknown): void {
    const message = `Error updating Endpoint Slices for Service ${keyOf(service)}: ${messageOf(problem)}`;
    this.#context.recorder.record(service, 'Warning', 'FailedToUpdateEndpointSlices', message);
  }
}

export function startEndpointSlices(context: ControllerContext): void {
  new EndpointSliceLoop(context);
}
