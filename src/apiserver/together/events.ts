/**
 * Creates the events of the cluster's components, many at once. Each creation has the effects of a request: its own
 * revision, its owner of fields, its watch event, its counts.
 */
import { meta, type ApiObject, type ManagedFieldsEntry, type Resource } from '../../schema/index.ts';
import { isObject, rfc3339 } from '../../std/index.ts';
import type { PutOp } from '../../storage/index.ts';
import { toHub, toObject } from '../codec/input.ts';
import { ruleContext } from '../context.ts';
import { agentOf, ownFields } from '../handlers/fieldOwnership.ts';
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

/** An event with its owner of fields, as it comes to admission. */
interface Draft extends Creating {
  readonly object: ApiObject;
}

interface Ready extends Draft {
  readonly op: PutOp;
}

/** The maximum number of owners that are remembered. */
const OWNERS = 256;

const NAMED = new Set(['name', 'namespace', 'creationTimestamp']);

/** Which fields an event has, as far as ownership sees them; undefined if they hang on values, as items of lists and labels do. */
function fieldsOf({ metadata, ...rest }: ApiObject): string | undefined {
  return Object.keys(metadata).every((name) => NAMED.has(name)) ? namesIn(rest) : undefined;
}

function namesIn(value: unknown): string | undefined {
  if (Array.isArray(value)) return undefined;
  if (!isObject(value)) return value === null ? '-' : '';
  let names = '';
  for (const name of Object.keys(value)) {
    const inner = namesIn(value[name]);
    if (inner === undefined) return undefined;
    names += `${name}${inner},`;
  }
  return `{${names}}`;
}

export class EventCreations {
  readonly #server: TogetherServer;
  readonly #quiet: QuietWrites;
  readonly #events: Resource | undefined;
  /** The owners of fields by user agent, version and fields. */
  readonly #owners = new Map<string, ManagedFieldsEntry>();

  constructor(server: TogetherServer, quiet: QuietWrites) {
    this.#server = server;
    this.#quiet = quiet;
    this.#events = quiet.resource('', 'events');
  }

  /** Creates the first ones, up to one that has to be a request. Returns their number. */
  async create(creations: readonly ComponentWrite[]): Promise<number> {
    const { clock } = this.#server;
    const events = this.#events;
    if (!events || !this.#quiet.mayWrite(events)) return 0;
    const started = clock.now();
    const drafts = await this.#drafts(creations, events);
    const ready = this.#quiet.mayWrite(events) ? this.#ready(drafts) : [];
    if (ready.length === 0) return 0;
    const entries = await this.#quiet.store(ready.map(({ op }) => op));
    this.#tell(ready.slice(0, entries.length), entries.at(-1)?.revision, started);
    return entries.length;
  }

  async #drafts(creations: readonly ComponentWrite[], events: Resource): Promise<Draft[]> {
    const drafts: Draft[] = [];
    for (const creation of creations) {
      const draft = await this.#draft(creation, events);
      if (!draft) break;
      drafts.push(draft);
    }
    return drafts;
  }

  async #draft(creation: ComponentWrite, events: Resource): Promise<Draft | undefined> {
    const creating = this.#quiet.creating(creation, events);
    if (!creating) return undefined;
    const { context, resource } = creating;
    try {
      const sent = toObject(context, resource, creation.body.value, '');
      const { ownerReferences, resourceVersion } = sent.metadata;
      if (ownerReferences || resourceVersion) return undefined;
      const object = toHub(context, resource, await this.#owned(context, resource, sent));
      object.metadata.namespace ||= context.info.namespace;
      return { context, resource, object };
    } catch {
      // The request tells what is wrong.
      return undefined;
    }
  }

  /** The event with its owner of fields: that of an earlier one, where the same user agent has set the same fields. */
  async #owned(context: QuietContext, resource: Resource, sent: ApiObject): Promise<ApiObject> {
    const { clock } = this.#server;
    const fields = fieldsOf(sent);
    const key = fields && JSON.stringify([agentOf(context), resource.apiVersion, fields]);
    const known = key && this.#owners.get(key);
    if (known) {
      const managedFields = [{ ...known, time: rfc3339(clock.now()) }];
      return { ...sent, metadata: { ...sent.metadata, managedFields } };
    }
    const owned = await ownFields(context, resource, undefined, sent, '');
    const [owner, ...others] = owned.metadata.managedFields ?? [];
    if (!key || !owner || others.length > 0) return owned;
    if (this.#owners.size === OWNERS) this.#owners.clear();
    this.#owners.set(key, owner);
    return owned;
  }

  /** Those that may be stored now, up to one that might be refused. */
  #ready(drafts: readonly Draft[]): Ready[] {
    return firstOf(drafts, (draft) => {
      const op = this.#putOf(draft);
      return op && { ...draft, op };
    });
  }

  #putOf({ context, resource, object }: Draft): PutOp | undefined {
    const { user, info } = context;
    if (!this.#quiet.isOpen(info.namespace) || !this.#quiet.admits(user, info)) return undefined;
    // The id that a request would have.
    this.#server.random.uuid();
    try {
      prepareNew(context, resource, object);
    } catch {
      return undefined;
    }
    const errors = meta.checkCreate(resource, object, ruleContext(context));
    if (errors.length > 0) return undefined;
    const key = objectKey(resource, info.namespace, object.metadata.name ?? '');
    return putOp(context, resource, key, normalizeNew(context, resource, object), 0);
  }

  /** Counts what was written by the version that was asked for, and tells the trace the sum. */
  #tell(written: readonly Draft[], revision: number | undefined, started: number): void {
    if (revision === undefined) return;
    const { tracer } = this.#server;
    for (const version of new Set(written.map(({ resource }) => resource))) {
      const alike = written.filter(({ resource }) => resource === version);
      const counted = { operation: 'CREATE', code: 201 } as const;
      if (alike[0]) this.#quiet.count(alike[0].context, version, counted, alike.length, started);
    }
    if (tracer.wants('together')) tracer.emit({ topic: 'together', what: 'events', count: written.length, revision });
  }
}
