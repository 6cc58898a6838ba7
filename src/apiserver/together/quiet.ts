/**
 * When writes of the cluster's components may be made together: only while nobody could tell that from as many requests.
 * An audit, a webhook, a quota, a breakpoint, or somebody who follows requests makes each of them a request again.
 */
import type { Operation, Pass, Phase } from '../../admission/index.ts';
import type { UserInfo } from '../../authn/index.ts';
import { rulesPart, type ApiObject, type Resource } from '../../schema/index.ts';
import { inBackground, requestTo, WholeResponse, type JsonBody } from '../../std/index.ts';
import { putEach, type Entry, type PutOp } from '../../storage/index.ts';
import type { RequestContext } from '../context.ts';
import type { Levels } from '../flow/levels.ts';
import type { FilterTimer } from '../metrics/filters.ts';
import { storageDuration } from '../metrics/storage.ts';
import { attributesOf, type AdmissionRequest } from '../handlers/admit.ts';
import type { ResourceServer } from '../registry/registry.ts';
import { collectionRange, objectKey } from '../registry/keys.ts';
import type { AuditServer } from '../stages/audit.ts';
import { attributesFor } from '../stages/authorize.ts';
import type { FlowServer } from '../stages/flow.ts';
import { requestInfo, type RequestInfo } from '../stages/requestInfo.ts';

export interface TogetherServer extends ResourceServer, FlowServer, AuditServer {
  readonly filters: FilterTimer;
  readonly levels?: Levels | undefined;
}

/** The plugins that let such writes pass as they are. Webhooks and quotas are looked for. */
const QUIET = new Set([
  ...['AlwaysAdmit', 'NamespaceLifecycle', 'NamespaceExists', 'LimitRanger', 'ServiceAccount', 'NodeRestriction'],
  ...['TaintNodesByCondition', 'Priority', 'DefaultTolerationSeconds', 'DefaultStorageClass', 'RuntimeClass'],
  ...['StorageObjectInUseProtection', 'PersistentVolumeClaimResize', 'CertificateApproval', 'CertificateSigning'],
  ...['CertificateSubjectRestriction', 'DefaultIngressClass', 'MutatingAdmissionWebhook'],
  ...['ValidatingAdmissionWebhook', 'ResourceQuota'],
]);

const NO_QUERY = new URLSearchParams();

type Asked = Pick<RequestContext, 'info' | 'request'>;

/** The maximum number of remembered paths. */
const PATHS = 256;

/** Who sends a request. */
type Sender = Pick<RequestContext, 'user' | 'userAgent'>;

/** A component's request that writes. */
export interface ComponentWrite {
  readonly as: UserInfo;
  readonly userAgent: string;
  /** It has no query. */
  readonly path: string;
  readonly body: JsonBody;
}

export type QuietContext = RequestContext<TogetherServer>;

/** The context of a request that creates an object, and the version in which it does. */
export interface Creating {
  readonly context: QuietContext;
  readonly resource: Resource;
}

/** A larger body or object is processed in steps, as a request. */
export const LARGEST = 16 * 1024;

/** What admission is asked about. */
export type Admitted = Omit<AdmissionRequest, 'dryRun' | 'options'>;

/** What is counted of writes of one kind. */
export interface Counted {
  /** What admission takes it for. */
  readonly operation: Operation & ('CREATE' | 'UPDATE');
  /** What storage does, if that is something else. */
  readonly storing?: 'update';
  readonly code: number;
}

/** What is made of the first ones, up to one of which nothing is made. */
export function firstOf<T, R>(all: readonly T[], make: (one: T) => R | undefined): R[] {
  const made: R[] = [];
  for (const one of all) {
    const result = make(one);
    if (result === undefined) break;
    made.push(result);
  }
  return made;
}

export class QuietWrites {
  readonly #server: TogetherServer;
  readonly #namespaces: Resource | undefined;
  readonly #quotas: Resource | undefined;
  readonly #webhooks: readonly Resource[];
  readonly #known = new Map<string, Asked>();
  /** Whether the settings of the server allow it. */
  readonly areAllowed: boolean;

  constructor(server: TogetherServer) {
    this.#server = server;
    const { storage, audit, gate, flag, admission } = server;
    this.areAllowed =
      !storage.shared &&
      audit === undefined &&
      gate('ServerSideApply') &&
      !(flag('authorization-mode') ?? '').includes('Webhook') &&
      admission.plugins.every(({ name }) => QUIET.has(name));
    this.#namespaces = this.resource('', 'namespaces');
    this.#quotas = this.resource('', 'resourcequotas');
    const webhooks = ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'];
    this.#webhooks = webhooks.flatMap((name) => this.resource('admissionregistration.{domain}', name) ?? []);
  }

  resource(group: string, resource: string): Resource | undefined {
    const { scheme, names } = this.#server;
    return scheme.byResource({ group: names.fill(group), version: 'v1', resource });
  }

  /** Whether nothing looks at each request now, or might refuse all writes of this kind. */
  mayWrite({ declaration }: Resource): boolean {
    const { storage, tracer, breakpoints } = this.#server;
    return (
      this.areAllowed &&
      tracer.sumsUp() &&
      breakpoints.all.length === 0 &&
      storage.condition.is === 'sound' &&
      rulesPart(declaration)?.loaded !== false &&
      this.#webhooks.every((resource) => !this.#has(resource, ''))
    );
  }

  /** A namespace in which nothing is limited; undefined if it is missing or has a quota. */
  namespace(name: string): ApiObject | undefined {
    const { storage, views } = this.#server;
    const resource = this.#namespaces;
    const entry = resource && storage.get(objectKey(resource, '', name));
    if (!entry || (this.#quotas && this.#has(this.#quotas, name))) return undefined;
    return views.of(entry, resource).object;
  }

  #has({ hub }: Resource, namespace: string): boolean {
    const { start, end } = collectionRange(hub, namespace);
    return this.#server.storage.count(start, end) > 0;
  }

  /** Whether the user may do it, and flow control lets the request run at once; if so, it has run. */
  admits(user: UserInfo, info: RequestInfo): boolean {
    const { authorize, flow, levels } = this.#server;
    const decided = authorize(attributesFor(user, info));
    if (decided instanceof Promise || decided.decision !== 'allow') return false;
    // A write that has to wait for a seat is sent as a request, which waits in a queue.
    const queues = levels?.classify({ user, info }).level.queues;
    if (queues && (queues.waiting > 0 || queues.executing >= queues.concurrencyLimit)) return false;
    const entered = flow.enter({ user, info, mutating: true, onAbandoned: ignore, onWaiting: ignore });
    if (entered instanceof Promise || !entered.admitted) return false;
    entered.release();
    return true;
  }

  /** How a request creates an object of the kind; undefined if it is about something else, or its body is large. */
  creating({ as: user, userAgent, path, body }: ComponentWrite, kind: Resource): Creating | undefined {
    const context = this.context('POST', path, { user, userAgent });
    const { group, version, resource: plural, name } = context.info;
    const resource = this.#server.scheme.byResource({ group, version, resource: plural });
    return resource?.hub === kind && name === '' && body.size <= LARGEST ? { context, resource } : undefined;
  }

  /** A namespace in which objects may be created. */
  isOpen(name: string): boolean {
    const namespace = this.namespace(name);
    const { phase } = (namespace?.['status'] ?? {}) as { readonly phase?: string };
    return namespace !== undefined && phase !== 'Terminating';
  }

  /** Whether all plugins let an object pass at once. Throws if one refuses it. */
  passes(phase: Phase, context: QuietContext, admitted: Admitted): boolean {
    // Only webhooks see the options.
    const attributes = attributesOf(context, { ...admitted, dryRun: false, options: undefined });
    const { steps } = this.#server.admission.passOf(phase, admitted.operation);
    const passesAtOnce = ({ run }: Pass['steps'][number]): boolean => {
      const working = run(attributes, ONCE);
      if (working) inBackground(working, ignore);
      return working === undefined;
    };
    return steps.every(passesAtOnce) && attributes.object === admitted.object;
  }

  /** Stores the first ones, up to one that another write came before. */
  async store(puts: readonly PutOp[]): Promise<readonly Entry[]> {
    const { storage, inFlight } = this.#server;
    inFlight.add('executing', 'mutating', 1);
    const written = await putEach(storage, puts).catch(() => []);
    inFlight.add('executing', 'mutating', -1);
    return written;
  }

  /** The context of a request that stands for those of all agents. */
  contextOfAgents(method: string, path: string): QuietContext {
    const user = { name: '', groups: [], extra: {} };
    return this.context(method, path, { user, userAgent: this.#server.names.agent });
  }

  /** The context that a request of the sender would have. */
  context(method: string, path: string, { user, userAgent }: Sender): QuietContext {
    const { info, request } = this.#asked(method, path);
    return {
      ...{ server: this.#server, id: '', query: NO_QUERY, info, request, user, userAgent },
      ...{ deadline: undefined, warnings: new Set(), audit: undefined, fromOutside: false },
    };
  }

  /** The context that a request to a subresource of one object would have; undefined for another path. */
  contextOfOne(method: string, { as: user, userAgent, path }: ComponentWrite): QuietContext | undefined {
    const [, collection, name, subresource] = /^(.+)\/([^/%]+)\/([a-z]+)$/.exec(path) ?? [];
    if (!collection || !name || !subresource) return undefined;
    // What is known of one object's path holds for all names.
    const context = this.context(method, `${collection}/name/${subresource}`, { user, userAgent });
    const { info } = context;
    return { ...context, info: { ...info, path, name, parts: [info.resource, name, subresource] } };
  }

  /** What requests with this path have in common. */
  #asked(method: string, path: string): Asked {
    const key = `${method} ${path}`;
    const known = this.#known.get(key);
    if (known) return known;
    const asked = {
      info: requestInfo(method, path, NO_QUERY),
      request: requestTo(`http://cluster.local${path}`, { method }),
    };
    if (this.#known.size === PATHS) this.#known.clear();
    this.#known.set(key, asked);
    return asked;
  }

  /** Counts what as many requests like this one count. */
  count(
    context: RequestContext,
    { hub }: Resource,
    { operation, storing, code }: Counted,
    times: number,
    since: number,
  ): void {
    const { filters, admission, requests, clock, metrics } = this.#server;
    const seconds = (clock.now() - since) / 1000;
    const stored = { operation: storing ?? operation.toLowerCase(), type: hub.gvk.kind };
    metrics.at(storageDuration, stored).observe(seconds, times);
    for (const filter of ['authentication', 'audit', 'impersonation', 'flow', 'authorization'] as const)
      filters.passed(filter, clock.now(), times);
    for (const phase of ['mutating', 'validating'] as const) {
      const { steps, timer } = admission.passOf(phase, operation);
      for (const step of steps) step.timer.passed(clock.now(), times);
      timer.passed(clock.now(), times);
    }
    const response = new WholeResponse(null, { status: code, headers: { 'content-type': 'application/json' } });
    requests.count(context, response, seconds, times);
  }
}

/** No plugin is asked twice, which only webhooks want. */
const ONCE = { reinvocation: false, reinvoke: (): void => undefined };

const ignore = (): void => undefined;
