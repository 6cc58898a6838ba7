/**
 * Pods that are made from one template share their specification. Nobody can tell: the same requests to two clusters
 * with one seed, of which one shares nothing, have the same answers, stored texts, traces and events.
 */
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { SharedSpecs } from '../../src/apiserver/registry/sharedSpecs.ts';
import { createCluster, type Cluster, type TraceEvent } from '../../src/cluster/index.ts';

afterEach(() => vi.restoreAllMocks());

const PODS = '/api/v1/namespaces/default/pods';
const MERGE = 'application/merge-patch+json';

const oneOf = fc.constantFrom;
const quantity = oneOf('100m', '1', '0.5', '64Mi');
const resources = fc.record(
  {
    requests: fc.dictionary(oneOf('cpu', 'memory'), quantity),
    limits: fc.dictionary(oneOf('cpu', 'memory'), quantity),
  },
  { requiredKeys: [] },
);
const container = fc.record(
  {
    name: oneOf('a', 'b'),
    image: oneOf('nginx:1.19', 'busybox'),
    args: fc.array(oneOf('x', 'y'), { maxLength: 2 }),
    ports: fc.array(fc.record({ containerPort: oneOf(80, 81) }), { maxLength: 2 }),
    env: fc.array(fc.record({ name: oneOf('A', 'B'), value: oneOf('', 'v') }, { requiredKeys: ['name'] }), {
      maxLength: 2,
    }),
    resources,
    livenessProbe: fc.record({ httpGet: fc.record({ port: oneOf(80, 'http') }), periodSeconds: oneOf(0, 5) }),
    volumeMounts: fc.array(fc.constant({ name: 'data', mountPath: '/data' }), { maxLength: 1 }),
  },
  { requiredKeys: ['name', 'image'] },
);
const volume = fc.oneof(
  fc.constant({ name: 'data' }),
  fc.constant({ name: 'data', secret: { secretName: 's' } }),
  fc.constant({
    name: 'data',
    ephemeral: {
      volumeClaimTemplate: {
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
    },
  }),
);
const valid = fc.record(
  {
    containers: fc.array(container, { minLength: 1, maxLength: 2 }),
    volumes: fc.array(volume, { minLength: 1, maxLength: 1 }),
    nodeSelector: fc.dictionary(oneOf('zone', 'disk'), oneOf('a', 'b')),
    restartPolicy: oneOf('Always', 'Never'),
    tolerations: fc.array(fc.record({ key: oneOf('k', 'l'), operator: oneOf('Exists', 'Equal') }), { maxLength: 1 }),
    hostNetwork: fc.boolean(),
    nodeName: oneOf('node-1', ''),
    priorityClassName: oneOf('system-node-critical', 'none'),
    serviceAccountName: oneOf('default', 'default', 'nobody'),
    automountServiceAccountToken: fc.boolean(),
    securityContext: fc.record({ runAsUser: oneOf(0, 1000) }),
    terminationGracePeriodSeconds: oneOf(0, 30),
  },
  { requiredKeys: ['containers', 'volumes'] },
);
const mistake = oneOf(
  ...[{ restartPolicy: 'never' }, { nodeSelector: { '!': 'a' } }, { tolerations: [{ operator: 'In' }] }],
  ...[{ containers: [{ name: 'B', image: '' }] }, { volumes: [{ name: 'x' }, { name: 'x' }] }, { hostname: '!' }],
);
const spec = fc.oneof(
  { weight: 3, arbitrary: valid },
  { weight: 1, arbitrary: fc.tuple(valid, mistake).map(([some, wrong]) => ({ ...some, ...wrong })) },
);
const metadata = fc.record(
  {
    labels: fc.dictionary(oneOf('app', 'tier'), oneOf('x', 'y')),
    annotations: oneOf(
      {},
      { 'seccomp.security.alpha.kubernetes.io/pod': 'runtime/default' },
      { 'container.seccomp.security.alpha.kubernetes.io/a': 'unconfined' },
      { 'container.apparmor.security.beta.kubernetes.io/a': 'wrong' },
    ),
    name: oneOf('', '', 'x'.repeat(245)),
  },
  { requiredKeys: [] },
);

/** What happens to the pod before, or to a new one. */
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ create: fc.nat(2), metadata, dryRun: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ apply: fc.nat(2) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      patch: oneOf({ spec: { containers: [{ name: 'a', image: 'other' }] } }, { metadata: { labels: { a: 'b' } } }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ patch: fc.record({ status: fc.record({ phase: oneOf('Running', 'Failed') }) }) }),
  },
  { weight: 1, arbitrary: oneOf({ bind: true }, { replace: true }, { remove: true }, { limit: true }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** A specification that the first tries are likely to accept. */
const plain = { containers: [{ name: 'a', image: 'nginx:1.19', ports: [{ containerPort: 80 }] }] };

async function play(specs: readonly object[], steps: readonly Step[]): Promise<readonly string[]> {
  const cluster = await createCluster({
    ...{ name: 'specs', naming: 'k8s.io', clock: 'manual', seed: 7, storage: 'memory', nodes: 1 },
    apiserver: [
      '--token-auth-file=tokens.csv',
      '--authorization-mode=AlwaysAllow',
      '--feature-gates=GenericEphemeralVolume=true',
    ],
    files: { 'tokens.csv': 'admintoken,admin,uid-admin,"system:masters"\n' },
  });
  const seen: string[] = [];
  try {
    await cluster.clock.step(5_000);
    const traced: TraceEvent[] = [];
    cluster.trace.listen((event) => traced.push(event), ['request']);
    const from = cluster.storage.revision;
    const send = sending(cluster, seen);
    let last = 'none';
    for (const [i, one] of steps.entries()) last = await act(send, specs, one, i, last);
    await cluster.clock.step(2_000);
    seen.push(...traced.map((event) => JSON.stringify(event)));
    for (const { revision, key, entry } of cluster.storage.changesSince(from))
      seen.push(`${revision} ${key} ${entry?.value}`);
  } finally {
    await cluster.stop();
  }
  return seen;
}

type Send = (method: string, path: string, body?: unknown, type?: string) => Promise<string>;

function sending(cluster: Cluster, seen: string[]): Send {
  return async (method, path, body, type = 'application/json') => {
    const headers = { authorization: 'Bearer admintoken', 'content-type': type, 'user-agent': 'test' };
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await cluster.fetch(new Request(`http://test${path}`, init));
    const text = await response.text();
    seen.push(`${response.status} ${text}`);
    return text;
  };
}

/** Takes a step; `last` is the name of the newest pod. Returns that of the newest one afterwards. */
async function act(send: Send, specs: readonly object[], one: Step, i: number, last: string): Promise<string> {
  if ('create' in one) {
    const name = `p${i}${one.metadata.name ?? ''}`;
    const pod = { metadata: { ...one.metadata, name }, spec: specs[one.create] };
    const answer = await send('POST', `${PODS}${one.dryRun ? '?dryRun=All' : ''}`, pod);
    if (!one.dryRun && !answer.includes('"kind":"Status"')) return name;
  } else if ('apply' in one) {
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: `a${i}` }, spec: specs[one.apply] };
    await send('PATCH', `${PODS}/a${i}?fieldManager=m`, pod, 'application/apply-patch+yaml');
  } else if ('patch' in one) {
    const path = 'status' in one.patch ? `${PODS}/${last}/status` : `${PODS}/${last}`;
    await send('PATCH', path, one.patch, MERGE);
  } else if ('bind' in one) {
    await send('POST', `${PODS}/${last}/binding`, {
      metadata: { name: last },
      target: { kind: 'Node', name: 'node-1' },
    });
  } else if ('replace' in one) {
    const pod = JSON.parse(await send('GET', `${PODS}/${last}`)) as { metadata?: object };
    await send('PUT', `${PODS}/${last}`, { ...pod, metadata: { ...pod.metadata, labels: { new: 'yes' } } });
  } else if ('remove' in one) {
    await send('DELETE', `${PODS}/${last}`);
  } else {
    await send('POST', '/api/v1/namespaces/default/limitranges', {
      metadata: { name: `l${i}` },
      spec: { limits: [{ type: 'Container', default: { cpu: '200m' }, defaultRequest: { memory: '1Mi' } }] },
    });
  }
  return last;
}

async function sharesUnseen(specs: readonly object[], steps: readonly Step[]): Promise<void> {
  const together = await play(specs, steps);
  vi.spyOn(SharedSpecs.prototype, 'share').mockImplementation(() => undefined);
  const apart = await play(specs, steps);
  vi.restoreAllMocks();
  const at = together.findIndex((line, i) => line !== apart[i]);
  expect(together.slice(at, at + 1)).toEqual(apart.slice(at, at + 1));
  expect(together.length).toBe(apart.length);
}

const create = { create: 0, metadata: {}, dryRun: false };

test('pods of one template, each stored and bound', { timeout: 60_000 }, async () => {
  const stored = vi.spyOn(SharedSpecs.prototype, 'storedAs');
  await play([plain], [create, create, { bind: true }, create]);
  expect(stored.mock.results.filter(({ value }) => value !== undefined)).toHaveLength(2);
  await sharesUnseen(
    [plain],
    [create, create, { bind: true }, create, { replace: true }, { limit: true }, create, create],
  );
});

test('pods of random templates', { timeout: 300_000 }, async () => {
  const specs = fc.tuple(fc.constant(plain), spec, spec);
  await fc.assert(
    fc.asyncProperty(specs, fc.array(step, { minLength: 4, maxLength: 14 }), async (templates, steps) => {
      await sharesUnseen(templates, steps);
    }),
    { numRuns: 12, endOnFailure: true },
  );
});
