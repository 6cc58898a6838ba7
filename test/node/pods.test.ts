import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Bench, type Loose } from '../controllers/bench.ts';

const PODS = '/api/v1/namespaces/default/pods';

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.start({ nodes: 1 });
});
afterAll(() => bench.stop());

function create(name: string, container: Loose = {}, spec: Loose = {}, annotations: Loose = {}): Promise<Loose> {
  return bench.create(PODS, {
    metadata: { name, annotations },
    spec: { containers: [{ name: 'c', image: 'nginx', ...container }], ...spec },
  });
}

const state = (pod: Loose): Loose => pod.status.containerStatuses?.[0]?.state ?? {};
const isReady = (pod: Loose): boolean =>
  pod.status.conditions?.some((c: Loose) => c.type === 'Ready' && c.status === 'True') ?? false;
const script = (text: string): Loose => ({ image: 'busybox', command: ['sh', '-c', text] });

describe('a pod on a simulated node', () => {
  test('comes to run within two seconds, with an address and the events of a real agent', async () => {
    const began = bench.cluster.clock.now();
    await create('quick');
    const pod = await bench.until(`${PODS}/quick`, isReady);
    expect(bench.cluster.clock.now() - began).toBeLessThan(2000);
    // Its container asks for the default namespace's tenth of a CPU.
    expect(pod.status).toMatchObject({ phase: 'Running', hostIP: '192.168.49.10', qosClass: 'Burstable' });
    expect(pod.status.podIP).toMatch(/^10\.244\.0\.\d+$/);
    expect(await bench.reasons('default', 'Pod', 'quick')).toEqual(
      expect.arrayContaining(['Scheduled', 'Pulling', 'Pulled', 'Created', 'Started']),
    );
  });

  test('without a probe is told to run and to be ready in one write, as the kubelet does', async () => {
    const requests = bench.listen('request');
    await create('at-once');
    await bench.until(`${PODS}/at-once`, isReady);
    const writes = requests.flatMap((e) => ('method' in e && e.url.endsWith('/at-once/status') ? e.method : []));
    // That it creates its container, and that it runs and is ready.
    expect(writes).toEqual(['PATCH', 'PATCH']);
  });

  test('that fails again and again waits ever longer between its restarts', async () => {
    await create('crash', script('exit 1'));
    const pod = await bench.until(`${PODS}/crash`, (p) => state(p).waiting?.reason === 'CrashLoopBackOff');
    expect(pod.status.phase).toBe('Running');
    expect(pod.status.containerStatuses[0].lastState.terminated).toMatchObject({ exitCode: 1, reason: 'Error' });
    const again = await bench.until(`${PODS}/crash`, (p) => p.status.containerStatuses[0].restartCount === 3);
    expect(again.status.containerStatuses[0].ready).toBe(false);
  });

  test.each([
    ['Never', 'exit 0', 'Succeeded'],
    ['Never', 'exit 1', 'Failed'],
    ['OnFailure', 'exit 0', 'Succeeded'],
  ])('with restart policy %s that does `%s` ends as %s', async (restartPolicy, text, phase) => {
    const name = `end-${restartPolicy}-${phase}`.toLowerCase();
    await create(name, script(text), { restartPolicy });
    await bench.until(`${PODS}/${name}`, (p) => p.status.phase === phase);
  });

  test('runs its init containers one after the other before the others', async () => {
    const initContainers = [
      { name: 'one', ...script('sleep 1') },
      { name: 'two', ...script('sleep 1') },
    ];
    await create('init', {}, { initContainers });
    const waiting = await bench.until(
      `${PODS}/init`,
      (p) => p.status.initContainerStatuses?.[0]?.state.running !== undefined,
    );
    expect(state(waiting).waiting.reason).toBe('PodInitializing');
    expect(waiting.status.initContainerStatuses[1].state.waiting).toBeDefined();
    const done = await bench.until(`${PODS}/init`, isReady);
    expect(done.status.initContainerStatuses.map((s: Loose) => s.state.terminated.reason)).toEqual([
      'Completed',
      'Completed',
    ]);
  });

  test('whose image can not be had says so', async () => {
    await create('nopull', { image: 'nginx:nope' });
    await bench.until(`${PODS}/nopull`, (p) => state(p).waiting?.reason === 'ImagePullBackOff');
    expect((await bench.get(`${PODS}/nopull`)).status.phase).toBe('Pending');
  });

  test('waits for the secret that it mounts', async () => {
    await create('mount', {}, { volumes: [{ name: 'v', secret: { secretName: 'late' } }] });
    await bench.advance(5000, 500);
    expect(state(await bench.get(`${PODS}/mount`)).waiting.reason).toBe('ContainerCreating');
    expect(await bench.reasons('default', 'Pod', 'mount')).toContain('FailedMount');
    await bench.create('/api/v1/namespaces/default/secrets', { metadata: { name: 'late' } });
    await bench.until(`${PODS}/mount`, isReady);
  });

  test('is ready when its probe has succeeded, and no longer when it is made to fail', async () => {
    const readinessProbe = { httpGet: { port: 80 }, initialDelaySeconds: 5, periodSeconds: 1 };
    await create('probed', { readinessProbe });
    const running = await bench.until(`${PODS}/probed`, (p) => state(p).running !== undefined);
    expect(isReady(running)).toBe(false);
    await bench.until(`${PODS}/probed`, isReady);
    await bench.patch(`${PODS}/probed`, { metadata: { annotations: { 'simulation.vitrine.dev/readiness': 'fail' } } });
    await bench.until(`${PODS}/probed`, (p) => !isReady(p));
    await bench.patch(`${PODS}/probed`, { metadata: { annotations: { 'simulation.vitrine.dev/readiness': null } } });
    await bench.until(`${PODS}/probed`, isReady);
  });

  test('whose liveness probe fails is restarted', async () => {
    await create(
      'sick',
      { livenessProbe: { exec: { command: ['true'] }, periodSeconds: 1 } },
      {},
      { 'simulation.vitrine.dev/liveness': 'fail' },
    );
    await bench.until(`${PODS}/sick`, (p) => p.status.containerStatuses?.[0]?.restartCount > 0);
    expect(await bench.reasons('default', 'Pod', 'sick')).toEqual(expect.arrayContaining(['Unhealthy', 'Killing']));
  });

  test('is gone soon when it listens, and only after its grace when it does not', async () => {
    const lifetime = async (name: string): Promise<number> => {
      await bench.until(`${PODS}/${name}`, (p) => state(p).running !== undefined);
      const began = bench.cluster.clock.now();
      await bench.delete(`${PODS}/${name}`);
      await bench.gone(`${PODS}/${name}`);
      return bench.cluster.clock.now() - began;
    };
    await create('listens', {}, { terminationGracePeriodSeconds: 10 });
    expect(await lifetime('listens')).toBeLessThan(2000);
    await create('deaf', script('sleep 3600'), { terminationGracePeriodSeconds: 10 });
    expect(await lifetime('deaf')).toBeGreaterThanOrEqual(10_000);
  });

  test('gives its logs, the newest lines alone where that is asked for', async () => {
    await create('talks', script('echo one; echo two; sleep 600'));
    await bench.until(`${PODS}/talks`, (p) => state(p).running !== undefined);
    await bench.advance(100);
    expect(await bench.get(`${PODS}/talks/log`)).toBe('one\ntwo\n');
    expect(await bench.get(`${PODS}/talks/log?tailLines=1`)).toBe('two\n');
    expect(await bench.get(`${PODS}/talks/log?timestamps=true&tailLines=1`)).toMatch(
      /^2026-01-01T\d\d:\d\d:\d\d\.\d{9}Z two\n$/,
    );
  });
});
