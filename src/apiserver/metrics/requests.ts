/** Request metrics: counts, durations, sizes, and refused requests. */
import {
  counter,
  exponentialBuckets,
  gauge,
  histogram,
  WholeResponse,
  type Metrics,
  type Series,
} from '../../std/index.ts';
import type { RequestContext } from '../context.ts';
import type { RequestInfo } from '../stages/requestInfo.ts';

const WHAT = ['group', 'version', 'resource', 'subresource', 'scope', 'component'] as const;
/** Upper bounds in seconds; dense where latency objectives usually are. */
const DURATIONS = [
  ...[0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2, 2.5, 3, 3.5],
  ...[4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60],
];

const requestTotal = counter('apiserver_request_total', 'Requests, by what was asked and how it was answered.', [
  'verb',
  'dry_run',
  ...WHAT,
  'contentType',
  'code',
]);
const requestDuration = histogram(
  'apiserver_request_duration_seconds',
  'How long requests took until they were answered; a watch counts until its stream begins.',
  DURATIONS,
  ['verb', 'dry_run', ...WHAT],
);
const responseSizes = histogram(
  'apiserver_response_sizes',
  'How large answers to reads were, in characters.',
  exponentialBuckets(1000, 10, 7),
  ['verb', ...WHAT],
);
export const longRunning = gauge('apiserver_longrunning_gauge', 'Long-running requests that are under way.', [
  'verb',
  ...WHAT,
]);
const terminations = counter(
  'apiserver_request_terminations_total',
  'Requests that were ended early so that the server keeps up.',
  ['verb', ...WHAT, 'code'],
);
export const droppedRequests = counter(
  'apiserver_dropped_requests_total',
  'Requests that were told to try again later.',
  ['request_kind'],
);
const selfRequests = counter('apiserver_selfrequest_total', 'Requests that the server sent to itself.', [
  'verb',
  'resource',
  'subresource',
]);
const deprecatedApis = gauge(
  'apiserver_requested_deprecated_apis',
  'Deprecated APIs that were requested, and the release that removes them.',
  ['group', 'version', 'resource', 'subresource', 'removed_release'],
);

export const requestFamilies = [
  requestTotal,
  requestDuration,
  responseSizes,
  longRunning,
  terminations,
  droppedRequests,
  selfRequests,
  deprecatedApis,
];

type What = Readonly<Record<(typeof WHAT)[number] | 'verb', string>>;

/** Metric labels; non-resource paths are in `subresource`. */
export function labelsOf(request: Request, info: RequestInfo): What {
  return {
    verb: verbOf(request, info),
    group: info.group,
    version: info.version,
    resource: info.resource,
    subresource: info.isResource ? info.subresource : info.path,
    scope: scopeOf(info),
    component: 'apiserver',
  };
}

/** The scope: one object, a namespace, the whole cluster; empty for non-resource paths. */
function scopeOf(info: RequestInfo): string {
  if (!info.isResource) return '';
  if (info.name !== '' || info.verb === 'create') return 'resource';
  return info.namespace === '' ? 'cluster' : 'namespace';
}

const METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'CONNECT']);

function verbOf({ method, headers }: Request, { isResource, verb }: RequestInfo): string {
  if (isResource && (verb === 'list' || verb === 'watch')) return verb.toUpperCase();
  if (method === 'HEAD') return 'GET';
  if (method === 'PATCH' && headers.get('content-type') === 'application/apply-patch+yaml') return 'APPLY';
  return METHODS.has(method) ? method : 'other';
}

/** The cached series of similar requests: counting a request does not build its labels again. */
interface Sort {
  readonly what: What;
  readonly duration: Series;
  readonly sizes: Series | undefined;
  readonly answers: Map<string, Series>;
}

export class RequestMetrics {
  readonly #metrics: Metrics;
  readonly #sorts = new Map<string, Sort>();

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  /** Counts an answered request, or several that are alike. Only served paths are counted, so that clients can't create labels. */
  count(context: RequestContext, response: Response, seconds: number, times = 1): void {
    const { info, request } = context;
    if (!isServed(context)) return;
    const dryRun = dryRunOf(context.query);
    const sort = this.#sort(request, info, dryRun);
    const type = contentTypeOf(response.headers.get('content-type') ?? '');
    const answer = `${response.status} ${type}`;
    const known = sort.answers.get(answer) ?? this.#answer(sort, answer, dryRun, type, response.status);
    known.add(times);
    sort.duration.observe(seconds, times);
    const { sizes } = sort;
    if (sizes && response instanceof WholeResponse) response.measure((length) => sizes.observe(length));
    if (context.user.name === 'system:apiserver') this.#metrics.add(selfRequests, sort.what);
  }

  /** Counts a request that was refused or timed out. */
  terminated(context: RequestContext, code: number): void {
    const { info, request } = context;
    if (isServed(context)) this.#metrics.add(terminations, { ...labelsOf(request, info), code: String(code) });
  }

  #sort(request: Request, info: RequestInfo, dryRun: string): Sort {
    const key = `${request.method} ${info.verb} ${info.group} ${info.version} ${info.resource} ${info.isResource ? info.subresource : info.path} ${scopeOf(info)} ${dryRun} ${info.verb === 'patch' ? verbOf(request, info) : ''}`;
    const known = this.#sorts.get(key);
    if (known) return known;
    const what = labelsOf(request, info);
    const sort: Sort = {
      what,
      duration: this.#metrics.at(requestDuration, { ...what, dry_run: dryRun }),
      sizes: what.verb === 'GET' || what.verb === 'LIST' ? this.#metrics.at(responseSizes, what) : undefined,
      answers: new Map(),
    };
    this.#sorts.set(key, sort);
    return sort;
  }

  #answer(sort: Sort, key: string, dryRun: string, contentType: string, code: number): Series {
    const made = this.#metrics.at(requestTotal, { ...sort.what, dry_run: dryRun, contentType, code: String(code) });
    sort.answers.set(key, made);
    return made;
  }
}

/** Resources and health paths, of which there are few. */
function isServed({ info, server }: RequestContext): boolean {
  if (!info.isResource) return /^\/(healthz|livez|readyz)$/.test(info.path);
  const { group, version, resource } = info;
  const served = server.scheme.byResource({ group, version, resource });
  if (!served) return false;
  const { subresource } = info;
  return ['', 'status', 'scale'].includes(subresource) || served.subresources.some(({ name }) => name === subresource);
}

function dryRunOf(query: URLSearchParams): string {
  const asked = query.getAll('dryRun');
  if (asked.length === 0) return '';
  return asked.every((value) => value === 'All') ? 'All' : 'invalid';
}

const KNOWN_TYPES = /^(application\/(json|yaml|vnd\.\w+\.protobuf(;stream=watch)?)|text\/plain(;charset=utf-8)?)$/;

function contentTypeOf(type: string): string {
  const plain = type.toLowerCase().replace(/ /g, '');
  return KNOWN_TYPES.test(plain) ? plain : 'other';
}

/** Marks a deprecated version as used (specification, Versioning 5). */
export function markDeprecated(metrics: Metrics, context: RequestContext, removedRelease: string): void {
  const { group, version, resource, subresource } = context.info;
  metrics.set(deprecatedApis, { group, version, resource, subresource, removed_release: removedRelease }, 1);
}
