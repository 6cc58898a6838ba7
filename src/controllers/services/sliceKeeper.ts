import {
  endpointSlices,
  identityOf,
  keyOf,
  nameOf,
  type EndpointSlice,
  type Informer,
  type ResourceRef,
} from '../../client/index.ts';
import type { ApiObject } from '../../schema/index.ts';
import {
  controllerReference,
  deleteIfPresent,
  isNamespaceTerminating,
  waitForCache,
  wakingBy,
  type ControllerContext,
  type Loop,
} from '../runtime/index.ts';
import { deepEqual } from '../../std/index.ts';
import type { Endpoint, SlicePlan, SlicePort } from './slices.ts';

/** The common fields of all slices of an owner. */
export interface SliceOwner {
  readonly object: ApiObject;
  readonly ref: ResourceRef;
  /** Labels besides those that identify the service and the manager. */
  readonly labels: Readonly<Record<string, string>>;
  /** When the endpoints changed. */
  readonly triggerTime?: string | undefined;
}

type SliceMetadata = Pick<ApiObject['metadata'], 'labels' | 'annotations' | 'ownerReferences'>;

/** Empty lists are not written, so nobody owns them, as in the reference. */
const listsOf = (
  ports: readonly SlicePort[],
  endpoints: readonly Endpoint[],
): Pick<EndpointSlice, 'ports' | 'endpoints'> => ({
  ports: ports.length > 0 ? [...ports] : null,
  endpoints: endpoints.length > 0 ? [...endpoints] : null,
});

/** Performs plans for the slices that one controller manages. */
export class SliceKeeper {
  readonly #context: ControllerContext;
  readonly #slices: Informer<EndpointSlice>;
  readonly #manager: string;
  /** The annotation with the time when the endpoints changed. */
  readonly #changed: string;
  /** The revision that this controller last wrote of a slice, by the slice's key. */
  readonly #written = new Map<string, string | undefined>();
  /** The writes under way, by the key of their service. */
  readonly #writing = new Map<string, Promise<void>>();
  /** The keys of the slices that this controller is deleting. */
  readonly #removing = new Set<string>();

  constructor(context: ControllerContext, manager: string) {
    this.#context = context;
    this.#manager = context.names.fill(manager);
    this.#changed = context.names.fill('endpoints.{label}/last-change-trigger-time');
    this.#slices = context.informers.of(endpointSlices);
    this.#slices.addIndex(this.#manager, (slice) => this.#serviceOf(slice));
  }

  /** Labels that identify the owner of a slice; they are never copied from a service. */
  get reservedLabels(): readonly string[] {
    return ['{label}/service-name', 'endpointslice.{label}/managed-by', 'service.{label}/headless'].map((label) =>
      this.#context.names.fill(label),
    );
  }

  /** Whether a slice has the labels and the annotations of a new one. */
  isAsNew({ metadata }: EndpointSlice, owner: SliceOwner): boolean {
    const { labels, annotations } = this.#metadata(owner, {});
    return deepEqual(metadata.annotations ?? {}, annotations) && deepEqual(metadata.labels ?? {}, labels);
  }

  /** Whether the object of an owner owns a slice. */
  isOwned({ metadata }: EndpointSlice, { object }: SliceOwner): boolean {
    return (metadata.ownerReferences ?? []).some(({ uid }) => uid === object.metadata.uid);
  }

  /** The slices of the service with this key. */
  of(service: string): EndpointSlice[] {
    return this.#slices.by(this.#manager, service);
  }

  /** Wakes the loop of a service when somebody else has created, changed or deleted one of its slices. */
  wake(loop: Loop): void {
    this.#slices.on({
      added: (slice) => this.#onWrite(loop, slice, 'added'),
      changed: (slice, old) => this.#onWrite(loop, slice, 'changed', old),
      deleted: (slice) => this.#onDeletion(loop, slice),
    });
  }

  #onWrite(loop: Loop, slice: EndpointSlice, what: string, old?: EndpointSlice): void {
    const services = new Set([...this.#serviceOf(slice), ...(old ? this.#serviceOf(old) : [])]);
    for (const service of services) {
      const wake = (): void => {
        if (this.#written.get(keyOf(slice)) === slice.metadata.resourceVersion) return;
        loop.add(service, () => wakingBy(slice, what));
      };
      // The event of an own write may come before its answer, which has the revision.
      const writing = this.#writing.get(service);
      if (writing) writing.then(wake, wake);
      else wake();
    }
  }

  #onDeletion(loop: Loop, slice: EndpointSlice): void {
    this.#written.delete(keyOf(slice));
    if (this.#removing.has(keyOf(slice))) return;
    for (const service of this.#serviceOf(slice)) loop.add(service, () => wakingBy(slice, 'deleted'));
  }

  async carryOut(plan: SlicePlan, owner: SliceOwner): Promise<void> {
    const service = keyOf(owner.object);
    const done = this.#perform(plan, owner);
    this.#writing.set(service, done);
    try {
      await done;
    } finally {
      this.#writing.delete(service);
    }
  }

  async #perform(plan: SlicePlan, owner: SliceOwner): Promise<void> {
    const { name, namespace } = identityOf(owner.object);
    const { deletionTimestamp } = owner.object.metadata;
    const client = this.#context.client.of(endpointSlices);
    for (const { addressType, ports, endpoints } of deletionTimestamp === undefined ? plan.create : []) {
      const metadata = { generateName: `${name}-`, namespace, ...this.#metadata(owner, {}) };
      await this.#write(() => client.create({ metadata, addressType, ...listsOf(ports, endpoints) }));
    }
    for (const { slice, ports, endpoints, isReused, losesPrefix } of plan.update) {
      const annotations = isReused ? {} : (slice.metadata.annotations ?? {});
      const { generateName, ...before } = slice.metadata;
      const prefix = losesPrefix || generateName === undefined ? {} : { generateName };
      const metadata = { ...before, ...prefix, ...this.#metadata(owner, annotations) };
      await this.#write(() => client.update({ ...slice, metadata, ...listsOf(ports, endpoints) }), slice);
    }
    for (const slice of plan.remove) await this.remove(slice);
  }

  async remove(slice: EndpointSlice): Promise<void> {
    const key = keyOf(slice);
    this.#removing.add(key);
    try {
      await deleteIfPresent(this.#context.client, endpointSlices, slice);
      await this.#slices.until(key, (seen) => seen?.metadata.uid !== slice.metadata.uid);
    } finally {
      this.#removing.delete(key);
    }
  }

  #serviceOf({ metadata: { labels = {}, namespace } }: EndpointSlice): string[] {
    const { names } = this.#context;
    if (labels[names.fill('endpointslice.{label}/managed-by')] !== this.#manager) return [];
    return [`${namespace}/${labels[names.fill('{label}/service-name')]}`];
  }

  #metadata({ object, ref, labels, triggerTime }: SliceOwner, annotations: Record<string, string>): SliceMetadata {
    const { names } = this.#context;
    const { [this.#changed]: _, ...kept } = annotations;
    return {
      labels: {
        ...labels,
        [names.fill('{label}/service-name')]: nameOf(object),
        [names.fill('endpointslice.{label}/managed-by')]: this.#manager,
      },
      annotations: triggerTime === undefined ? kept : { ...kept, [this.#changed]: triggerTime },
      ownerReferences: [controllerReference(object, ref, names)],
    };
  }

  /**
   * Writes a slice, and waits until the cache contains it. Failures to create in a terminating namespace are ignored.
   */
  async #write(write: () => Promise<EndpointSlice>, before?: EndpointSlice): Promise<void> {
    try {
      const written = await write();
      this.#written.set(keyOf(written), written.metadata.resourceVersion);
      await waitForCache(this.#slices, written, before);
    } catch (problem) {
      if (before || !isNamespaceTerminating(problem)) throw problem;
    }
  }
}
