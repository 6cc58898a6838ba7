/**
 * Pods that wait are bound together, and so are their statuses written. Nobody can tell that from requests: the same work
 * on two clusters with one seed, of which one is traced so that each of them is a request, leaves the same pods and counts.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCluster, type Cluster } from '../../src/cluster/index.ts';
import { JsonBody, must, type JsonRequestInit } from '../../src/std/index.ts';
import {
  allowNodes,
  anywhere,
  compareBoth,
  countsOf,
  follow,
  forbidSmall,
  list,
  namespaceActions,
  plain,
  quota,
  role,
  send,
  want,
  watch,
  webhook,
  withAdministrator,
  type Action,
  type Counts,
  type Wanted,
} from './together.ts';

const SORTS = ['bindings', 'statuses'] as const;
type Sort = (typeof SORTS)[number];

const PODS = '/api/v1/namespaces/work/pods';
const COUNT = 40;

interface Pod {
  readonly metadata: { readonly name: string; readonly uid: string };
}

/** A request about a pod; `body` changes what is good to send. */
interface Write {
  readonly pod: string;
  readonly body?: ((body: object, pod: Pod) => object) | undefined;
  readonly user?: string;
}

/** Forty good requests, and what is odd about them. */
interface Trial {
  readonly before?: Action | undefined;
  readonly user?: string;
  /** Requests among the others. */
  readonly odd?: readonly Write[] | undefined;
  /** What happens while they wait. */
  readonly meanwhile?: Action;
  readonly flags?: readonly string[];
}

interface Left {
  readonly answers: readonly string[];
  readonly pods: readonly string[];
  readonly watch: readonly string[];
  readonly counts: readonly string[];
  readonly together: Counts;
}

interface Ran extends Pick<Left, 'pods' | 'counts' | 'together'> {
  readonly events: readonly string[];
}

const USERS = { bindings: 'system:kube-scheduler', statuses: 'system:node:n' } as const;

const good: readonly Write[] = Array.from({ length: COUNT }, (_, i) => ({ pod: `p-${i}` }));

/** Other pods that are there. */
const ODD: readonly string[] = ['odd', ...Array.from({ length: 7 }, (_, i) => `odd-${i}`)];

/** What the scheduler or the agent of a node sends about the pod. */
const BODIES: Readonly<Record<Sort, (pod: Pod) => object>> = {
  bindings: ({ metadata: { name, uid } }) => ({
    ...{ apiVersion: 'v1', kind: 'Binding', metadata: { name, namespace: 'work', uid } },
    target: { apiVersion: 'v1', kind: 'Node', name: 'n' },
  }),
  statuses: ({ metadata: { name, uid } }) => ({
    metadata: { uid },
    status: {
      ...{ phase: 'Running', podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }], message: `${name} runs` },
      conditions: [{ type: 'Ready', status: 'True', lastProbeTime: null, lastTransitionTime: '2020-01-01T00:00:00Z' }],
    },
  }),
};

function initOf(sort: Sort, body: object): JsonRequestInit {
  const [method, type] = sort === 'bindings' ? ['POST', 'json'] : ['PATCH', 'strategic-merge-patch+json'];
  const headers = { 'content-type': `application/${type}`, 'user-agent': `${sort}/v1` };
  return { method, headers, json: must(JsonBody.of(body), 'it can be a value'), gathered: sort };
}

/** Sends all requests at once; returns their answers. */
async function sendAll(cluster: Cluster, sort: Sort, trial: Trial): Promise<readonly string[]> {
  const { user = USERS[sort], odd = [], meanwhile } = trial;
  const pods = new Map(((await list(cluster, PODS)) as readonly Pod[]).map((pod) => [pod.metadata.name, pod]));
  const answers = good.toSpliced(12, 0, ...odd).map((write) => {
    const pod = pods.get(write.pod) ?? { metadata: { name: write.pod, uid: 'none' } };
    const body = BODIES[sort](pod);
    const path = `${PODS}/${write.pod}/${sort === 'bindings' ? 'binding' : 'status'}`;
    return cluster.transportAs(write.user ?? user)(path, initOf(sort, write.body?.(body, pod) ?? body));
  });
  const happening = meanwhile?.(cluster);
  await cluster.clock.step(1000);
  await happening;
  return Promise.all(
    answers.map(async (answer) => {
      const response = await answer;
      return `${response.status} ${plain(await response.json())}`;
    }),
  );
}

async function createPod(cluster: Cluster, metadata: object, nodeName?: string): Promise<void> {
  const containers = [{ name: 'c', image: 'nginx:1.19' }];
  await send(cluster, 'POST', PODS, { metadata, spec: { schedulerName: 'nobody', containers, nodeName } });
}

/** A cluster without agents, whose pods are on a node only if their statuses are about to be written. */
async function prepare(sort: Sort, flags: readonly string[]): Promise<Cluster> {
  const apiserver = [...withAdministrator.apiserver, ...flags];
  const cluster = await createCluster({ name: 'updates', ...withAdministrator, apiserver, nodes: 0 });
  await allowNodes(cluster);
  await send(cluster, 'POST', '/api/v1/namespaces', { metadata: { name: 'work' } });
  await send(cluster, 'POST', '/api/v1/nodes', { metadata: { name: 'n' } });
  await cluster.clock.step(5000);
  for (const name of [...good.map(({ pod }) => pod), ...ODD])
    await createPod(cluster, { name }, sort === 'statuses' ? 'n' : undefined);
  return cluster;
}

/** The changes of each pod in their order; the pods are in none, because requests about many overtake each other. */
function byPod(changes: readonly unknown[]): readonly unknown[] {
  const nameIn = (change: unknown): string => (change as { readonly object: Pod }).object.metadata.name;
  return changes.toSorted((one, other) => nameIn(one).localeCompare(nameIn(other)));
}

async function attempt(sort: Sort, trial: Trial, isTraced: boolean): Promise<Left> {
  const { before, flags = [] } = trial;
  const cluster = await prepare(sort, flags);
  try {
    const together = follow(cluster, isTraced);
    await before?.(cluster);
    const watched = await watch(cluster, '/api/v1/pods');
    const answers = await sendAll(cluster, sort, trial);
    // Its name tells whether chance has drawn as much.
    await createPod(cluster, { generateName: 'next-' });
    return {
      answers,
      watch: byPod(await watched()).map(plain),
      pods: (await list(cluster, '/api/v1/pods')).map(plain),
      counts: await countsOf(cluster, /./),
      together,
    };
  } finally {
    await cluster.stop();
  }
}

/** How many answers have each code. */
function codesOf({ answers }: Left): Readonly<Record<string, number>> {
  const codes: Record<string, number> = {};
  for (const answer of answers) codes[answer.slice(0, 3)] = (codes[answer.slice(0, 3)] ?? 0) + 1;
  return codes;
}

/** What is expected: the numbers of answers by their codes, and how many were written together. */
type Expected = readonly [codes: Readonly<Record<string, number>>, together: number];

async function expectBoth(sort: Sort, trial: Trial, [codes, together]: Expected): Promise<void> {
  const left = await compareBoth((isTraced) => attempt(sort, trial, isTraced));
  expect({ codes: codesOf(left), together: left.together[sort] ?? 0 }).toEqual({ codes, together });
}

const all = (code: number, together: number = COUNT): Expected => [{ [code]: COUNT }, together];

/** One more answer has this code. */
const and = (good: number, code: number, together: number = COUNT): Expected => [
  code === good ? { [good]: COUNT + 1 } : { [good]: COUNT, [code]: 1 },
  together,
];

const toOdd = (method: string, body?: object): Action => {
  return (cluster) => send(cluster, method, `${PODS}/odd`, body);
};
const enlarge = toOdd('PATCH', { metadata: { annotations: { text: 'x'.repeat(20_000) } } });
const startDeletion: Action = async (cluster) => {
  await toOdd('PATCH', { metadata: { finalizers: ['a.b/c'] } })(cluster);
  await toOdd('DELETE')(cluster);
};
const bind: Action = (cluster) =>
  send(cluster, 'POST', `${PODS}/odd/binding`, { metadata: { name: 'odd' }, target: { name: 'm' } });
const takeRights: Action = async (cluster) => {
  await role('system:kube-scheduler', [])(cluster);
  await role('system:node', [])(cluster);
};
const odd: readonly Write[] = [{ pod: 'odd' }];
const by = (user: string): readonly Write[] => [{ pod: 'odd', user }];
const restricted: Trial = { odd: by('system:node:m'), flags: ['--enable-admission-plugins=NodeRestriction'] };
const deleteNamespace = namespaceActions['delete the namespace'];

/** What may be odd about both sorts. */
const BOTH: readonly (readonly [string, Trial, bindings: Expected, statuses: Expected])[] = [
  ['without more', {}, all(201), all(200)],
  ['of which one is missing', { odd: [{ pod: 'gone' }] }, and(201, 404), and(200, 404)],
  ['of which one is being deleted', { odd, before: startDeletion }, and(201, 409), and(200, 200)],
  ['of which one is large', { odd, before: enlarge }, and(201, 201), and(200, 200)],
  ['under a quota', { before: quota({ pods: '50' }) }, all(201), all(200)],
  ['that are smaller than is allowed', { before: forbidSmall }, all(201), all(200)],
  ['whose namespace is being deleted', { before: deleteNamespace }, all(403, 0), all(200)],
  ['after the rights were taken away', { before: takeRights }, all(403, 0), all(403, 0)],
  ['by somebody without rights', { user: 'system:nobody' }, all(403, 0), all(403, 0)],
  ['of which one is by somebody without rights', { odd: by('system:nobody') }, and(201, 403), and(200, 403)],
  ['of which one is by another node', { odd: by('system:node:m') }, and(201, 403), and(200, 200, 41)],
  ['of which one is by a restricted node', restricted, and(201, 403), and(200, 403)],
  ...(['mutating', 'validating'] as const).flatMap((kind): (readonly [string, Trial, Expected, Expected])[] => [
    [`with a ${kind} webhook for pods`, { before: webhook(kind, 'pods') }, all(201, 0), all(200, 0)],
    [`with a ${kind} webhook for this`, { before: webhook(kind, 'pods/*') }, all(500, 0), all(500, 0)],
  ]),
];

test.each(BOTH)('bindings of pods %s', { timeout: 60_000 }, async (_, trial, expected) => {
  await expectBoth('bindings', trial, expected);
});

test.each(BOTH)('statuses of pods %s', { timeout: 60_000 }, async (_, trial, __, expected) => {
  await expectBoth('statuses', trial, expected);
});

/** Bindings that are odd in what they say. */
const BINDINGS: readonly (readonly [string, change: object, code: number, together: 40 | 41])[] = [
  ['of another name', { metadata: { name: 'p-3' } }, 400, 40],
  ['of another uid', { metadata: { name: 'odd', uid: 'x' } }, 201, 41],
  ['with annotations', { metadata: { name: 'odd', annotations: { a: 'b' } } }, 201, 41],
  ['with annotations that are invalid', { metadata: { name: 'odd', annotations: { 'a b': 'c' } } }, 422, 40],
  ['of another kind', { kind: 'Pod' }, 400, 40],
  ['to something other than a node', { target: { kind: 'Pod', name: 'x' } }, 500, 40],
  ['to a node that is missing', { target: { name: 'm' } }, 201, 41],
  ['that can not be decoded', { target: { name: 3 } }, 400, 40],
  ['that are large', { metadata: { name: 'odd', annotations: { a: 'b'.repeat(20_000) } } }, 201, 40],
];

test.each(BINDINGS)('bindings %s, between others', { timeout: 60_000 }, async (_, change, code, together) => {
  const one: Write = { pod: 'odd', body: (body) => ({ ...body, ...change }) };
  await expectBoth('bindings', { odd: [one] }, and(201, code, together));
});

test('bindings of pods of which one is bound already', { timeout: 60_000 }, async () => {
  await expectBoth('bindings', { odd, before: bind }, and(201, 409));
});

/** Statuses that are odd, in themselves or as patches. */
const STATUSES: readonly (readonly [string, status: unknown, code: number, together: 40 | 41])[] = [
  ['that are null', null, 200, 41],
  ['that change nothing', { phase: 'Pending' }, 200, 40],
  ['with a field that is unknown', { conditions: [{ type: 'a', status: 'True', more: 3 }] }, 200, 41],
  ['with an item without its key', { conditions: [{ status: 'True' }] }, 422, 40],
  ['that are invalid', { nominatedNodeName: 'A b' }, 422, 40],
  ['that can not be decoded', { phase: 7 }, 422, 40],
  ['that delete an item', { conditions: [{ type: 'PodScheduled', $patch: 'delete' }], message: 'm' }, 200, 41],
  ['that replace the one before', { $patch: 'replace', phase: 'Failed' }, 200, 41],
  ['that keep only some fields', { $retainKeys: ['phase'], phase: 'Failed' }, 200, 41],
  ['that are large', { message: 'x'.repeat(20_000) }, 200, 40],
];

test.each(STATUSES)('statuses %s, between others', { timeout: 60_000 }, async (_, status, code, together) => {
  const one: Write = { pod: 'odd', body: (body) => ({ ...body, status }) };
  await expectBoth('statuses', { odd: [one] }, and(200, code, together));
});

/** Patches of a status that say more than that. */
const PATCHES: readonly (readonly [string, metadata: object, others: object, code: number])[] = [
  ['of another uid', { uid: 'x' }, {}, 422],
  ['without a uid', { uid: undefined }, {}, 200],
  ['with a label', { labels: { a: 'b' } }, {}, 200],
  ['with a label that is invalid', { labels: { a: 'b c' } }, {}, 422],
  ['of another version', { resourceVersion: '1' }, {}, 409],
  ['of another name', { name: 'other' }, {}, 400],
  ['with a specification', {}, { spec: { activeDeadlineSeconds: 5 } }, 200],
  ['of another kind', {}, { kind: 'Node' }, 200],
  ['that replace the pod', {}, { $patch: 'replace' }, 400],
];

test.each(PATCHES)('patches %s, between others', { timeout: 60_000 }, async (_, metadata, others, code) => {
  const one: Write = {
    pod: 'odd',
    body: (body, { metadata: { uid } }) => ({ ...body, metadata: { uid, ...metadata }, ...others }),
  };
  await expectBoth('statuses', { odd: [one] }, and(200, code));
});

test.each([
  ['bindings', { 201: 40, 409: 2 }],
  ['statuses', { 200: 42 }],
] as const)('%s of pods of which two come twice', { timeout: 60_000 }, async (sort, codes) => {
  // What comes after the second one of a pod is not stored, and becomes a request.
  const trial: Trial = { odd: [{ pod: 'p-5' }, { pod: 'p-3' }] };
  expect(codesOf(await compareBoth((isTraced) => attempt(sort, trial, isTraced)))).toEqual(codes);
});

test.each(SORTS)('%s of pods that somebody changes', { timeout: 60_000 }, async (sort) => {
  const meanwhile: Action = (cluster) =>
    Promise.all(good.map(({ pod }) => send(cluster, 'PATCH', `${PODS}/${pod}`, { metadata: { labels: { a: 'b' } } })));
  // The order of the two changes of a pod hangs on when it is written.
  const [left, plainly] = [await attempt(sort, { meanwhile }, false), await attempt(sort, { meanwhile }, true)];
  expect(left.pods).toEqual(plainly.pods);
  expect(codesOf(left)).toEqual(codesOf(plainly));
  expect(left.together[sort]).toBeGreaterThan(0);
});

test('random requests among forty good ones', { timeout: 300_000 }, async () => {
  const write = fc.record({
    user: fc.constantFrom(...Object.values(USERS), 'system:nobody'),
    change: fc.constantFrom<object>(
      ...[{}, ...BINDINGS.map(([, change]) => change), ...STATUSES.map(([, status]) => ({ status }))],
      ...PATCHES.map(([, , others]) => others),
    ),
  });
  const trial = fc.record({
    sort: fc.constantFrom(...SORTS),
    before: fc.constantFrom(undefined, enlarge, startDeletion, bind, forbidSmall, takeRights),
    writes: fc.array(write, { maxLength: ODD.length }),
  });
  await fc.assert(
    fc.asyncProperty(trial, async ({ sort, before, writes }) => {
      const bodies = writes.map(({ user, change }, i) => {
        return { pod: ODD[i] ?? 'gone', user, body: (body: object) => ({ ...body, ...change }) };
      });
      await compareBoth((isTraced) => attempt(sort, { before, odd: bodies }, isTraced));
    }),
    { numRuns: 12 },
  );
});

interface Step extends Wanted {
  readonly before?: Action | undefined;
}

/** Lets nodes run what is wanted. How often they report, and controllers try, is chance. */
async function run(steps: readonly Step[], isTraced: boolean): Promise<Ran> {
  const cluster = await createCluster({
    ...{ name: 'nodes', ...withAdministrator, nodes: 3 },
    controllerManager: ['--use-service-account-credentials=true'],
  });
  try {
    const together = follow(cluster, isTraced);
    await allowNodes(cluster);
    await send(cluster, 'POST', '/api/v1/namespaces', { metadata: { name: 'work' } });
    await cluster.clock.step(10_000);
    for (const [round, step] of steps.entries()) {
      await step.before?.(cluster);
      await want(cluster, round, step);
      for (let second = 0; second < 15; second++) await cluster.clock.step(1000);
    }
    return {
      pods: (await list(cluster, PODS)).map(anywhere).sort(),
      events: (await list(cluster, '/api/v1/namespaces/work/events')).map(anywhere).sort(),
      counts: await countsOf(cluster, /verb="POST".*resource="pods".*code="201"/),
      together,
    };
  } finally {
    await cluster.stop();
  }
}

const brief = { containers: [{ name: 'c', image: 'busybox', command: ['sh', '-c', 'sleep 5'] }] };

test.each([
  ['replicasets', {}],
  ['jobs', brief],
] as const)('pods of %s that run', { timeout: 60_000 }, async (kind, spec) => {
  const { together } = await compareBoth((isTraced) => run([{ kind, count: 70, spec }], isTraced));
  expect(Math.min(together.bindings ?? 0, together.statuses ?? 0)).toBeGreaterThan(0);
});

test('pods that run while limits, quotas, webhooks and rights change', { timeout: 300_000 }, async () => {
  const step = fc.record({
    before: fc.constantFrom(undefined, forbidSmall, quota({ pods: '90' }), webhook('mutating', 'pods/*'), takeRights),
    kind: fc.constantFrom('replicasets' as const, 'jobs' as const),
    count: fc.integer({ min: 0, max: 110 }),
    spec: fc.constantFrom<object>({}, brief, { ...brief, hostNetwork: true }),
    metadata: fc.constantFrom<object>({}, { finalizers: ['a.b/c'] }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 2 }), async (steps) => {
      await compareBoth((isTraced) => run(steps, isTraced));
    }),
    { numRuns: 4 },
  );
});
