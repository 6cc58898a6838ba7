/** A cluster with small limits and users who ask much of it; requests are held while they run, until the test lets them go. */
import { createCluster, type Cluster } from '../../src/cluster/index.ts';
import { settle } from '../../src/std/index.ts';

export const GROUP = '/apis/flowcontrol.apiserver.k8s.io/v1beta1';
export const USERS = ['alice', 'bob', 'carol'] as const;
const TOKENS = [...USERS.map((name) => `${name},${name},${name}`), 'root,root,root,"system:masters"'].join('\n');

/** `flags` come on top of the limits of twenty requests at once. */
export function smallCluster(...flags: string[]): Promise<Cluster> {
  return createCluster({
    name: 'flow',
    naming: 'k8s.io',
    clock: 'manual',
    seed: 'flow',
    files: { 'tokens.csv': TOKENS },
    apiserver: [
      '--token-auth-file=tokens.csv',
      '--max-requests-inflight=10',
      '--max-mutating-requests-inflight=10',
      ...flags,
    ],
  });
}

/** A request of a user, and its answer once there is one. */
export class Call {
  response: Response | undefined;
  readonly answered: Promise<Response>;

  constructor(cluster: Cluster, user: string, path = '/api/v1/namespaces/default/configmaps', init: RequestInit = {}) {
    const headers = { authorization: `Bearer ${user}`, 'content-type': 'application/json' };
    this.answered = cluster.fetch(new Request(`http://cluster.local${path}`, { headers, ...init }));
    void this.answered.then((response) => (this.response = response));
  }

  get status(): number | undefined {
    return this.response?.status;
  }
}

export function calls(cluster: Cluster, count: number, user: string, path?: string, init?: RequestInit): Call[] {
  return Array.from({ length: count }, () => new Call(cluster, user, path, init));
}

/** Waits until `holds`, in turns of the host's own loop: signatures and bodies take some. */
export async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 20_000; turn++) {
    if (holds()) return;
    await settle(1);
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  throw new Error('it did not come to that');
}

/** People's requests for config maps stop where they would be allowed, which is after they were given a seat. */
export function holdAll(cluster: Cluster): void {
  const users = [...USERS, 'root'];
  cluster.breakpoints.set(users.map((user) => ({ id: user, user, before: 'authorization', resource: 'configmaps' })));
}

/** Asks as the administrator, whom no limit holds. */
export async function asRoot(cluster: Cluster, method: string, path: string, body?: object): Promise<unknown> {
  const response = await cluster.fetch(
    new Request(`http://cluster.local${path}`, {
      method,
      headers: { authorization: 'Bearer root', 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    }),
  );
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  const type = response.headers.get('content-type') ?? '';
  return type.startsWith('application/json') ? response.json() : response.text();
}

type Limit = { readonly queues: number; readonly handSize: number; readonly queueLengthLimit: number };

/** A priority level of so many shares; it refuses where no queues are given. */
export function level(name: string, shares: number, queuing?: Limit): object {
  const limitResponse = queuing ? { type: 'Queue', queuing } : { type: 'Reject' };
  return {
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1beta1',
    kind: 'PriorityLevelConfiguration',
    metadata: { name },
    spec: { type: 'Limited', limited: { assuredConcurrencyShares: shares, limitResponse } },
  };
}

/** A flow schema for all that some users ask. */
export function schema(name: string, priorityLevel: string, precedence: number, ...users: string[]): object {
  return {
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1beta1',
    kind: 'FlowSchema',
    metadata: { name },
    spec: {
      priorityLevelConfiguration: { name: priorityLevel },
      matchingPrecedence: precedence,
      distinguisherMethod: { type: 'ByUser' },
      rules: [
        {
          subjects: users.map((user) => ({ kind: 'User', user: { name: user } })),
          resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'], clusterScope: true }],
        },
      ],
    },
  };
}

/** What `/metrics` says of one series; 0 where it says nothing. */
export async function metric(cluster: Cluster, series: string): Promise<number> {
  const text = (await asRoot(cluster, 'GET', '/metrics')) as string;
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1) ?? 0);
}
