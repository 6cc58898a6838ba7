/**
 * Renews the leases of nodes, many at once. Each renewal has the effects of an update that changes only `renewTime`: its
 * own revision, its events, its counts. What could tell the two apart (a trace, an audit, a webhook, a breakpoint,
 * another owner of the field) makes it an update again.
 */
import type { UserInfo } from '../authn/index.ts';
import { rulesPart, type ApiObject, type ManagedFieldsEntry, type Resource } from '../schema/index.ts';
import { isObject, requestTo, WholeResponse } from '../std/index.ts';
import { keyEnd, LateEntry, rewrite, type Entry, type Rewrite } from '../storage/index.ts';
import { storedText } from './codec/views.ts';
import type { RequestContext } from './context.ts';
import type { Levels } from './flow/levels.ts';
import type { FilterTimer } from './metrics/filters.ts';
import { storageDuration } from './metrics/storage.ts';
import type { ResourceServer } from './registry/registry.ts';
import { collectionRange, objectKey } from './registry/keys.ts';
import type { AuditServer } from './stages/audit.ts';
import { attributesFor } from './stages/authorize.ts';
import type { FlowServer } from './stages/flow.ts';
import { requestInfo, type RequestInfo } from './stages/requestInfo.ts';

/** A node's lease as the server has last answered it, and its next renewal. */
export interface Renewal {
  readonly as: UserInfo;
  readonly lease: ApiObject;
  readonly renewTime: string;
}

interface RenewalServer extends ResourceServer, FlowServer, AuditServer {
  readonly filters: FilterTimer;
  readonly levels?: Levels | undefined;
}

/** The plugins that have nothing to do with an update of a lease. Webhooks and quotas are looked for. */
const QUIET = new Set([
  ...['AlwaysAdmit', 'NamespaceLifecycle', 'NamespaceExists', 'LimitRanger', 'ServiceAccount', 'NodeRestriction'],
  ...['TaintNodesByCondition', 'Priority', 'DefaultTolerationSeconds', 'DefaultStorageClass', 'RuntimeClass'],
  ...['StorageObjectInUseProtection', 'PersistentVolumeClaimResize', 'CertificateApproval', 'CertificateSigning'],
  ...['CertificateSubjectRestriction', 'DefaultIngressClass', 'MutatingAdmissionWebhook'],
  ...['ValidatingAdmissionWebhook', 'ResourceQuota'],
]);

/** A range of keys in storage. */
interface Place {
  readonly start: string;
  readonly end: string;
}

/** What surrounds the time of renewal in the stored text of a lease. */
type Around = readonly [before: string, after: string];

/** Stands for the time of renewal in a text. */
const PLACE = '\u0000';

export class Renewals {
  readonly #server: RenewalServer;
  readonly #resource: Resource | undefined;
  readonly #namespace: string;
  readonly #places;
  /** A request that stands for all of them. */
  readonly #context: RequestContext;
  readonly #response = new WholeResponse(null, { headers: { 'content-type': 'application/json' } });

  constructor(server: RenewalServer) {
    const { names, scheme } = server;
    this.#server = server;
    this.#namespace = names.nodeLeaseNamespace;
    this.#places = this.#placesIn(server);
    const path = names.fill(`/apis/coordination.{domain}/v1/namespaces/${this.#namespace}/leases/node`);
    const query = new URLSearchParams();
    const info = requestInfo('PUT', path, query);
    const { group, version, resource } = info;
    this.#resource = this.#neverDiffers() ? scheme.byResource({ group, version, resource }) : undefined;
    const request = requestTo(`http://cluster.local${path}`, { method: 'PUT' });
    this.#context = {
      ...{ server, id: '', request, query, info, deadline: undefined, userAgent: names.agent },
      ...{ user: { name: '', groups: [], extra: {} }, warnings: new Set(), audit: undefined, fromOutside: false },
    };
  }

  /** Returns the first ones, up to one that has to be updated; undefined if all of them have to be. */
  async renew(renewals: readonly Renewal[]): Promise<readonly ApiObject[] | undefined> {
    const { storage, clock, inFlight, views, tracer } = this.#server;
    const resource = this.#resource;
    if (!resource || this.#differsNow()) return undefined;
    const started = clock.now();
    const rewrites: Rewrite[] = [];
    for (const renewal of renewals) {
      const rewrite = this.#rewriteOf(renewal, resource);
      if (!rewrite) break;
      rewrites.push(rewrite);
    }
    if (rewrites.length === 0) return [];
    inFlight.add('executing', 'mutating', 1);
    const written = await rewrite(storage, rewrites).catch(() => undefined);
    inFlight.add('executing', 'mutating', -1);
    if (!written) return undefined;
    this.#count(written.length, started);
    const last = written.at(-1);
    if (last && tracer.wants('renewals'))
      tracer.emit({ topic: 'renewals', count: written.length, revision: last.revision });
    return written.map((entry) => views.of(entry, resource).object);
  }

  /** Whether the settings of the server allow it. */
  #neverDiffers(): boolean {
    const { storage, audit, gate, flag, admission } = this.#server;
    return (
      !storage.shared &&
      audit === undefined &&
      gate('ServerSideApply') &&
      !(flag('authorization-mode') ?? '').includes('Webhook') &&
      admission.plugins.every(({ name }) => QUIET.has(name))
    );
  }

  /** Whether something looks at each request now, or might refuse all of them. */
  #differsNow(): boolean {
    const { storage, tracer, breakpoints } = this.#server;
    return (
      !tracer.sumsUpRenewals() ||
      breakpoints.all.length > 0 ||
      storage.condition.is !== 'sound' ||
      !(this.#resource && rulesPart(this.#resource.declaration)?.loaded !== false) ||
      !this.#places.needed.every(({ start, end }) => storage.count(start, end) > 0) ||
      this.#places.empty.some(({ start, end }) => storage.count(start, end) > 0)
    );
  }

  /** Where the namespace of the leases is, and where nothing may be. */
  #placesIn({ scheme, names }: RenewalServer): { readonly needed: readonly Place[]; readonly empty: readonly Place[] } {
    const placeOf = (group: string, resource: string, namespace = ''): readonly Place[] => {
      const found = scheme.byResource({ group: names.fill(group), version: 'v1', resource });
      return found ? [collectionRange(found.hub, namespace)] : [];
    };
    const needed = placeOf('', 'namespaces').map(({ start }) => {
      const key = start + this.#namespace;
      return { start: key, end: keyEnd(key) };
    });
    const empty = [
      ...placeOf('', 'resourcequotas', this.#namespace),
      ...placeOf('admissionregistration.{domain}', 'mutatingwebhookconfigurations'),
      ...placeOf('admissionregistration.{domain}', 'validatingwebhookconfigurations'),
    ];
    return { needed, empty };
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
    const decided = this.#server.authorize(attributesFor(user, info));
    if (decided instanceof Promise || decided.decision !== 'allow' || !this.#runsAtOnce(user, info)) return undefined;
    // The id that an update would have.
    random.uuid();
    const stored = (entry: Entry): void => {
      views.take(entry, resource, { ...lease, spec: { ...spec, renewTime } });
      views.passed(previous, resource);
    };
    return { previous, around, differs: renewTime, stored };
  }

  /** Whether flow control lets the request run at once; if so, it has run. */
  #runsAtOnce(user: UserInfo, info: RequestInfo): boolean {
    const { flow, levels } = this.#server;
    const queues = levels?.classify({ user, info }).level.queues;
    if (queues && (queues.waiting > 0 || queues.executing >= queues.concurrencyLimit)) return false;
    const entered = flow.enter({ user, info, mutating: true, onAbandoned: ignore, onWaiting: ignore });
    if (entered instanceof Promise || !entered.admitted) return false;
    entered.release();
    return true;
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

  /** Counts what as many updates count. */
  #count(times: number, started: number): void {
    const { filters, admission, requests, clock, metrics } = this.#server;
    const seconds = (clock.now() - started) / 1000;
    metrics.at(storageDuration, { operation: 'update', type: 'Lease' }).observe(seconds, times);
    for (const filter of ['authentication', 'audit', 'impersonation', 'flow', 'authorization'] as const)
      filters.passed(filter, clock.now(), times);
    for (const phase of ['mutating', 'validating'] as const) {
      const { steps, timer } = admission.passOf(phase, 'UPDATE');
      for (const step of steps) step.timer.passed(clock.now(), times);
      timer.passed(clock.now(), times);
    }
    requests.count(this.#context, this.#response, seconds, times);
  }
}

const ignore = (): void => undefined;
