/** `/healthz`, `/livez`, `/readyz`: `ok`, each check for itself, `?verbose` and `?exclude=`. */
import { textResponse, type Answer } from './codec/respond.ts';
import type { RequestContext } from './context.ts';
import { status } from '../schema/index.ts';

const HOOKS = [
  'start-{prefix}-apiserver-admission-initializer',
  'generic-apiserver-start-informers',
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

/** The names of a path's checks in the order in which they run. */
function checksOf(path: string, fill: (template: string) => string): string[] {
  const hooks = HOOKS.map((hook) => `poststarthook/${fill(hook)}`);
  const checks = ['ping', 'log', 'etcd', ...hooks, 'autoregister-completion', 'apiservice-openapi-controller'];
  if (path === '/readyz') checks.splice(3, 0, 'informer-sync');
  return path === '/readyz' ? [...checks, 'shutdown'] : checks;
}

export function health(context: RequestContext): Answer {
  const { query, info, server } = context;
  const root = `/${info.path.split('/')[1] ?? ''}`;
  const checks = checksOf(root, server.names.fill);
  const rest = info.path.slice(root.length).replace(/^\/|\/$/g, '');
  if (rest !== '') {
    if (!checks.includes(rest)) throw status.unknownPath();
    return text('ok');
  }
  const excluded = new Set(query.getAll('exclude'));
  if (!query.has('verbose')) return text('ok');
  const lines = checks.map((name) => (excluded.has(name) ? `[+]${name} excluded: ok` : `[+]${name} ok`));
  const unknown = [...excluded].filter((name) => !checks.includes(name));
  const warning =
    unknown.length > 0
      ? [
          `warn: some health checks cannot be excluded: no matches for ${unknown.map((n) => JSON.stringify(n)).join(', ')}`,
        ]
      : [];
  return text([...lines, ...warning, `${root.slice(1)} check passed`, ''].join('\n'));
}

const text = (body: string): Answer => ({
  type: 'response',
  response: textResponse(body, 200, 'text/plain; charset=utf-8'),
});
