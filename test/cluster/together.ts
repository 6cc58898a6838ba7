/** For tests that nobody can tell what is written together from requests: what somebody does in between, and what is left. */
import { expect } from 'vitest';
import type { Cluster, ClusterOptions } from '../../src/cluster/index.ts';
import type { TogetherEvent } from '../../src/trace/index.ts';

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

/** Forbids containers that ask for less than one processor. */
export const forbidSmall: Action = (cluster) =>
  send(cluster, 'POST', '/api/v1/namespaces/work/limitranges', {
    ...{ metadata: { name: 'm' }, spec: { limits: [{ type: 'Container', min: { cpu: '1' } }] } },
  });

/** Gives a role these rights instead of its own. */
export const role = (name: string, rules: readonly unknown[]): Action => {
  return (cluster) => send(cluster, 'PATCH', `/apis/rbac.authorization.k8s.io/v1/clusterroles/${name}`, { rules });
};

/** Lets nodes do what they have to, which the authorizer for nodes would otherwise. */
export const allowNodes: Action = (cluster) =>
  send(cluster, 'POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata: { name: 'nodes' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:node' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'system:nodes' }],
  });

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

/** What is left of an object without what hangs on the order of writes. */
export function plain(object: unknown): string {
  return JSON.stringify(object, (key, value: unknown) =>
    key === 'uid' || key === 'resourceVersion' ? undefined : value,
  );
}

/** The same without the random ends of names. */
export function shown(object: unknown): string {
  return plain(object)
    .replace(/\b(o\d+-)[a-z0-9]{5}\b(\.[0-9a-f]+)?/g, '$1?')
    .replace(/(default-token|api-access)-[a-z0-9]{5}/g, '$1-?');
}

/** The same without ids in texts and keys, and without what hangs on a pod's node, which the scheduler chooses by chance. */
export const anywhere = (object: unknown): string =>
  shown(object)
    .replace(/\bnode-\d\b/g, 'node-?')
    .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '?')
    .replace(/\bsimulation:\/\/[0-9a-f]+/g, 'simulation://?')
    .replace(/\b(\d+\.){3}\d+\b/g, '?');

/** Pods of one template that somebody wants. */
export interface Wanted {
  readonly kind: 'replicasets' | 'jobs';
  readonly count: number;
  readonly spec?: object;
  readonly metadata?: object;
}

/** Wants so many pods of one template. */
export function want(cluster: Cluster, round: number, { kind, count, spec, metadata }: Wanted): Promise<string> {
  const isJob = kind === 'jobs';
  const labels = { app: `o${round}` };
  const containers = [{ name: 'c', image: 'nginx:1.19' }];
  const template = {
    metadata: { labels, ...metadata },
    spec: { containers, ...(isJob && { restartPolicy: 'Never' }), ...spec },
  };
  const counts = isJob ? { parallelism: count, completions: count } : { replicas: count };
  return send(cluster, 'POST', `/apis/${isJob ? 'batch' : 'apps'}/v1/namespaces/work/${kind}`, {
    ...{ metadata: { name: `o${round}` } },
    spec: { ...counts, template, ...(!isJob && { selector: { matchLabels: labels } }) },
  });
}

/** How many of each sort were written together. */
export type Counts = Readonly<Partial<Record<TogetherEvent['what'], number>>>;

/** Counts what is written together from now on. Nothing is if requests are traced. */
export function follow({ trace }: Cluster, isTraced: boolean): Counts {
  const counts: Partial<Record<TogetherEvent['what'], number>> = {};
  if (isTraced) trace.listen(() => undefined, ['request']);
  trace.listen(
    (event) => {
      if (event.topic === 'together') counts[event.what] = (counts[event.what] ?? 0) + event.count;
    },
    ['together'],
  );
  return counts;
}

/** Plays something without and with a trace of requests, and compares what is left. Returns what was without. */
export async function compareBoth<T extends { readonly together: Counts }>(
  play: (isTraced: boolean) => Promise<T>,
): Promise<T> {
  const left = await play(false);
  const traced = await play(true);
  expect(traced.together).toEqual({});
  expect({ ...left, together: {} }).toEqual(traced);
  return left;
}
