/** For tests that nobody can tell what is written together from requests: what somebody does in between, and what is left. */
import type { Cluster, ClusterOptions } from '../../src/cluster/index.ts';

const ADMINISTRATOR = { authorization: 'Bearer admintoken', 'user-agent': 'test' };

/** The options of a cluster that knows the administrator. */
export const withAdministrator: Omit<ClusterOptions, 'name' | 'apiserver'> & { readonly apiserver: readonly string[] } =
  {
    ...{ naming: 'k8s.io', clock: 'manual', seed: 7, storage: 'memory' },
    files: { 'tokens.csv': 'admintoken,admin,uid-admin,"system:masters"\n' },
    apiserver: ['--authorization-mode=RBAC', '--token-auth-file=tokens.csv'],
  };

export async function send(cluster: Cluster, method: string, path: string, body?: unknown): Promise<string> {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const request = new Request(`http://test${path}`, {
    ...{ method, headers: { ...ADMINISTRATOR, 'content-type': type } },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await cluster.fetch(request)).text();
}

export type Action = (cluster: Cluster) => Promise<unknown>;

/** Limits what the namespace `work` may have. */
export const quota = (hard: Readonly<Record<string, string>>): Action => {
  return (cluster) =>
    send(cluster, 'POST', '/api/v1/namespaces/work/resourcequotas', { metadata: { name: 'q' }, spec: { hard } });
};

export const liftQuota: Action = (cluster) => send(cluster, 'DELETE', '/api/v1/namespaces/work/resourcequotas/q');

export const role = (name: string, rules: readonly unknown[]): Action => {
  return (cluster) => send(cluster, 'PATCH', `/apis/rbac.authorization.k8s.io/v1/clusterroles/${name}`, { rules });
};

/** Has a webhook that nobody answers asked about all writes of a resource. */
export const webhook = (kind: 'mutating' | 'validating', resource: string): Action => {
  const rules = [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: [resource] }];
  const clientConfig = { url: 'https://nobody.invalid/' };
  const hook = { name: 'a.b.c', rules, clientConfig, sideEffects: 'None', admissionReviewVersions: ['v1'] };
  return (cluster) =>
    send(cluster, 'POST', `/apis/admissionregistration.k8s.io/v1/${kind}webhookconfigurations`, {
      ...{ metadata: { name: 'w' }, webhooks: [{ ...hook, failurePolicy: 'Fail', timeoutSeconds: 1 }] },
    });
};

export const namespaceActions = {
  'delete the namespace': (cluster) => send(cluster, 'DELETE', '/api/v1/namespaces/work'),
  'keep the namespace from going': (cluster) =>
    send(cluster, 'PATCH', '/api/v1/namespaces/work', { metadata: { finalizers: ['a.b/c'] } }),
} as const satisfies Readonly<Record<string, Action>>;

/** Watches a collection; the function that it returns ends that, and returns the events. */
export async function watch(cluster: Cluster, path: string): Promise<() => Promise<readonly unknown[]>> {
  const stop = new AbortController();
  const watching = new Request(`http://test${path}?watch=1`, { headers: ADMINISTRATOR, signal: stop.signal });
  const watched = (await cluster.fetch(watching)).text();
  return async () => {
    stop.abort();
    return (await watched)
      .split('\n')
      .filter(Boolean)
      .map((line): unknown => JSON.parse(line));
  };
}

export async function list(cluster: Cluster, path: string): Promise<readonly unknown[]> {
  return (JSON.parse(await send(cluster, 'GET', path)) as { readonly items: readonly unknown[] }).items;
}

/** The counts among the metrics of the server that match, sorted. */
export async function countsOf(cluster: Cluster, pattern: RegExp): Promise<readonly string[]> {
  const metrics = await send(cluster, 'GET', '/metrics');
  return metrics
    .split('\n')
    .filter((line) => pattern.test(line) && /(_total|_count)\{/.test(line))
    .sort();
}
