import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NodeLab, type Loose } from './lab.ts';

const PODS = '/api/v1/namespaces/default/pods';
const script = (text: string): Loose => ({ image: 'busybox', command: ['sh', '-c', text] });

let lab: NodeLab;

beforeAll(async () => {
  lab = await NodeLab.start({ nodes: 1 });
});
afterAll(() => lab.stop());

const create = (name: string, container: Loose, spec: Loose = {}): Promise<Loose> =>
  lab.create(PODS, { metadata: { name }, spec: { containers: [{ name: 'c', ...container }], ...spec } });

function lookInto(name: string, text: string): Promise<Loose> {
  const ephemeralContainers = [{ name: 'debug', ...script(text) }];
  return lab.send('PUT', `${PODS}/${name}/ephemeralcontainers`, { metadata: { name }, ephemeralContainers });
}

const state = (pod: Loose): Loose => pod.status.ephemeralContainerStatuses?.[0]?.state ?? {};
const isReady = (pod: Loose): boolean =>
  pod.status.conditions?.some((c: Loose) => c.type === 'Ready' && c.status === 'True') ?? false;

describe('a container that looks into a running pod', () => {
  test('is started, tells what it does, and leaves the pod as it was', async () => {
    await create('web', { image: 'nginx' });
    await lab.until(`${PODS}/web`, isReady);
    await lookInto('web', 'echo seen; sleep 600');
    const pod = await lab.until(`${PODS}/web`, (p) => state(p).running !== undefined);
    expect(pod.status.ephemeralContainerStatuses[0]).toMatchObject({ name: 'debug', ready: false, restartCount: 0 });
    expect(isReady(pod)).toBe(true);
    await lab.advance(100);
    expect(await lab.get(`${PODS}/web/log?container=debug`)).toBe('seen\n');
    expect(await lab.get(`${PODS}/web/log`)).not.toContain('seen');
    const { items } = await lab.get('/api/v1/namespaces/default/events');
    const paths = items.map(({ involvedObject }: Loose) => involvedObject.fieldPath);
    expect(paths).toContain('spec.ephemeralContainers{debug}');
  });

  test('is not started again, whatever the policy of the pod', async () => {
    await create('once', { image: 'nginx' }, { restartPolicy: 'Always' });
    await lab.until(`${PODS}/once`, isReady);
    await lookInto('once', 'exit 1');
    const pod = await lab.until(`${PODS}/once`, (p) => state(p).terminated !== undefined);
    expect(state(pod).terminated).toMatchObject({ exitCode: 1, reason: 'Error' });
    await lab.advance(30_000, 1000);
    const later = await lab.get(`${PODS}/once`);
    expect(later.status.ephemeralContainerStatuses[0].restartCount).toBe(0);
    expect(later.status.phase).toBe('Running');
    expect(isReady(later)).toBe(true);
  });

  test('runs while the init containers still fail', async () => {
    await create('stuck', { image: 'nginx' }, { initContainers: [{ name: 'i', ...script('exit 1') }] });
    await lab.until(`${PODS}/stuck`, (p) => p.status.initContainerStatuses?.[0]?.restartCount > 0);
    await lookInto('stuck', 'sleep 600');
    const pod = await lab.until(`${PODS}/stuck`, (p) => state(p).running !== undefined);
    expect(pod.status.phase).toBe('Pending');
  });

  test('goes with its pod', async () => {
    await lab.delete(`${PODS}/web`);
    await lab.gone(`${PODS}/web`);
  });

  test('is not started in a pod that is over', async () => {
    await create('over', script('exit 0'), { restartPolicy: 'Never' });
    await lab.until(`${PODS}/over`, (p) => p.status.phase === 'Succeeded');
    await lookInto('over', 'sleep 600');
    await lab.advance(5000, 500);
    expect((await lab.get(`${PODS}/over`)).status.ephemeralContainerStatuses).toBeUndefined();
  });
});

describe('25: containers that share their processes', () => {
  const log = (name: string, container: string): Promise<string> =>
    lab.get(`${PODS}/${name}/log?container=${container}`) as Promise<string>;

  test('see and signal each other, and none of them is the first process', async () => {
    const containers = [
      { name: 'worker', image: 'busybox', command: ['sleep', '7777'] },
      { name: 'looks', ...script('sleep 1; ps; kill 1 && echo still here; kill $(pgrep sleep); sleep 1000') },
    ];
    await lab.create(PODS, {
      metadata: { name: 'sharing' },
      spec: { shareProcessNamespace: true, restartPolicy: 'Never', containers },
    });
    const pod = await lab.until(`${PODS}/sharing`, (p) =>
      p.status.containerStatuses?.some((s: Loose) => s.state.terminated),
    );
    const worker = pod.status.containerStatuses.find((s: Loose) => s.name === 'worker');
    expect(worker.state.terminated).toMatchObject({ exitCode: 143 });
    expect(await log('sharing', 'looks')).toMatch(
      /^ +PID USER +TIME +COMMAND\n +1 root .* \/pause\n[^]*sleep 7777\n[^]*still here\n$/,
    );
  });

  test('one that is to look at another sees its processes', async () => {
    await create('seen', script('sleep 8888'));
    await lab.until(`${PODS}/seen`, isReady);
    const ephemeralContainers = [{ name: 'debug', targetContainerName: 'c', ...script('ps; sleep 1000') }];
    await lab.send('PUT', `${PODS}/seen/ephemeralcontainers`, { metadata: { name: 'seen' }, ephemeralContainers });
    await lab.until(`${PODS}/seen`, (p) => state(p).running !== undefined);
    await lab.advance(100);
    expect(await log('seen', 'debug')).toContain('sleep 8888');
  });

  test('others see their own alone', async () => {
    await lab.create(PODS, {
      metadata: { name: 'apart' },
      spec: {
        containers: [
          { name: 'a', ...script('sleep 9999') },
          { name: 'b', ...script('ps; sleep 1000') },
        ],
      },
    });
    await lab.until(`${PODS}/apart`, isReady);
    await lab.advance(100);
    expect(await log('apart', 'b')).not.toContain('9999');
  });
});
