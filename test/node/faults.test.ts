import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  faultPatch,
  faults,
  faultsFor,
  faultsSet,
  faultValue,
  initialValue,
  problemOf,
} from '../../src/faults/index.ts';
import { NodeLab, type Loose } from './lab.ts';

const PODS = '/api/v1/namespaces/default/pods';

describe('the list of faults', () => {
  test('names each fault once, each with a valid first value', () => {
    expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
    expect(new Set(faults.map(({ annotation }) => annotation)).size).toBe(faults.length);
    for (const { value } of faults) expect(problemOf(value, initialValue(value))).toBeUndefined();
  });

  test.each([
    ['node-down', 'true', true],
    ['node-down', 'yes', false],
    ['node-pressure', 'memory, disk', true],
    ['node-pressure', 'memory,heat', false],
    ['crash', '255', true],
    ['crash', '256', false],
    ['crash', '-1', false],
    ['exit', '1m30s', true],
    ['exit', '30', false],
    ['readiness', 'flap', true],
    ['readiness', '', false],
  ] as const)('%s: %j', (name, text, isValue) => {
    const fault = faults.find((each) => each.name === name);
    expect(faultValue(name, { [fault?.annotation ?? '']: text })).toBe(isValue ? text : undefined);
  });

  test('reads faults from annotations, and writes them as a patch', () => {
    const [down] = faultsFor('Node');
    const annotations = { 'simulation.vitrine.dev/down': 'true', 'simulation.vitrine.dev/pull': 'fail', other: 'x' };
    expect(faultsSet('Node', annotations)).toEqual([{ fault: down, value: 'true' }]);
    expect(faultsSet('Pod', undefined)).toEqual([]);
    if (down) expect(faultPatch(down, undefined)).toEqual({ metadata: { annotations: { [down.annotation]: null } } });
  });
});

describe('faults at work', () => {
  let lab: NodeLab;
  beforeAll(async () => {
    lab = await NodeLab.start({ nodes: 2 });
  });
  afterAll(() => lab.stop());

  const pod = (name: string, spec: Loose = {}, annotations: Loose = {}): Promise<Loose> =>
    lab.create(PODS, {
      metadata: { name, annotations, labels: { app: name } },
      spec: { containers: [{ name: 'c', image: 'nginx' }], ...spec },
    });
  const set = (path: string, fault: string, value: string | null): Promise<Loose> =>
    lab.patch(path, { metadata: { annotations: { [`simulation.vitrine.dev/${fault}`]: value } } });
  const isReady = (status: string) => (object: Loose) =>
    object.status.conditions?.some((c: Loose) => c.type === 'Ready' && c.status === status) ?? false;
  const status = (object: Loose): Loose => object.status.containerStatuses?.[0] ?? {};

  test('a fault that is set while a container runs ends it, and one that is taken away does not', async () => {
    await pod('late');
    await lab.until(`${PODS}/late`, isReady('True'));
    await set(`${PODS}/late`, 'exit-after', '20s');
    await lab.advance(5000);
    await set(`${PODS}/late`, 'exit-after', null);
    await lab.advance(20_000);
    expect(status(await lab.get(`${PODS}/late`)).restartCount).toBe(0);
    await set(`${PODS}/late`, 'exit-code', '3');
    const crashed = await lab.until(`${PODS}/late`, (p) => status(p).lastState?.terminated !== undefined);
    expect(status(crashed).lastState.terminated).toMatchObject({ exitCode: 3, reason: 'Error' });
  });

  test('a pod without a probe can be made not ready, and to flap', async () => {
    await pod('flap', {}, { 'simulation.vitrine.dev/readiness': 'flap' });
    await lab.until(`${PODS}/flap`, isReady('True'));
    await lab.until(`${PODS}/flap`, isReady('False'), 15_000);
    await lab.until(`${PODS}/flap`, isReady('True'), 15_000);
    await set(`${PODS}/flap`, 'readiness', 'fail');
    await lab.until(`${PODS}/flap`, isReady('False'), 2000);
    await set(`${PODS}/flap`, 'readiness', null);
    await lab.until(`${PODS}/flap`, isReady('True'), 2000);
  });

  test('a pod with a slow start becomes ready only after its delay', async () => {
    await pod('slow', {}, { 'simulation.vitrine.dev/ready-after': '10s' });
    await lab.until(`${PODS}/slow`, (p) => status(p).state?.running);
    await lab.advance(8000);
    expect(isReady('True')(await lab.get(`${PODS}/slow`))).toBe(false);
    await lab.until(`${PODS}/slow`, isReady('True'), 10_000);
  });

  test('a node that is cut off says nothing, its containers go on, and what happened is told when it is back', async () => {
    const once = { name: 'c', image: 'busybox', command: ['sh', '-c', 'sleep 15'] };
    await pod('cut', { nodeName: 'node-2', containers: [once], restartPolicy: 'Never' });
    await lab.until(`${PODS}/cut`, (p) => p.status.phase === 'Running');
    const { names } = lab;
    const lease =
      names.fill('/apis/coordination.{domain}/v1/namespaces/') + `${names.nodeLeaseNamespace}/leases/node-2`;
    const renewed = async (): Promise<string> => (await lab.get(lease)).spec.renewTime;
    await set('/api/v1/nodes/node-2', 'split', 'true');
    const before = await renewed();
    await lab.advance(30_000, 500);
    expect(await renewed()).toBe(before);
    expect((await lab.get(`${PODS}/cut`)).status.phase).toBe('Running');
    await lab.advance(10_000, 500);
    await set('/api/v1/nodes/node-2', 'split', null);
    await lab.until(lease, ({ spec }) => spec.renewTime > before, 20_000);
    const ended = await lab.until(`${PODS}/cut`, (p) => p.status.phase === 'Succeeded');
    const { startedAt, finishedAt } = status(ended).state.terminated;
    expect(Date.parse(finishedAt) - Date.parse(startedAt)).toBe(15_000);
  });

  test('a node that is off answers nobody, and back-off goes on where it was', async () => {
    const node = '/api/v1/nodes/node-2';
    const command = ['sh', '-c', 'exit 1'];
    await pod('crash', { nodeName: 'node-2', containers: [{ name: 'c', image: 'busybox', command }] });
    const waits =
      (text: string) =>
      (p: Loose): boolean =>
        status(p).state?.waiting?.message?.startsWith(text) ?? false;
    await lab.until(`${PODS}/crash`, waits('back-off 20s'));
    await lab.advance(5000);
    await set(node, 'down', 'true');
    await lab.advance(2000);
    expect(await lab.get(`${PODS}/crash/log`)).toMatchObject({
      code: 500,
      message: expect.stringContaining('i/o timeout'),
    });
    await set(node, 'down', null);
    const before = status(await lab.get(`${PODS}/crash`)).restartCount;
    const restarted = await lab.until(`${PODS}/crash`, (p) => status(p).restartCount > before, 20_000);
    expect(status(restarted).restartCount).toBe(before + 1);
    await lab.until(`${PODS}/crash`, waits('back-off 40s'), 5000);
  });
});
