/**
 * Updates many pods at once: binds them to nodes, as the scheduler does, and writes the statuses that agents report. Each
 * update has the effects of a request: its own revision, its owners of fields, its watch event, its counts.
 */
import { applyPatch } from '../../merge/index.ts';
import { meta, type ApiObject, type Resource } from '../../schema/index.ts';
import { isObject } from '../../std/index.ts';
import { valueLength, type Entry, type PutOp } from '../../storage/index.ts';
import { toObject } from '../codec/input.ts';
import { ruleContext } from '../context.ts';
import { ownFields } from '../handlers/fieldOwnership.ts';
import { decodePatched } from '../handlers/patch.ts';
import { assigned, bindingType, nodeOf, succeeded } from '../registry/kinds/pods.ts';
import { objectKey } from '../registry/keys.ts';
import { isUnchanged, normalize, putOp } from '../registry/store.ts';
import { prepareExisting } from '../registry/write.ts';
import {
  LARGEST,
  type Admitted,
  type ComponentWrite,
  type Counted,
  type QuietContext,
  type QuietWrites,
  type TogetherServer,
} from './quiet.ts';

/** A pod that a write is about. */
interface Target {
  readonly context: QuietContext;
  readonly entry: Entry;
  readonly existing: ApiObject;
}

/** The pod as a patch of its status makes it, with its owners of fields. */
interface Patched extends Target {
  readonly object: ApiObject;
}

interface Update {
  readonly context: QuietContext;
  readonly put: PutOp;
}

const BINDINGS = { what: 'bindings', operation: 'CREATE', storing: 'update', code: 201 } as const;
const STATUSES = { what: 'statuses', operation: 'UPDATE', code: 200 } as const;

export class PodUpdates {
  readonly #server: TogetherServer;
  readonly #quiet: QuietWrites;
  readonly #pods: Resource | undefined;

  constructor(server: TogetherServer, quiet: QuietWrites) {
    this.#server = server;
    this.#quiet = quiet;
    this.#pods = quiet.resource('', 'pods');
  }

  /** Binds pods to nodes. Returns the answer to each write; undefined for one that has to be sent as a request. */
  async bind(writes: readonly ComponentWrite[]): Promise<readonly (object | undefined)[]> {
    const started = this.#server.clock.now();
    const pods = this.#writable();
    if (!pods) return [];
    const updates = ofEachPod(writes, (write) => this.#bound(write, pods));
    const written = await this.#store(updates, pods, BINDINGS, started);
    return written.map((pod) => pod && succeeded);
  }

  /** Patches the status of pods. Returns the pod for each write; undefined for one that has to be sent as a request. */
  async patchStatus(writes: readonly ComponentWrite[]): Promise<readonly (ApiObject | undefined)[]> {
    const started = this.#server.clock.now();
    const pods = this.#writable();
    if (!pods) return [];
    const patched = await Promise.all(ofEachPod(writes, (write) => this.#patched(write, pods)));
    // From here to storage nothing waits, so that what holds now holds until they are stored.
    if (!this.#writable()) return [];
    const updates = patched.map((one) => one && attempt(() => this.#reported(one, pods)));
    return this.#store(updates, pods, STATUSES, started);
  }

  /** Pods, while they may be written together. */
  #writable(): Resource | undefined {
    return this.#pods && this.#quiet.mayWrite(this.#pods) ? this.#pods : undefined;
  }

  /** The pod that a write is about; undefined if it is missing or going, if other writes of it wait, or for another kind. */
  #target(method: string, subresource: string, write: ComponentWrite, pods: Resource): Target | undefined {
    const { storage, views, retryQueues } = this.#server;
    const context = this.#quiet.contextOfOne(method, write);
    if (!context || write.body.size > LARGEST) return undefined;
    const { info } = context;
    if (info.group !== '' || info.version !== 'v1' || info.resource !== 'pods' || info.subresource !== subresource)
      return undefined;
    const entry = storage.get(objectKey(pods, info.namespace, info.name));
    if (!entry || retryQueues.has(entry.key) || valueLength(entry) > LARGEST) return undefined;
    const existing = views.of(entry, pods).object;
    return existing.metadata.deletionTimestamp === undefined ? { context, entry, existing } : undefined;
  }

  #bound(write: ComponentWrite, pods: Resource): Update | undefined {
    const target = this.#target('POST', 'binding', write, pods);
    if (!target) return undefined;
    const { context, existing } = target;
    const { name } = context.info;
    const type = bindingType(context);
    const binding = toObject(context, type, write.body.value, '');
    if (binding.metadata.name !== name) return undefined;
    const admitted: Admitted = { operation: 'CREATE', resource: type, name, object: binding, old: undefined };
    return this.#update(target, admitted, assigned(context, existing, nodeOf(binding), binding), 'binding', pods);
  }

  #patched(write: ComponentWrite, pods: Resource): Promise<Patched | undefined> | undefined {
    const target = this.#target('PATCH', 'status', write, pods);
    if (!target || !changesOnlyStatus(write.body.value, target.existing)) return undefined;
    const { context, existing } = target;
    const raw = applyPatch('strategic', existing, write.body, pods.node);
    const next = decodePatched(context, pods, 'strategic', raw, write.body);
    return ownFields(context, pods, existing, next, '').then(
      (object) => ({ ...target, object }),
      () => undefined,
    );
  }

  #reported(patched: Patched, pods: Resource): Update | undefined {
    const { context, entry, existing, object } = patched;
    if (this.#server.storage.get(entry.key) !== entry) return undefined;
    const { name } = context.info;
    const admitted: Admitted = { operation: 'UPDATE', resource: pods, name, object, old: existing };
    return this.#update(patched, admitted, object, 'status', pods);
  }

  /** Prepares the changed pod for storage; undefined if it is invalid, nothing has changed, or admission or authorization does not let it pass at once. */
  #update(
    { context, entry, existing }: Target,
    admitted: Admitted,
    object: ApiObject,
    mode: string,
    pods: Resource,
  ): Update | undefined {
    const quiet = this.#quiet;
    if (!quiet.passes('mutating', context, admitted) || !quiet.passes('validating', context, admitted))
      return undefined;
    prepareExisting(context, pods, object, existing, mode);
    if (meta.checkUpdate(pods, object, existing, ruleContext(context), mode).length > 0) return undefined;
    const form = normalize(context, pods, object, existing);
    if (isUnchanged(pods, form, entry, existing)) return undefined;
    delete form.metadata.selfLink;
    if (!quiet.admits(context.user, context.info)) return undefined;
    // The id that a request would have.
    this.#server.random.uuid();
    return { context, put: putOp(context, pods, entry.key, form, entry.revision) };
  }

  /** Stores what was made, counts it, and tells the trace the sum. */
  async #store(
    updates: readonly (Update | undefined)[],
    pods: Resource,
    { what, ...counted }: Counted & { readonly what: 'bindings' | 'statuses' },
    started: number,
  ): Promise<readonly (ApiObject | undefined)[]> {
    const { tracer, views } = this.#server;
    const [first, ...others] = updates.filter((update) => update !== undefined);
    if (!first) return [];
    const written = await this.#quiet.store([first, ...others].map(({ put }) => put));
    const last = written.at(-1);
    if (!last) return [];
    this.#quiet.count(first.context, pods, counted, written.length, started);
    if (tracer.wants('together'))
      tracer.emit({ topic: 'together', what, count: written.length, revision: last.revision });
    const entries = written.values();
    return updates.map((update) => {
      const entry = update && (entries.next().value as Entry | undefined);
      return entry && views.of(entry, pods).object;
    });
  }
}

/** The result of `make` for the first write of each pod. A second write of a pod has to be a request after the first is stored. */
function ofEachPod<T>(
  writes: readonly ComponentWrite[],
  make: (write: ComponentWrite) => T,
): readonly (T | undefined)[] {
  const seen = new Set<string>();
  return writes.map((write) => {
    if (seen.has(write.path)) return undefined;
    seen.add(write.path);
    return attempt(() => make(write));
  });
}

/** The result of `make`; undefined if it throws, because the same write as a request then tells what is wrong. */
function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

/** Whether a patch names nothing but the status and the id of the pod. */
function changesOnlyStatus(patch: unknown, { metadata: { uid } }: ApiObject): boolean {
  if (!isObject(patch)) return false;
  const { metadata, status: _, ...others } = patch;
  return (
    Object.keys(others).length === 0 &&
    isObject(metadata) &&
    metadata['uid'] === uid &&
    Object.keys(metadata).length === 1
  );
}
