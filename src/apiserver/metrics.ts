/** `/metrics`: what the server counts, as Prometheus text under the reference's names. */
import { textResponse, type Answer } from './codec/respond.ts';
import type { RequestContext, Server } from './context.ts';

type Labels = Readonly<Record<string, string>>;

interface Family {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly values: Map<string, number>;
}

/** Upper bounds, in seconds, of the buckets of request durations. */
const BUCKETS = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.8, 1, 1.5, 2, 3, 5, 10, 30, 60] as const;

/** The counters of one server. */
export class Metrics {
  readonly #families = new Map<string, Family>();

  add(name: string, type: 'counter' | 'gauge', help: string, labels: Labels, by = 1): void {
    const values = this.#family(name, type, help).values;
    const key = labelText(labels);
    values.set(key, (values.get(key) ?? 0) + by);
  }

  set(name: string, help: string, labels: Labels, value: number): void {
    this.#family(name, 'gauge', help).values.set(labelText(labels), value);
  }

  /** Counts one observation of a duration, in seconds. */
  observe(name: string, help: string, labels: Labels, seconds: number): void {
    const { values } = this.#family(name, 'histogram', help);
    const add = (suffix: string, more: Labels, by: number): void => {
      const key = `${suffix}${labelText({ ...labels, ...more })}`;
      values.set(key, (values.get(key) ?? 0) + by);
    };
    for (const bound of BUCKETS) add('_bucket', { le: String(bound) }, seconds <= bound ? 1 : 0);
    add('_bucket', { le: '+Inf' }, 1);
    add('_sum', {}, seconds);
    add('_count', {}, 1);
  }

  text(): string {
    const lines = [...this.#families]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([name, { type, help, values }]) => [
        `# HELP ${name} ${help}`,
        `# TYPE ${name} ${type}`,
        ...[...values].map(([key, value]) => `${name}${key} ${value}`),
      ]);
    return `${lines.join('\n')}\n`;
  }

  #family(name: string, type: Family['type'], help: string): Family {
    const known = this.#families.get(name);
    if (known) return known;
    const made: Family = { type, help, values: new Map() };
    this.#families.set(name, made);
    return made;
  }
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${value.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n')}"`,
  );
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

/** Counts a request that was answered. */
export function countRequest(metrics: Metrics, context: RequestContext, code: number, seconds: number): void {
  const { info, request } = context;
  const scope = info.namespace !== '' ? 'namespace' : info.name !== '' ? 'resource' : 'cluster';
  const labels = {
    verb: (info.isResource ? info.verb : request.method).toUpperCase(),
    group: info.group,
    version: info.version,
    resource: info.resource,
    subresource: info.subresource,
    scope,
    component: 'apiserver',
  };
  metrics.add('apiserver_request_total', 'counter', 'Requests by verb, resource and answer.', {
    ...labels,
    code: String(code),
  });
  if (info.verb !== 'watch')
    metrics.observe('apiserver_request_duration_seconds', 'How long requests took, watches left out.', labels, seconds);
}

/** Marks a deprecated version as used (specification, Versioning 5). */
export function markDeprecated(metrics: Metrics, context: RequestContext, removedRelease: string): void {
  const { group, version, resource, subresource } = context.info;
  metrics.set(
    'apiserver_requested_deprecated_apis',
    'Deprecated APIs that were requested, and the release that removes them.',
    { group, version, resource, subresource, removed_release: removedRelease },
    1,
  );
}

/** Answers GET /metrics. */
export function metricsPath({ server }: RequestContext): Answer {
  gaugeStorage(server);
  return {
    type: 'response',
    response: textResponse(server.metrics.text(), 200, 'text/plain; version=0.0.4; charset=utf-8'),
  };
}

function gaugeStorage({ metrics, scheme, storage }: Server): void {
  for (const resource of scheme.all()) {
    if (resource !== resource.hub || !resource.verbs.includes('list')) continue;
    const { group, resource: plural } = resource.gvr;
    const count = storage.count(resource.prefix, `${resource.prefix.slice(0, -1)}0`);
    metrics.set(
      'etcd_object_counts',
      'Stored objects by resource.',
      { resource: group === '' ? plural : `${plural}.${group}` },
      count,
    );
  }
}
