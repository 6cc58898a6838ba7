import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Bench, names, template, type Loose } from './bench.ts';

const PODS = '/api/v1/namespaces/default/pods';
const SETS = '/apis/apps/v1/namespaces/default/statefulsets';
const DAEMONS = '/apis/apps/v1/namespaces/default/daemonsets';
const JOBS = '/apis/batch/v1/namespaces/default/jobs';
const CRON = '/apis/batch/v1beta1/namespaces/default/cronjobs';

let bench: Bench;

beforeEach(async () => {
  bench = await Bench.start({ nodes: 2 });
});
afterEach(() => bench.stop());

const statefulSet = (name: string, replicas: number, more: Loose = {}): Loose => ({
  metadata: { name },
  spec: {
    replicas,
    serviceName: name,
    selector: { matchLabels: { app: name } },
    template: template({ app: name }),
    ...more,
  },
});

const job = (name: string, script: string, spec: Loose = {}, pod: Loose = {}): Loose => ({
  metadata: { name },
  spec: {
    ...spec,
    template: template({}, { image: 'busybox', command: ['sh', '-c', script] }, { restartPolicy: 'Never', ...pod }),
  },
});

describe('a stateful set', () => {
  test('creates its pods in order, each when the one before is ready', async () => {
    await bench.create(SETS, statefulSet('db', 3));
    let disorder = false;
    await bench.until(PODS, (list) => {
      const ready = list.items.map((p: Loose) => p.status.containerStatuses?.[0]?.ready === true);
      disorder ||= ready.slice(0, -1).includes(false);
      return ready.length === 3 && ready.every(Boolean);
    });
    expect(disorder).toBe(false);
    expect(names(await bench.items(PODS))).toEqual(['db-0', 'db-1', 'db-2']);
  });

  test('removes the last pod first, and keeps the claims of removed ones', async () => {
    const volumeClaimTemplates = [
      {
        metadata: { name: 'data' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName: 'made' },
      },
    ];
    await bench.create('/apis/storage.cluster.io/v1/storageclasses', {
      metadata: { name: 'made' },
      provisioner: 'simulation.vitrine.dev/volumes',
    });
    await bench.create(SETS, statefulSet('db', 2, { volumeClaimTemplates }));
    await bench.until(`${SETS}/db`, (s) => s.status.readyReplicas === 2);
    await bench.patch(`${SETS}/db`, { spec: { replicas: 1 } });
    await bench.until(PODS, (list) => list.items.length === 1);
    expect(names(await bench.items(PODS))).toEqual(['db-0']);
    const claims = await bench.items('/api/v1/namespaces/default/persistentvolumeclaims');
    expect(claims.map((c) => [c.metadata.name, c.status.phase])).toEqual([
      ['data-db-0', 'Bound'],
      ['data-db-1', 'Bound'],
    ]);
  });

  test('updates its pods from the last to its partition', async () => {
    const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { partition: 1 } };
    await bench.create(SETS, statefulSet('db', 2, { updateStrategy }));
    await bench.until(`${SETS}/db`, (s) => s.status.readyReplicas === 2);
    await bench.patch(`${SETS}/db`, { spec: { template: template({ app: 'db' }, { image: 'httpd' }) } });
    await bench.until(`${SETS}/db`, (s) => s.status.updatedReplicas === 1 && s.status.readyReplicas === 2);
    const images = (await bench.items(PODS)).map((p) => [p.metadata.name, p.spec.containers[0].image]);
    expect(images.sort()).toEqual([
      ['db-0', 'nginx'],
      ['db-1', 'httpd'],
    ]);
  });
});

describe('a daemon set', () => {
  test('has one pod on each node, and one more for a new node', async () => {
    await bench.create(DAEMONS, {
      metadata: { name: 'd' },
      spec: { selector: { matchLabels: { app: 'd' } }, template: template({ app: 'd' }) },
    });
    await bench.until(`${DAEMONS}/d`, (d) => d.status.numberReady === 2);
    expect((await bench.items(PODS)).map((p) => p.spec.nodeName).sort()).toEqual(['node-1', 'node-2']);
    await bench.create('/api/v1/nodes', {
      metadata: { name: 'extra', annotations: { 'simulation.vitrine.dev/agent': 'true' } },
    });
    await bench.until(`${DAEMONS}/d`, (d) => d.status.numberReady === 3);
  });

  test('skips nodes that its selector excludes', async () => {
    await bench.patch('/api/v1/nodes/node-2', { metadata: { labels: { disk: 'ssd' } } });
    const spec = {
      selector: { matchLabels: { app: 'd' } },
      template: template({ app: 'd' }, {}, { nodeSelector: { disk: 'ssd' } }),
    };
    await bench.create(DAEMONS, { metadata: { name: 'd' }, spec });
    await bench.until(`${DAEMONS}/d`, (d) => d.status.numberReady === 1);
    expect((await bench.items(PODS)).map((p) => p.spec.nodeName)).toEqual(['node-2']);
    await bench.patch('/api/v1/nodes/node-2', { metadata: { labels: { disk: null } } });
    await bench.until(PODS, (list) => list.items.length === 0);
  });
});

describe('a job', () => {
  test('runs a limited number of pods at a time until enough have succeeded', async () => {
    await bench.create(JOBS, job('j', 'sleep 1', { completions: 3, parallelism: 2 }));
    let most = 0;
    const done = await bench.until(`${JOBS}/j`, (j) => {
      most = Math.max(most, j.status.active ?? 0);
      return j.status.succeeded === 3;
    });
    expect(most).toBe(2);
    expect(done.status.conditions).toEqual([expect.objectContaining({ type: 'Complete', status: 'True' })]);
  });

  test('fails after its retry limit', async () => {
    await bench.create(JOBS, job('j', 'exit 3', { backoffLimit: 1 }));
    const failed = await bench.until(`${JOBS}/j`, (j) => j.status.conditions?.length === 1);
    expect(failed.status.conditions[0]).toMatchObject({ type: 'Failed', reason: 'BackoffLimitExceeded' });
    expect(failed.status.failed).toBe(2);
  });

  test('fails after its deadline, and its pods are deleted', async () => {
    await bench.create(
      JOBS,
      job('j', 'sleep 3600', { activeDeadlineSeconds: 20 }, { terminationGracePeriodSeconds: 1 }),
    );
    await bench.until(`${JOBS}/j`, (j) => j.status.active === 1);
    const failed = await bench.until(`${JOBS}/j`, (j) => j.status.conditions?.length === 1);
    expect(failed.status.conditions[0]).toMatchObject({ type: 'Failed', reason: 'DeadlineExceeded' });
    await bench.until(PODS, (list) => list.items.length === 0);
  });
});

describe('a cron job', () => {
  test('creates a job at each scheduled time, and skips one while another runs if required', async () => {
    const { spec } = job('j', 'sleep 90');
    await bench.create(CRON, {
      metadata: { name: 'tick' },
      spec: { schedule: '* * * * *', concurrencyPolicy: 'Forbid', jobTemplate: { spec } },
    });
    await bench.until(JOBS, (list) => list.items.length === 1, 70_000);
    await bench.advance(60_000, 500);
    expect(await bench.items(JOBS)).toHaveLength(1);
    await bench.until(JOBS, (list) => list.items.length === 2, 70_000);
    expect((await bench.get(`${CRON}/tick`)).status.active).toHaveLength(1);
  });
});

describe('a disruption budget', () => {
  test('with an unknown number of expected pods counts as not reconciled', async () => {
    const budgets = '/apis/policy/v1beta1/namespaces/default/poddisruptionbudgets';
    await bench.create(PODS, { ...template({}), metadata: { name: 'alone', labels: { app: 'x' } } });
    const selector = { matchLabels: { app: 'x' } };
    await bench.create(budgets, { metadata: { name: 'b' }, spec: { maxUnavailable: '50%', selector } });
    await bench.create(budgets, { metadata: { name: 'c' }, spec: { minAvailable: 1, selector } });
    await bench.until(`${budgets}/c`, (budget) => budget.status.observedGeneration === 1);
    await bench.until('/api/v1/namespaces/default/events', (list) =>
      ['NoControllerRef', 'CalculateExpectedPodCountFailed'].every((reason) =>
        list.items.some((event: Loose) => event.reason === reason && event.involvedObject.name === 'b'),
      ),
    );
    const [budget] = await bench.items(budgets);
    expect(budget?.status.observedGeneration).toBeUndefined();
  });
});
