import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { NodeLab, type Loose } from './lab.ts';

const PODS = '/api/v1/namespaces/default/pods';
const NODE = '/api/v1/nodes/node-1';

let lab: NodeLab;

beforeEach(async () => {
  lab = await NodeLab.start({ nodes: 1 });
});
afterEach(() => lab.stop());

const annotate = (path: string, key: string, value: string | null): Promise<Loose> =>
  lab.patch(path, { metadata: { annotations: { [`simulation.vitrine.dev/${key}`]: value } } });

const condition = (type: string, status: string) => (object: Loose) =>
  object.status.conditions?.some((each: Loose) => each.type === type && each.status === status) ?? false;

const isRunning = (pod: Loose): boolean => pod.status.containerStatuses?.[0]?.state.running !== undefined;

const podThat = (name: string, command: string, annotations: Loose = {}): Loose => ({
  metadata: { name, annotations },
  spec: { containers: [{ name: 'c', image: 'busybox', command: ['sh', '-c', command] }] },
});

describe('a node agent whose write is refused', () => {
  test('reports the node again until it is accepted, and says what went wrong', async () => {
    const allow = lab.server.refuse('PATCH', /^nodes\/.*\/status$/, 500, 'InternalError');
    await annotate(NODE, 'pressure', 'memory');
    await lab.advance(5_000, 500);
    expect(JSON.stringify(lab.told)).toContain('InternalError');
    allow();
    await lab.until(NODE, condition('MemoryPressure', 'True'), 20_000);
    await annotate(NODE, 'pressure', null);
    await lab.until(NODE, condition('MemoryPressure', 'False'), 20_000);
  });

  test('deletes a terminated pod again until it is gone', async () => {
    await lab.create(PODS, podThat('stubborn', 'trap "" TERM; sleep 3600'));
    await lab.until(`${PODS}/stubborn`, isRunning);
    await lab.delete(`${PODS}/stubborn`, { gracePeriodSeconds: 2 });
    const allow = lab.server.refuse('DELETE', /\/pods\//, 500, 'InternalError');
    await lab.advance(10_000, 500);
    expect((await lab.get(`${PODS}/stubborn`)).metadata.deletionTimestamp).toBeDefined();
    allow();
    await lab.gone(`${PODS}/stubborn`);
  });

  test('writes how a stopped pod ended until that is accepted, before it deletes the pod', async () => {
    await lab.create(PODS, podThat('unheard', 'sleep 3600'));
    await lab.until(`${PODS}/unheard`, isRunning);
    const allow = lab.server.refuse('PATCH', /\/pods\/.*\/status$/, 500, 'InternalError');
    await lab.delete(`${PODS}/unheard`, { gracePeriodSeconds: 1 });
    await lab.advance(5_000, 500);
    allow();
    await lab.gone(`${PODS}/unheard`);
  });
});

describe('a node that is down', () => {
  test('starts no pod, reports no exit, and takes up both when it is back', async () => {
    await lab.create(PODS, {
      ...podThat('short', 'sleep 3'),
      spec: { ...podThat('', 'sleep 3').spec, restartPolicy: 'Never' },
    });
    await lab.until(`${PODS}/short`, isRunning);
    await annotate(NODE, 'down', 'true');
    const late = podThat('late', 'sleep 3600');
    await lab.create(PODS, { ...late, spec: { ...late.spec, nodeName: 'node-1' } });
    await lab.advance(10_000, 500);
    expect((await lab.get(`${PODS}/short`)).status.phase).toBe('Running');
    expect((await lab.get(`${PODS}/late`)).status.phase).toBe('Pending');
    await annotate(NODE, 'down', null);
    await lab.until(`${PODS}/short`, (pod) => pod.status.phase === 'Succeeded');
    await lab.until(`${PODS}/late`, isRunning);
  });

  test('applies the faults of its pods when it is back', async () => {
    await lab.create(PODS, podThat('faulty', 'sleep 3600', { 'simulation.vitrine.dev/exit-after': '60s' }));
    await lab.until(`${PODS}/faulty`, isRunning);
    await annotate(NODE, 'down', 'true');
    await lab.advance(2_000, 500);
    await annotate(NODE, 'down', null);
    await lab.until(`${PODS}/faulty`, (pod) => pod.status.containerStatuses[0].restartCount === 1, 90_000);
  });

  test('counts the restart that a container was waiting for', async () => {
    await lab.create(PODS, podThat('crash', 'exit 1'));
    const isWaiting = (pod: Loose): boolean =>
      pod.status.containerStatuses?.[0]?.state.waiting?.reason === 'CrashLoopBackOff';
    const before = await lab.until(`${PODS}/crash`, isWaiting);
    const { restartCount } = before.status.containerStatuses[0];
    await annotate(NODE, 'down', 'true');
    await lab.advance(2_000, 500);
    await annotate(NODE, 'down', null);
    const status = (pod: Loose): Loose => pod.status.containerStatuses[0];
    const after = await lab.until(`${PODS}/crash`, (pod) => status(pod).restartCount > restartCount);
    expect(status(after).restartCount).toBe(restartCount + 1);
  });
});
