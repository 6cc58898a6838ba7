/**
 * Creates pods from one draft, many at once, as the controllers of replica sets and jobs do. Each creation has the
 * effects of a request: its own name and id, its own revision, its watch event, its counts. Two of the pods are made the
 * whole way; where nothing but name and id tells them apart, all others differ from them in nothing else.
 */
import type { Phase } from '../../admission/index.ts';
import { meta, type ApiObject, type Resource } from '../../schema/index.ts';
import { deepEqual } from '../../std/index.ts';
import type { PutOp } from '../../storage/index.ts';
import { toHub, toObject } from '../codec/input.ts';
import { ruleContext } from '../context.ts';
import { ownFields } from '../handlers/fieldOwnership.ts';
import { objectKey } from '../registry/keys.ts';
import { normalizeNew, putOp } from '../registry/store.ts';
import { prepareNew } from '../registry/write.ts';
import {
  firstOf,
  type ComponentWrite,
  type Creating,
  type QuietContext,
  type QuietWrites,
  type TogetherServer,
} from './quiet.ts';

interface Draft extends Creating {
  /** The pod with its owner of fields, as it comes to admission. */
  readonly object: ApiObject;
}

/** The length of the random end of a generated name. */
const SUFFIX = 5;

/** A pod as it was validated, and as it is stored. */
interface Made {
  readonly object: ApiObject;
  readonly form: ApiObject;
}

export class PodCreations {
  readonly #server: TogetherServer;
  readonly #quiet: QuietWrites;
  readonly #pods: Resource | undefined;

  constructor(server: TogetherServer, quiet: QuietWrites) {
    this.#server = server;
    this.#quiet = quiet;
    this.#pods = quiet.resource('', 'pods');
  }

  /** Creates the first ones, up to one that has to be a request. All have the same path, sender and body. */
  async create(creations: readonly ComponentWrite[]): Promise<readonly ApiObject[]> {
    const { clock, views, specs, tracer } = this.#server;
    const [one, other] = creations;
    const pods = this.#pods;
    if (!one || !other || !pods || !this.#quiet.mayWrite(pods)) return [];
    const started = clock.now();
    const drafts = [await this.#draft(one, pods), await this.#draft(other, pods)];
    // From here to storage nothing waits, so that what holds for two of them holds for all.
    const [draft] = drafts;
    const made = this.#quiet.mayWrite(pods) ? firstOf(drafts, (each) => each && this.#make(each)) : [];
    const [first, second] = made;
    if (!draft || !first || !second || !areAlike(first.form, second.form)) return [];
    const { context, resource } = draft;
    const copies = firstOf(creations.slice(2), () => this.#copy(draft, first.form));
    const puts = [first.form, second.form, ...copies].map((form) => this.#putOf(draft, form));
    const written = await this.#quiet.store(puts);
    const last = written.at(-1);
    if (!last) return [];
    specs.keep(resource, first.object, first.form);
    this.#quiet.count(context, resource, { operation: 'CREATE', code: 201 }, written.length, started);
    if (tracer.wants('together'))
      tracer.emit({ topic: 'together', what: 'pods', count: written.length, revision: last.revision });
    return written.map((entry) => views.of(entry, resource).object);
  }

  async #draft(creation: ComponentWrite, pods: Resource): Promise<Draft | undefined> {
    const creating = this.#quiet.creating(creation, pods);
    if (!creating) return undefined;
    const { context, resource } = creating;
    try {
      const sent = toObject(context, resource, creation.body.value, '');
      const { name, generateName, resourceVersion, ownerReferences = [] } = sent.metadata;
      if (name || !generateName || resourceVersion || ownerReferences.length > 1) return undefined;
      const object = toHub(context, resource, await ownFields(context, resource, undefined, sent, ''));
      object.metadata.namespace ||= context.info.namespace;
      return { context, resource, object };
    } catch {
      // The request tells what is wrong.
      return undefined;
    }
  }

  /** Takes a pod the whole way to storage; undefined if it might be refused, or would have to wait. */
  #make({ context, resource, object }: Draft): Made | undefined {
    const { user, info } = context;
    const { specs } = this.#server;
    if (!this.#quiet.isOpen(info.namespace) || !this.#quiet.admits(user, info)) return undefined;
    this.#passId();
    try {
      if (!this.#passes('mutating', context, resource, object)) return undefined;
      prepareNew(context, resource, object);
      specs.share(resource, object);
      const errors = meta.checkCreate(resource, object, ruleContext(context));
      if (errors.length > 0 || !this.#passes('validating', context, resource, object)) return undefined;
      return { object, form: normalizeNew(context, resource, object) };
    } catch {
      return undefined;
    }
  }

  /** Draws the id that a request would have. */
  #passId(): void {
    this.#server.random.uuid();
  }

  /** Whether all plugins let a pod pass at once. Throws if one refuses it. */
  #passes(phase: Phase, context: QuietContext, resource: Resource, object: ApiObject): boolean {
    const { name = '' } = object.metadata;
    return this.#quiet.passes(phase, context, { operation: 'CREATE', resource, name, object, old: undefined });
  }

  /** Another pod like one that was made, with the name and id of its own. */
  #copy({ context: { user, info } }: Draft, form: ApiObject): ApiObject | undefined {
    if (!this.#quiet.admits(user, info)) return undefined;
    this.#passId();
    const uid = this.#server.random.uuid();
    const name = (form.metadata.name ?? '').slice(0, -SUFFIX) + this.#server.random.suffix(SUFFIX);
    return { ...form, metadata: { ...form.metadata, name, uid } };
  }

  #putOf({ context, resource }: Draft, form: ApiObject): PutOp {
    const key = objectKey(resource, context.info.namespace, form.metadata.name ?? '');
    return putOp(context, resource, key, form, 0);
  }
}

/** Whether two pods differ in their names and ids at most. */
function areAlike(one: ApiObject, other: ApiObject): boolean {
  const { name, uid } = one.metadata;
  return deepEqual(one, { ...other, metadata: { ...other.metadata, name, uid } });
}
