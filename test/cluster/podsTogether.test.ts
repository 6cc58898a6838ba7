/**
 * Pods of one draft are created together. Nobody can tell that from requests: the same work on two clusters with one
 * seed, of which one is traced so that each pod is a request, leaves the same pods, events and counts.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCluster, type ClusterOptions } from '../../src/cluster/index.ts';
import { JsonBody, must, type JsonRequestInit } from '../../src/std/index.ts';
import {
  compareBoth,
  countsOf,
  follow,
  forbidSmall,
  liftQuota,
  list,
  namespaceActions,
  quota,
  role,
  send,
  shown,
  want,
  watch,
  webhook,
  withAdministrator,
  type Action,
  type Counts,
  type Wanted,
} from './together.ts';

const ACCOUNT = '/api/v1/namespaces/work/serviceaccounts/default';

/** What happens before more pods are wanted. */
const ACTIONS: Readonly<Record<string, Action>> = {
  nothing: () => Promise.resolve(),
  'limit the pods': quota({ pods: '40' }),
  'lift the limit': liftQuota,
  ...namespaceActions,
  'set default limits': (cluster) =>
    send(cluster, 'POST', '/api/v1/namespaces/work/limitranges', {
      ...{ metadata: { name: 'l' }, spec: { limits: [{ type: 'Container', default: { memory: '64Mi' } }] } },
    }),
  'forbid small containers': forbidSmall,
  'set a default priority': (cluster) =>
    send(cluster, 'POST', '/apis/scheduling.k8s.io/v1/priorityclasses', {
      ...{ metadata: { name: 'p' }, value: 7, globalDefault: true },
    }),
  'pull with a secret': (cluster) => send(cluster, 'PATCH', ACCOUNT, { imagePullSecrets: [{ name: 's' }] }),
  'take the token away': (cluster) => send(cluster, 'PATCH', ACCOUNT, { secrets: null }),
  'take the rights of controllers away': role('system:controller:replicaset-controller', []),
  'call a mutating webhook': webhook('mutating', 'pods'),
  'call a validating webhook': webhook('validating', 'pods'),
};

interface Step extends Wanted {
  readonly action: string;
}

interface Left {
  readonly pods: readonly string[];
  readonly watch: readonly string[];
  readonly events: readonly string[];
  readonly counts: readonly string[];
  readonly together: Counts;
}

async function play(steps: readonly Step[], isTraced: boolean, options: Partial<ClusterOptions>): Promise<Left> {
  const cluster = await createCluster({
    ...{ name: 'pods', ...withAdministrator, nodes: 0 },
    controllerManager: ['--use-service-account-credentials=true'],
    ...options,
  });
  try {
    const together = follow(cluster, isTraced);
    await send(cluster, 'POST', '/api/v1/namespaces', { metadata: { name: 'work' } });
    await cluster.clock.step(5000);
    const watched = await watch(cluster, '/api/v1/pods');
    for (const [round, step] of steps.entries()) {
      await ACTIONS[step.action]?.(cluster);
      await want(cluster, round, step);
      await cluster.clock.step(5000);
    }
    return {
      watch: (await watched()).map(shown).sort(),
      pods: (await list(cluster, '/api/v1/pods')).map(shown).sort(),
      events: (await list(cluster, '/api/v1/events')).map(shown).sort(),
      counts: await countsOf(cluster, /verb="POST".*resource="pods"|type="Pod"|admission.*operation="CREATE"/),
      together,
    };
  } finally {
    await cluster.stop();
  }
}

/** Plays the steps both ways and compares what is left; returns how many pods were created together. */
async function compare(steps: readonly Step[], options: Partial<ClusterOptions> = {}): Promise<number> {
  return (await compareBoth((isTraced) => play(steps, isTraced, options))).together.pods ?? 0;
}

/** 1, 2, 4, 8, 16 and 32 pods at a time, and 37 that are left. */
const calm: Step = { action: 'nothing', kind: 'replicasets', count: 100 };

test.each(['replicasets', 'jobs'] as const)('many pods of %s', { timeout: 60_000 }, async (kind) => {
  expect(await compare([{ ...calm, kind }])).toBe(32 + 37);
});

test('few pods at a time', { timeout: 60_000 }, async () => {
  expect(await compare([{ ...calm, count: 62 }])).toBe(0);
});

test.each(Object.keys(ACTIONS))('pods after somebody did this: %s', { timeout: 60_000 }, async (action) => {
  const keep: Step = { ...calm, action: 'keep the namespace from going', count: 3 };
  await compare([calm, keep, { ...calm, action }]);
});

test('pods of which each has a token volume of its own name', { timeout: 60_000 }, async () => {
  const gates = '--feature-gates=BoundServiceAccountTokenVolume=true,RootCAConfigMap=true';
  const options = {
    apiserver: [...withAdministrator.apiserver, gates],
    controllerManager: ['--use-service-account-credentials=true', gates],
  };
  expect(await compare([calm], options)).toBe(0);
});

test.each([
  ['that are large', { metadata: { annotations: { text: 'x'.repeat(20_000) } } }],
  ['whose account is missing', { spec: { serviceAccountName: 'nobody' } }],
])('pods %s', { timeout: 60_000 }, async (_, odd) => {
  expect(await compare([{ ...calm, ...odd }])).toBe(0);
});

/** The codes of the answers to 40 requests at once that create pods of one draft. */
async function codesOf(user: string, action: string, isTraced: boolean): Promise<readonly number[]> {
  const cluster = await createCluster({
    ...{ name: 'at once', ...withAdministrator, nodes: 0 },
    controllerManager: ['--use-service-account-credentials=true'],
  });
  try {
    if (isTraced) cluster.trace.listen(() => undefined, ['request']);
    await send(cluster, 'POST', '/api/v1/namespaces', { metadata: { name: 'work' } });
    await cluster.clock.step(5000);
    await ACTIONS[action]?.(cluster);
    await cluster.clock.step(1000);
    const resources = { requests: { cpu: '100m' } };
    const spec = { containers: [{ name: 'c', image: 'nginx:1.19', resources }] };
    const json = must(JsonBody.of({ metadata: { generateName: 'o0-' }, spec }), 'it can be a value');
    const headers = { 'content-type': 'application/json' };
    const init: JsonRequestInit = { method: 'POST', headers, json, gathered: 'pods' };
    const transport = cluster.transportAs(user);
    const answers = Array.from({ length: 40 }, () => transport('/api/v1/namespaces/work/pods', init));
    await cluster.clock.step(1000);
    return (await Promise.all(answers)).map(({ status }) => status);
  } finally {
    await cluster.stop();
  }
}

test.each([
  ['nothing', 'system:serviceaccount:kube-system:replicaset-controller', 201],
  ['nothing', 'system:nobody', 403],
  ['limit the pods', 'system:serviceaccount:kube-system:replicaset-controller', 201],
  ['forbid small containers', 'system:serviceaccount:kube-system:replicaset-controller', 403],
  ['delete the namespace', 'system:serviceaccount:kube-system:replicaset-controller', 403],
])('40 requests at once after somebody did this: %s, by %s', { timeout: 60_000 }, async (action, user, code) => {
  const codes = await codesOf(user, action, false);
  expect(new Set(codes)).toEqual(new Set([code]));
  expect(codes).toEqual(await codesOf(user, action, true));
});

test('pods wanted while quotas, limits, webhooks and rights change', { timeout: 300_000 }, async () => {
  const spec = fc.constantFrom(
    {},
    { priorityClassName: 'system-node-critical' },
    { automountServiceAccountToken: false },
    { hostNetwork: true, tolerations: [{ operator: 'Exists' }] },
  );
  const step = fc.record({
    action: fc.constantFrom(...Object.keys(ACTIONS)),
    kind: fc.constantFrom('replicasets' as const, 'jobs' as const),
    count: fc.integer({ min: 0, max: 140 }),
    spec: spec as fc.Arbitrary<object>,
    metadata: fc.constantFrom<object>({}, { annotations: { a: 'b' } }, { finalizers: ['a.b/c'] }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 3 }), async (steps) => {
      await compare(steps);
    }),
    { numRuns: 8 },
  );
});
