/**
 * Mirrors manually managed Endpoints of services without a selector into endpoint slices.
 *
 * Watches services, Endpoints and endpoint slices.
 */
import {
  endpoints as endpointsRef,
  keyOf,
  services as servicesRef,
  type Endpoints,
  type Informer,
  type Service,
} from '../../client/index.ts';
import type { Names } from '../../names/index.ts';
import { wakeOn, type ControllerContext } from '../runtime/index.ts';
import { hasSelector } from './selected.ts';
import { mirroredGroups } from './sliceGroups.ts';
import { SliceKeeper } from './sliceKeeper.ts';
import { planMirror } from './slices.ts';

/** Endpoints with the opt-out label are not mirrored, nor are those used for leader election. */
export function shouldMirror(endpoints: Endpoints | undefined, names: Names): endpoints is Endpoints {
  if (!endpoints || endpoints.metadata.labels?.[names.fill('endpointslice.{label}/skip-mirror')] === 'true')
    return false;
  return endpoints.metadata.annotations?.[names.fill('control-plane.alpha.{label}/leader')] === undefined;
}

class MirroringLoop {
  readonly #context: ControllerContext;
  readonly #keeper: SliceKeeper;
  readonly #services: Informer<Service>;
  readonly #endpoints: Informer<Endpoints>;
  readonly #max: number;

  constructor(context: ControllerContext) {
    const { informers, flags } = context;
    this.#context = context;
    this.#keeper = new SliceKeeper(context, 'endpointslicemirroring-controller.{domain}');
    this.#services = informers.of(servicesRef);
    this.#endpoints = informers.of(endpointsRef);
    this.#max = flags.number('mirroring-max-endpoints-per-subset');
    const loop = context.loop({
      workers: flags.number('mirroring-concurrent-service-endpoint-syncs'),
      reconcile: (key) => this.#reconcile(key),
    });
    const gather = flags.duration('mirroring-endpointslice-updates-batch-period');
    wakeOn(loop, this.#services, undefined, (service, old) => hasSelector(service) !== hasSelector(old));
    wakeOn(loop, this.#endpoints, undefined, undefined, gather);
    this.#keeper.wake(loop);
  }

  /** A service that gets a selector keeps its mirrored slices, as in the reference. */
  async #reconcile(key: string): Promise<void> {
    const [service, endpoints] = [this.#services.get(key), this.#endpoints.get(key)];
    if (!service || !shouldMirror(endpoints, this.#context.names)) return this.#removeAll(key);
    if (hasSelector(service)) return;
    const { groups, skipped } = mirroredGroups(endpoints, this.#max, this.#context.names);
    if (skipped > 0) this.#reportSkipped(endpoints, skipped);
    const plan = planMirror(groups, this.#keeper.of(keyOf(service)));
    const labels = endpoints.metadata.labels ?? {};
    await this.#keeper.carryOut(plan, { object: endpoints, ref: endpointsRef, labels });
  }

  async #removeAll(key: string): Promise<void> {
    for (const slice of this.#keeper.of(key)) await this.#keeper.remove(slice);
  }

  #reportSkipped(endpoints: Endpoints, skipped: number): void {
    const message = `A max of ${this.#max} addresses can be mirrored to EndpointSlices per Endpoints subset. ${skipped} addresses were skipped`;
    this.#context.recorder.record(endpoints, 'Warning', 'TooManyAddressesToMirror', message);
  }
}

export function startEndpointSliceMirroring(context: ControllerContext): void {
  new MirroringLoop(context);
}
