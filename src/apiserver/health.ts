/** `/healthz`, `/livez`, `/readyz`: `ok`, single checks, `?verbose` and `?exclude=`. */
import type { Answer } from './codec/answer.ts';
import { textResponse } from './codec/textResponse.ts';
import type { Core, RequestContext } from './context.ts';
import type { Levels } from './flow/levels.ts';

export interface HealthServer extends Core {
  /** The levels of priority and fairness; undefined if only the simple limits are used. */
  readonly levels: Levels | undefined;
}

const FAIRNESS_HOOKS = ['priority-and-fairness-config-consumer', 'priority-and-fairness-filter'] as const;

const LATER_HOOKS = [
  'start-apiextensions-informers',
  'start-apiextensions-controllers',
  'crd-informer-synced',
  'bootstrap-controller',
  'rbac/bootstrap-roles',
  'scheduling/bootstrap-system-priority-classes',
  'priority-and-fairness-config-producer',
  'start-cluster-authentication-info-controller',
  'aggregator-reload-proxy-client-cert',
  'start-{prefix}-aggregator-informers',
  'apiservice-registration-controller',
  'apiservice-status-available-controller',
  '{prefix}-apiserver-autoregistration',
] as const;

const ROOTS = ['/healthz', '/livez', '/readyz'] as const;
type Root = (typeof ROOTS)[number];

/** The names of a path's checks, in execution order. */
function checksOf(root: Root, { names, levels }: HealthServer): string[] {
  const started = [
    'start-{prefix}-apiserver-admission-initializer',
    'generic-apiserver-start-informers',
    ...(levels ? FAIRNESS_HOOKS : ['max-in-flight-filter']),
    ...LATER_HOOKS,
  ].map((hook) => `poststarthook/${names.fill(hook)}`);
  return [
    ...['ping', 'log', 'etcd'],
    ...(root === '/readyz' ? ['informer-sync'] : []),
    ...started,
    ...['autoregister-completion', 'poststarthook/apiservice-openapi-controller'],
    ...(root === '/readyz' ? ['shutdown'] : []),
  ];
}

/** All health paths. */
export function healthPaths(server: HealthServer): string[] {
  return ROOTS.flatMap((root) => [root, ...checksOf(root, server).map((check) => `${root}/${check}`)]);
}

/** Answers a health path; undefined for other paths. */
export function health({ query, info, server }: RequestContext<HealthServer>): Answer | undefined {
  const root = ROOTS.find((one) => info.path === one || info.path.startsWith(`${one}/`));
  if (!root) return undefined;
  const checks = checksOf(root, server);
  if (info.path !== root) return checks.includes(info.path.slice(root.length + 1)) ? text('ok') : undefined;
  return text(query.has('verbose') ? verbose(root, checks, query.getAll('exclude')) : 'ok');
}

function verbose(root: Root, checks: readonly string[], exclude: readonly string[]): string {
  const excluded = new Set(exclude);
  const lines = checks.map((name) => (excluded.has(name) ? `[+]${name} excluded: ok` : `[+]${name} ok`));
  const unknown = [...excluded].filter((name) => !checks.includes(name)).sort();
  if (unknown.length > 0) {
    const named = unknown.map((name) => JSON.stringify(name)).join(',');
    lines.push(`warn: some health checks cannot be excluded: no matches for ${named}`);
  }
  return [...lines, `${root.slice(1)} check passed`, ''].join('\n');
}

function text(body: string): Answer {
  const response = textResponse(body, 200, 'text/plain; charset=utf-8');
  response.headers.set('x-content-type-options', 'nosniff');
  return { type: 'response', response };
}
