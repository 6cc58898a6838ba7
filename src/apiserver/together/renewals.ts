/**
 * Renews the leases of nodes, many at once. Each renewal has the effects of an update that changes only `renewTime`: its
 * own revision, its events, its counts. What could tell the two apart (a trace, an audit, a webhook, a breakpoint,
 * another owner of the field) makes it an update again.
 */
import type { UserInfo } from '../../authn/index.ts';
import type { ApiObject, ManagedFieldsEntry, Resource } from '../../schema/index.ts';
import { isObject } from '../../std/index.ts';
import { LateEntry, rewrite, type Entry, type Rewrite } from '../../storage/index.ts';
import { storedText } from '../codec/views.ts';
import { objectKey } from '../registry/keys.ts';
import { firstOf, type QuietContext, type QuietWrites, type TogetherServer } from './quiet.ts';

/** A node's lease as the server has last answered it, and its next renewal. */
export interface Renewal {
  readonly as: UserInfo;
  readonly lease: ApiObject;
  readonly renewTime: string;
}

/** What surrounds the time of renewal in the stored text of a lease. */
type Around = readonly [before: string, after: string];

/** Stands for the time of renewal in a text. */
const PLACE = '\u0000';

export class Renewals {
  readonly #server: TogetherServer;
  readonly #quiet: QuietWrites;
  readonly #resource: Resource | undefined;
  readonly #namespace: string;
  /** A request that stands for all of them. */
  readonly #context: QuietContext;

  constructor(server: TogetherServer, quiet: QuietWrites) {
    const { names } = server;
    this.#server = server;
    this.#quiet = quiet;
    this.#namespace = names.nodeLeaseNamespace;
    this.#resource = quiet.resource('coordination.{domain}', 'leases');
    const path = names.fill(`/apis/coordination.{domain}/v1/namespaces/${this.#namespace}/leases/node`);
    this.#context = quiet.contextOfAgents('PUT', path);
  }

  /** Returns the first ones, up to one that has to be updated; undefined if all of them have to be. */
  async renew(renewals: readonly Renewal[]): Promise<readonly ApiObject[] | undefined> {
    const { storage, clock, inFlight, views, tracer } = this.#server;
    const resource = this.#resource;
    if (!resource || !this.#quiet.mayWrite(resource) || !this.#quiet.namespace(this.#namespace)) return undefined;
    const started = clock.now();
    const rewrites = firstOf(renewals, (renewal) => this.#rewriteOf(renewal, resource));
    if (rewrites.length === 0) return [];
    inFlight.add('executing', 'mutating', 1);
    const written = await rewrite(storage, rewrites).catch(() => undefined);
    inFlight.add('executing', 'mutating', -1);
    if (!written) return undefined;
    this.#quiet.count(this.#context, resource, { operation: 'UPDATE', code: 200 }, written.length, started);
    const last = written.at(-1);
    if (last && tracer.wants('together'))
      tracer.emit({ topic: 'together', what: 'renewals', count: written.length, revision: last.revision });
    return written.map((entry) => views.of(entry, resource).object);
  }

  #rewriteOf({ as: user, lease, renewTime }: Renewal, resource: Resource): Rewrite | undefined {
    const { storage, views, retryQueues, random } = this.#server;
    const { name = '' } = lease.metadata;
    const previous = storage.get(objectKey(resource, this.#namespace, name));
    if (!previous || retryQueues.has(previous.key) || views.of(previous, resource).object !== lease) return undefined;
    const around = LateEntry.around(previous) ?? this.#examined(previous, lease);
    const spec = lease.spec as { readonly renewTime?: string };
    if (!around || spec.renewTime === renewTime) return undefined;
    const info = { ...this.#context.info, name };
    if (!this.#quiet.admits(user, info)) return undefined;
    // The id that an update would have.
    random.uuid();
    const stored = (entry: Entry): void => {
      views.take(entry, resource, { ...lease, spec: { ...spec, renewTime } });
      views.passed(previous, resource);
    };
    return { previous, around, differs: renewTime, stored };
  }

  /** Whether an update would change only the time of renewal, and leave its ownership as it is; then what surrounds it. */
  #examined({ value }: Entry, lease: ApiObject): Around | undefined {
    const { metadata, spec } = lease;
    const { managedFields = [], ownerReferences = [] } = metadata;
    const [owner] = managedFields;
    const time = (spec as { readonly renewTime?: string } | undefined)?.renewTime;
    const isOwn =
      metadata.deletionTimestamp === undefined &&
      ownerReferences.length < 2 &&
      managedFields.length === 1 &&
      owner !== undefined &&
      this.#owns(owner);
    if (!isOwn || time === undefined) return undefined;
    const text = storedText({ ...lease, spec: { ...(spec as object), renewTime: PLACE } });
    const [before, after, ...more] = text.split(JSON.stringify(PLACE).slice(1, -1));
    if (before === undefined || after === undefined || more.length > 0) return undefined;
    return before + time + after === value ? [before, after] : undefined;
  }

  #owns({ manager, operation, apiVersion, fieldsV1 }: ManagedFieldsEntry): boolean {
    const fields = fieldsV1?.['f:spec'];
    return (
      manager === this.#server.names.agent &&
      operation === 'Update' &&
      apiVersion === this.#resource?.apiVersion &&
      isObject(fields) &&
      isObject(fields['f:renewTime'])
    );
  }
}
