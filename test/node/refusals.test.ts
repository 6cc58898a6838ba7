import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Bench, type Loose } from '../controllers/bench.ts';

const PODS = '/api/v1/namespaces/default/pods';
const NODE = '/api/v1/nodes/node-1';

let bench: Bench;
let hooks: string;

beforeEach(async () => {
  bench = await Bench.start({ nodes: 1 });
  hooks = bench.cluster.names.fill('/apis/admissionregistration.{domain}/v1/validatingwebhookconfigurations');
});
afterEach(() => bench.stop());

/** Has a webhook that nobody answers refuse an operation until it is allowed again. */
async function refuse(operation: string, resource: string): Promise<() => Promise<unknown>> {
  const name = `refuse-${resource.replace('/', '-')}.example.com`;
  await bench.create(hooks, {
    metadata: { name },
    webhooks: [
      {
        name,
        clientConfig: { url: 'https://127.0.0.1:1/' },
        rules: [{ operations: [operation], apiGroups: [''], apiVersions: ['v1'], resources: [resource] }],
        failurePolicy: 'Fail',
        sideEffects: 'None',
        timeoutSeconds: 1,
        admissionReviewVersions: ['v1'],
      },
    ],
  });
  return () => bench.delete(`${hooks}/${name}`);
}

const annotate = (path: string, key: string, value: string | null): Promise<Loose> =>
  bench.patch(path, { metadata: { annotations: { [`simulation.vitrine.dev/${key}`]: value } } });

const condition = (type: string, status: string) => (object: Loose) =>
  object.status.conditions?.some((each: Loose) => each.type === type && each.status === status) ?? false;

const isRunning = (pod: Loose): boolean => pod.status.containerStatuses?.[0]?.state.running !== undefined;

const podThat = (name: string, command: string, annotations: Loose = {}): Loose => ({
  metadata: { name, annotations },
  spec: { containers: [{ name: 'c', image: 'busybox', command: ['sh', '-c', command] }] },
});

describe('a node agent whose write is refused', () => {
  test('reports the node again until it is accepted, and says what went wrong', async () => {
    const problems = bench.listen('node');
    const allow = await refuse('UPDATE', 'nodes/status');
    await annotate(NODE, 'pressure', 'memory');
    await bench.advance(5_000, 500);
    expect(JSON.stringify(problems)).toContain('failed calling webhook');
    await allow();
    await bench.until(NODE, condition('MemoryPressure', 'True'), 20_000);
    await annotate(NODE, 'pressure', null);
    await bench.until(NODE, condition('MemoryPressure', 'False'), 20_000);
  });

  test('deletes a terminated pod again until it is gone', async () => {
    await bench.create(PODS, podThat('stubborn', 'trap "" TERM; sleep 3600'));
    await bench.until(`${PODS}/stubborn`, isRunning);
    await bench.delete(`${PODS}/stubborn`, { gracePeriodSeconds: 2 });
    const allow = await refuse('DELETE', 'pods');
    await bench.advance(10_000, 500);
    expect((await bench.get(`${PODS}/stubborn`)).metadata.deletionTimestamp).toBeDefined();
    await allow();
    await bench.gone(`${PODS}/stubborn`);
  });

  test('writes how a stopped pod ended until that is accepted, before it deletes the pod', async () => {
    await bench.create(PODS, podThat('unheard', 'sleep 3600'));
    await bench.until(`${PODS}/unheard`, isRunning);
    const allow = await refuse('UPDATE', 'pods/status');
    await bench.delete(`${PODS}/unheard`, { gracePeriodSeconds: 1 });
    await bench.advance(5_000, 500);
    await allow();
    await bench.gone(`${PODS}/unheard`);
  });
});

describe('a node that is down', () => {
  test('starts no pod, reports no exit, and takes up both when it is back', async () => {
    await bench.create(PODS, {
      ...podThat('short', 'sleep 3'),
      spec: { ...podThat('', 'sleep 3').spec, restartPolicy: 'Never' },
    });
    await bench.until(`${PODS}/short`, isRunning);
    await annotate(NODE, 'down', 'true');
    const late = podThat('late', 'sleep 3600');
    await bench.create(PODS, { ...late, spec: { ...late.spec, nodeName: 'node-1' } });
    await bench.advance(10_000, 500);
    expect((await bench.get(`${PODS}/short`)).status.phase).toBe('Running');
    expect((await bench.get(`${PODS}/late`)).status.phase).toBe('Pending');
    await annotate(NODE, 'down', null);
    await bench.until(`${PODS}/short`, (pod) => pod.status.phase === 'Succeeded');
    await bench.until(`${PODS}/late`, isRunning);
  });

  test('applies the faults of its pods when it is back', async () => {
    await bench.create(PODS, podThat('faulty', 'sleep 3600', { 'simulation.vitrine.dev/exit-after': '60s' }));
    await bench.until(`${PODS}/faulty`, isRunning);
    await annotate(NODE, 'down', 'true');
    await bench.advance(2_000, 500);
    await annotate(NODE, 'down', null);
    await bench.until(`${PODS}/faulty`, (pod) => pod.status.containerStatuses[0].restartCount === 1, 90_000);
  });

  test('counts the restart that a container was waiting for', async () => {
    await bench.create(PODS, podThat('crash', 'exit 1'));
    const isWaiting = (pod: Loose): boolean =>
      pod.status.containerStatuses?.[0]?.state.waiting?.reason === 'CrashLoopBackOff';
    const before = await bench.until(`${PODS}/crash`, isWaiting);
    const { restartCount } = before.status.containerStatuses[0];
    await annotate(NODE, 'down', 'true');
    await bench.advance(2_000, 500);
    await annotate(NODE, 'down', null);
    const status = (pod: Loose): Loose => pod.status.containerStatuses[0];
    const after = await bench.until(`${PODS}/crash`, (pod) => status(pod).restartCount > restartCount);
    expect(status(after).restartCount).toBe(restartCount + 1);
  });
});
