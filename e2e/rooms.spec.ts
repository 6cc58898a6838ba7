/** What the rooms Scheduling and Lifecycle show of each kind of workload and decision, in one cluster whose time is stepped. */
import { expect, test, type Page } from '@playwright/test';
import type { ClusterOptions } from '../src/cluster/index.ts';
import { ask, boot, cluster, picture } from './support.ts';

const CORE = '/api/v1/namespaces/default';
const APPS = '/apis/apps/v1/namespaces/default';
const BATCH = '/apis/batch/v1/namespaces/default';
const MINUTE = 60_000;

/** A cluster that is paused: what happens in it happens when a test steps its time. */
async function open(page: Page, name: string, more: Partial<ClusterOptions> = {}): Promise<string> {
  const base = await boot(page, {
    ...cluster(name, { nodes: 3, storage: 'indexeddb', seed: 14, clock: 'manual', ...more }),
    apiserver: ['--authorization-mode=Node,RBAC', '--token-auth-file=tokens.csv'],
    controllerManager: ['--use-service-account-credentials=true', ...(more.controllerManager ?? [])],
  });
  await step(page, MINUTE);
  await expect.poll(async () => (await ask(page, base, `${CORE}/serviceaccounts/default`)).status).toBe(200);
  await expect.poll(async () => (await items(page, base, '/api/v1/nodes')).length).toBe(more.nodes ?? 3);
  return base;
}

const step = (page: Page, ms: number): Promise<unknown> => page.evaluate((by) => window.vitrine.clock.step(by), ms);

interface Item {
  readonly metadata: { readonly name: string };
  readonly spec?: { readonly nodeName?: string };
  readonly status?: { readonly phase?: string };
}

const items = async (page: Page, base: string, path: string): Promise<readonly Item[]> =>
  (await ask(page, base, path)).body.items as readonly Item[];

async function make(page: Page, base: string, path: string, object: object): Promise<void> {
  const { status, body } = await ask(page, base, path, 'POST', object);
  expect(status, JSON.stringify(body)).toBe(201);
}

async function change(page: Page, base: string, path: string, patch: object): Promise<void> {
  const status = await page.evaluate(
    async ([url, body]) => {
      const headers = { authorization: 'Bearer admintoken', 'content-type': 'application/strategic-merge-patch+json' };
      return (await fetch(url, { method: 'PATCH', headers, body })).status;
    },
    [base + path, JSON.stringify(patch)] as const,
  );
  expect(status).toBe(200);
}

async function visit(page: Page, hash: string): Promise<void> {
  await page.evaluate((to) => void (location.hash = to), hash);
}

const selector = (app: string): object => ({ matchLabels: { app } });

const template = (app: string, container: object = {}, more: object = {}): object => ({
  metadata: { labels: { app } },
  spec: { containers: [{ name: 'c', image: 'nginx:1.18', ...container }], ...more },
});

test('workloads over time: a StatefulSet’s partition, a DaemonSet’s nodes, a Job’s attempts, a CronJob’s calendar', async ({
  page,
}) => {
  test.setTimeout(240_000);
  const base = await open(page, 'work');
  await make(page, base, `${APPS}/statefulsets`, {
    metadata: { name: 'db' },
    spec: {
      ...{ serviceName: 'db', replicas: 3, selector: selector('db'), template: template('db') },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } },
    },
  });
  await make(page, base, `${APPS}/daemonsets`, {
    metadata: { name: 'agent' },
    spec: { selector: selector('agent'), template: template('agent') },
  });
  const failing = { image: 'busybox', command: ['false'] };
  await make(page, base, `${BATCH}/jobs`, {
    metadata: { name: 'try' },
    spec: { backoffLimit: 2, template: template('try', failing, { restartPolicy: 'Never' }) },
  });
  const short = { image: 'busybox', command: ['sleep', '20'] };
  await make(page, base, '/apis/batch/v1beta1/namespaces/default/cronjobs', {
    metadata: { name: 'tick' },
    spec: {
      schedule: '*/5 * * * *',
      jobTemplate: { spec: { template: template('tick', short, { restartPolicy: 'Never' }) } },
    },
  });
  await step(page, 5 * MINUTE);
  // Storage keeps five minutes: what is older is not drawn.
  await change(page, base, `${APPS}/statefulsets/db`, { spec: { template: template('db', { image: 'nginx:1.19' }) } });
  await step(page, 2 * MINUTE);
  await visit(page, '#/work/lifecycle/rollout?obj=apps/statefulsets/default/db');
  await expect(page.getByText('pods below ordinal 2 keep their revision')).toBeVisible();
  await expect(page.getByText('one after the other')).toBeVisible();
  // The pods in their order; only the one at the partition was made anew.
  await expect(page.getByRole('img', { name: 'db-0: ready' })).toHaveCount(1);
  await expect(page.getByRole('img', { name: 'db-1: ready' })).toHaveCount(1);
  await expect(page.getByRole('img', { name: 'db-2: ready' })).toHaveCount(2);
  await picture(page, 'StatefulSet');
  await step(page, 9 * MINUTE);

  await visit(page, '#/work/lifecycle/rollout?obj=apps/daemonsets/default/agent');
  await expect(page.getByText('3 of 3 nodes')).toBeVisible();
  for (const node of ['node-1', 'node-2', 'node-3']) await expect(page.getByText(node, { exact: true })).toBeVisible();
  await expect(page.getByRole('img', { name: /^agent-\w+: ready$/ })).toHaveCount(3);
  await picture(page, 'DaemonSet');

  await visit(page, '#/work/lifecycle/rollout?obj=batch/jobs/default/try');
  await expect(page.getByText(/^Failed: Job has reached the specified backoff limit/)).toBeVisible();
  await expect(page.getByRole('img', { name: /^try-\w+: failed/ })).toHaveCount(3);
  // The first attempt is made again at once, the next one after ten seconds.
  await expect(page.getByRole('img', { name: /^backs off for \d+ s$/ })).toHaveCount(1);
  await picture(page, 'Job');

  await visit(page, '#/work/lifecycle/rollout?obj=batch/cronjobs/default/tick');
  await expect(page.getByRole('img', { name: /^tick-\d+ at .*: succeeded$/ })).toHaveCount(3);
  await expect(page.getByRole('img', { name: /^next at / })).toHaveCount(10);
  await picture(page, 'CronJob');
});

test('a pod’s life: its containers, probes and restarts on one axis', async ({ page }) => {
  test.setTimeout(180_000);
  const base = await open(page, 'life', { nodes: 1 });
  const probe = (path: string): object => ({ httpGet: { path, port: 80 }, periodSeconds: 5, failureThreshold: 2 });
  await make(page, base, `${CORE}/pods`, {
    metadata: { name: 'restless' },
    spec: {
      initContainers: [{ name: 'first', image: 'busybox', command: ['sleep', '4'] }],
      containers: [
        { name: 'web', image: 'nginx', readinessProbe: probe('/'), livenessProbe: probe('/missing') },
        { name: 'loop', image: 'busybox', command: ['sh', '-c', 'sleep 15; exit 3'] },
      ],
    },
  });
  await step(page, 3 * MINUTE);
  await visit(page, '#/life/lifecycle/pod?obj=core/pods/default/restless');
  await expect(page.getByRole('img', { name: /^waits for a node/ })).toBeVisible();
  await expect(page.getByRole('img', { name: /^runs until exit code 0 \(Completed\)/ }).first()).toBeVisible();
  await expect(page.getByRole('img', { name: /^runs until exit code 3 \(Error\)/ }).first()).toBeVisible();
  await expect(page.getByRole('img', { name: /^waits to restart \(CrashLoopBackOff\)/ }).first()).toBeVisible();
  await expect(page.getByRole('img', { name: /Unhealthy: Liveness probe failed/ }).first()).toBeVisible();
  await expect(page.getByRole('img', { name: /Pulled: / }).first()).toBeVisible();
  await expect(page.getByText('web: readiness probe')).toBeVisible();
  await picture(page, 'pod life');
});

test('an autoscaler’s decisions: the metric against its target, the tolerance, the windows', async ({ page }) => {
  test.setTimeout(300_000);
  const base = await open(page, 'scaled');
  const busy = {
    image: 'busybox',
    command: ['sh', '-c', 'while true; do :; done'],
    resources: { requests: { cpu: '100m' } },
  };
  await make(page, base, `${APPS}/deployments`, {
    metadata: { name: 'busy' },
    spec: { replicas: 1, selector: selector('busy'), template: template('busy', busy) },
  });
  const scalers = '/apis/autoscaling/v2beta2/namespaces/default/horizontalpodautoscalers';
  await make(page, base, scalers, {
    metadata: { name: 'busy' },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'busy' },
      ...{ minReplicas: 1, maxReplicas: 4 },
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } },
      ],
    },
  });
  // In short steps: a container that is always busy makes each minute take long, and how many it needs is not what is tested.
  const sizes = async (): Promise<unknown> => {
    await step(page, MINUTE / 2);
    return (await ask(page, base, `${scalers}/busy`)).body['status'];
  };
  await expect
    .poll(sizes, { timeout: 240_000, intervals: [0] })
    .toMatchObject({ currentReplicas: 4, desiredReplicas: 4 });
  await visit(page, '#/scaled/lifecycle/rollout?obj=autoscaling/horizontalpodautoscalers/default/busy');
  await expect(page.getByText(/^4 now, 4 wanted$/)).toBeVisible();
  await expect(page.getByText(/^cpu: \d+ % of 50 %, ratio [\d.]+, above: more pods$/)).toBeVisible();
  await expect(page.getByRole('img', { name: /New size: 4; reason: cpu/ })).toBeVisible();
  await expect(page.getByRole('img', { name: /highest recommendation of these 300 s/ })).toBeVisible();
  await expect(page.getByText(/^TooManyReplicas: /)).toBeVisible();
  await picture(page, 'autoscaler');
});

/** A node without an agent, on which nothing but the scheduler acts. */
const bareNode = (name: string, zone: string, cpu: string, more: object = {}): object => {
  const sizes = { cpu, memory: '8Gi', pods: '20', ...more };
  return {
    metadata: { name, labels: { 'topology.cluster.io/zone': zone, 'cluster.io/hostname': name } },
    status: { capacity: sizes, allocatable: sizes, conditions: [{ type: 'Ready', status: 'True' }] },
  };
};

const pod = (name: string, requests: object, more: object = {}, labels: object = { app: name }): object => ({
  metadata: { name, labels },
  spec: { containers: [{ name: 'c', image: 'nginx', resources: { requests, limits: requests } }], ...more },
});

test('zones, extended resources, the queue’s back-off, and what would wake a pod', async ({ page }) => {
  test.setTimeout(180_000);
  const base = await open(page, 'tiles', { nodes: 0 });
  await make(page, base, '/api/v1/nodes', bareNode('east-1', 'east', '4', { 'example.com/gpu': '4' }));
  await make(page, base, '/api/v1/nodes', bareNode('west-1', 'west', '4'));
  await step(page, 10_000);
  await make(page, base, `${CORE}/pods`, pod('trained', { cpu: '500m', 'example.com/gpu': '3' }));
  await make(page, base, `${CORE}/pods`, pod('greedy', { cpu: '500m', 'example.com/gpu': '2' }));
  await step(page, 1000);
  await visit(page, '#/tiles/scheduling');
  await expect(page.getByRole('region', { name: 'Zone east' })).toContainText('east-1');
  await expect(page.getByRole('region', { name: 'Zone west' })).toContainText('west-1');
  const queue = page.getByRole('complementary', { name: 'Scheduling queue' });
  const greedy = queue.getByRole('link', { name: /default\/greedy/ });
  await expect(greedy).toContainText('Insufficient example.com/gpu');
  await expect(greedy).toContainText(/Waits until .*a node is added/);

  await page.getByRole('radio', { name: 'example.com/gpu' }).click();
  await expect(page.getByRole('img', { name: '75 % of example.com/gpu requested by 1 pod' })).toBeVisible();
  await picture(page, 'extended resources');

  // A node that is added wakes the pod; it doesn't help, and the pod is tried again when its back-off is over.
  await make(page, base, '/api/v1/nodes', bareNode('west-2', 'west', '1'));
  await expect(greedy.getByText(/^in \d+ s$|^any moment$/)).toBeVisible();
  await picture(page, 'back-off');
  await step(page, 20_000);
  await expect(greedy).toContainText(/[23] attempts/);
  await expect(greedy.getByText(/^in \d+ s$|^any moment$/)).toBeHidden();
  await greedy.click();
  await expect(page.getByText(/^It is tried again when .*a node is added/)).toBeVisible();
  await picture(page, 'waking');
});

test('preemption as a story: candidates, victims, budgets, and the nominated node', async ({ page }) => {
  test.setTimeout(180_000);
  const base = await open(page, 'story', { nodes: 0 });
  for (const name of ['n1', 'n2', 'n3']) await make(page, base, '/api/v1/nodes', bareNode(name, 'a', '2'));
  await make(page, base, '/apis/scheduling.cluster.io/v1/priorityclasses', { metadata: { name: 'high' }, value: 1000 });
  await make(page, base, '/apis/policy/v1beta1/namespaces/default/poddisruptionbudgets', {
    metadata: { name: 'kept' },
    spec: { minAvailable: 1, selector: selector('kept') },
  });
  await step(page, 10_000);
  await make(page, base, `${CORE}/pods`, pod('guarded', { cpu: '1500m' }, { nodeName: 'n1' }, { app: 'kept' }));
  await make(page, base, `${CORE}/pods`, pod('small-1', { cpu: '1' }, { nodeName: 'n2' }));
  await make(page, base, `${CORE}/pods`, pod('small-2', { cpu: '1' }, { nodeName: 'n2' }));
  await make(page, base, `${CORE}/pods`, pod('single', { cpu: '1500m' }, { nodeName: 'n3' }));
  await step(page, 10_000);
  await make(page, base, `${CORE}/pods`, pod('urgent', { cpu: '2' }, { priorityClassName: 'high' }));
  await step(page, 500);
  await visit(page, '#/story/scheduling/pod/default/urgent');
  await expect(page.getByText(/^Room was made for it on n3 at /)).toBeVisible();
  // The nodes have no agents, so the victim stays.
  await expect(page.getByText('the pods that have to go for it are still leaving')).toBeVisible();
  await page.getByRole('radio', { name: 'When room was made' }).click();
  await expect(page.getByText(/^Room can be made on n3: default\/single would go/)).toBeVisible();
  await expect(page.getByText('Every disruption budget is respected.').first()).toBeVisible();
  await expect(page.getByText(/1 victim is protected by a disruption budget, which is violated/)).toBeVisible();
  await expect(page.getByText(/– this decided$/).first()).toBeVisible();
  await picture(page, 'preemption');
});

test('a Deployment: how many fit and the next bottleneck; a drain that a budget blocks', async ({ page }) => {
  test.setTimeout(180_000);
  const base = await open(page, 'drained', { nodes: 2 });
  const requests = { resources: { requests: { cpu: '1500m' } } };
  await make(page, base, `${APPS}/deployments`, {
    metadata: { name: 'web' },
    spec: { replicas: 2, selector: selector('web'), template: template('web', requests) },
  });
  await make(page, base, '/apis/policy/v1beta1/namespaces/default/poddisruptionbudgets', {
    metadata: { name: 'all' },
    spec: { minAvailable: 2, selector: selector('web') },
  });
  await step(page, MINUTE);
  await visit(page, '#/drained/scheduling/deployment/default/web');
  await page.getByRole('button', { name: 'Count them' }).click();
  await expect(page.getByText('2 more fit.')).toBeVisible();
  await expect(page.getByText(/The next one fits nowhere: .*Insufficient cpu/)).toBeVisible();
  await picture(page, 'how many fit');

  await visit(page, '#/drained/scheduling/drain/node-1');
  await expect(page.getByText(/can’t be evicted: the budget .*all allows no disruption/)).toBeVisible();
  await picture(page, 'drain');
  await ask(page, base, '/apis/policy/v1beta1/namespaces/default/poddisruptionbudgets/all', 'DELETE');
  // Though time stands still, what changed is seen.
  await expect(page.getByText(/moves to node-2/)).toBeVisible();
});
