/** What an agent does where something comes at an unusual time, or is at the edge of what is allowed. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pods } from '../../src/client/index.ts';
import { NodeLab, type Loose } from './lab.ts';

const CORE = '/api/v1/namespaces/default';
const PODS = `${CORE}/pods`;
let lab: NodeLab;

const sh = (text: string, more: Loose = {}): Loose => ({
  ...{ name: 'c', image: 'busybox', command: ['sh', '-c', text] },
  ...more,
});
/** Pods that were over before the node came: none of their containers is known. */
const over = (name: string, phase: string, more: Loose = {}): Loose => ({
  metadata: { namespace: 'default', name, ...more },
  spec: { nodeName: 'node-1', containers: [sh('sleep 1000')] },
  status: { phase, reason: 'Evicted' },
});

beforeAll(async () => {
  lab = await NodeLab.start({
    before: ({ server }) => {
      server.put(pods, over('was-failed', 'Failed'));
      server.put(pods, over('was-done', 'Succeeded'));
      const end = { deletionTimestamp: '2026-01-01T12:00:00Z', deletionGracePeriodSeconds: 1 };
      server.put(pods, over('was-going', 'Failed', end));
      // It would not even be admitted.
      const ending = over('was-ending', 'Pending', end);
      server.put(pods, { ...ending, spec: { ...ending.spec, nodeSelector: { is: 'elsewhere' } } });
    },
  });
});
afterAll(() => lab.stop());

const create = (name: string, container: Loose, spec: Loose = {}, metadata: Loose = {}): Promise<Loose> =>
  lab.create(PODS, { metadata: { name, ...metadata }, spec: { containers: [container], ...spec } });
const first = (pod: Loose): Loose => pod.status?.containerStatuses?.[0] ?? {};
const isRunning = (pod: Loose): boolean => first(pod).state?.running !== undefined;
const hasEnded = (pod: Loose): boolean => first(pod).state?.terminated !== undefined;
const until = (name: string, holds: (pod: Loose) => boolean, atMost?: number): Promise<Loose> =>
  lab.until(`${PODS}/${name}`, holds, atMost);
const events = async (name: string, reason: string): Promise<string[]> =>
  (await lab.eventsOf('default', 'Pod', name)).filter((e) => e.reason === reason).map(({ message }) => message);
const ready = ({ status }: Loose): string =>
  status.conditions?.find(({ type }: Loose) => type === 'Ready')?.status ?? '';

describe('a pod that was there before its node', () => {
  test.each(['was-failed', 'was-done'])('and %s is left as it is', async (name) => {
    await lab.advance(2000);
    const { status } = await lab.get(`${PODS}/${name}`);
    expect(status).toEqual({ phase: name === 'was-done' ? 'Succeeded' : 'Failed', reason: 'Evicted' });
    expect(await lab.reasons('default', 'Pod', name)).toEqual([]);
  });

  test.each(['was-going', 'was-ending'])('and %s is deleted, and begun no more', async (name) => {
    await lab.gone(`${PODS}/${name}`);
    expect(await lab.reasons('default', 'Pod', name)).toEqual([]);
    const told = lab.told.filter((event) => (event as Loose).pod === `default/${name}`);
    expect(told.filter(({ what }: Loose) => what === 'c running')).toEqual([]);
  });
});

describe('another image', () => {
  const changeImage = (name: string, ...containers: Loose[]): Promise<Loose> =>
    lab.patch(`${PODS}/${name}`, { spec: { containers } });

  test('is used at once by a container that waits for its volumes still', async () => {
    const volumes = [{ name: 'v', secret: { secretName: 'late' } }];
    await create('waits', sh('sleep 1000'), { volumes });
    await lab.advance(1000);
    await changeImage('waits', sh('sleep 1000', { image: 'alpine' }));
    await lab.create(`${CORE}/secrets`, { metadata: { name: 'late' } });
    expect(first(await until('waits', isRunning))).toMatchObject({ image: 'alpine', restartCount: 0 });
    expect(await events('waits', 'Pulling')).toEqual(['Pulling image "alpine"']);
    expect(lab.told.filter((event) => /Error/.test(String((event as Loose).what)))).toEqual([]);
    expect(await events('waits', 'Killing')).toEqual([]);
  });

  test('does not begin a container again that has ended for good', async () => {
    const other = sh('sleep 1000', { name: 'd' });
    await lab.create(PODS, {
      metadata: { name: 'half' },
      spec: { restartPolicy: 'Never', containers: [sh('exit 3'), other] },
    });
    await until('half', (pod) => hasEnded(pod) && pod.status.containerStatuses[1].state.running !== undefined);
    await changeImage('half', sh('exit 3', { image: 'alpine' }), other);
    await lab.advance(3000);
    expect(first(await lab.get(`${PODS}/half`))).toMatchObject({ restartCount: 0, image: 'busybox' });
    expect(await events('half', 'Killing')).toEqual([]);
  });
});

test('a hook after the start that its container does not live to see ends nothing', async () => {
  const lifecycle = { postStart: { exec: { command: ['sleep', '5'] } } };
  await create('short', sh('sleep 1', { lifecycle }), { restartPolicy: 'Never' });
  await until('short', ({ status }) => status.phase === 'Succeeded');
  await lab.advance(6000);
  expect(await events('short', 'Killing')).toEqual([]);
  expect(first(await lab.get(`${PODS}/short`)).ready).toBe(false);
});

test('a status that is refused is written again each second until it is taken', async () => {
  const tries = (): number =>
    lab.asked.filter(({ method, path }) => method === 'PATCH' && path.includes('/pods/refused/status')).length;
  await create('refused', sh('sleep 3; exit 1'), { restartPolicy: 'Never' });
  await until('refused', isRunning);
  const allow = lab.server.refuse('PATCH', /pods\/refused\/status/, 500, 'InternalError');
  await lab.advance(5000);
  const before = tries();
  await lab.advance(5000);
  expect(tries() - before).toBe(5);
  allow();
  await until('refused', ({ status }) => status.phase === 'Failed', 2000);
  const written = tries();
  await lab.advance(5000);
  expect(tries()).toBe(written);
});

test('a status is a strategic patch, so that the conditions of others stay', async () => {
  await create('patched', sh('sleep 1000'));
  await until('patched', isRunning);
  const types = lab.asked.filter(({ path }) => path.includes('/pods/patched/status')).map(({ type }) => type);
  expect(new Set(types)).toEqual(new Set(['application/strategic-merge-patch+json']));
});

describe('a pod that is deleted', () => {
  /** The last status that its agent wrote. */
  const lastStatus = (name: string): Loose =>
    lab.server.writes.filter(({ method, path }) => method === 'PATCH' && path.endsWith(`/pods/${name}/status`)).at(-1)
      ?.body.status;

  test('while it waits to start again shows how it ended, and is gone at once', async () => {
    await create('looping', sh('exit 4'));
    await until('looping', (pod) => first(pod).state?.waiting?.reason === 'CrashLoopBackOff');
    const began = lab.clock.now();
    await lab.delete(`${PODS}/looping`);
    await lab.gone(`${PODS}/looping`);
    expect(lab.clock.now() - began).toBeLessThan(500);
    const { state, restartCount } = first({ status: lastStatus('looping') });
    expect([state.terminated?.exitCode, restartCount]).toEqual([4, 1]);
    expect(await events('looping', 'Killing')).toEqual([]);
  });

  test('again with less grace ends the sooner, and is told to stop once', async () => {
    await create('twice', sh('trap "" TERM; while true; do sleep 1; done'));
    await until('twice', isRunning);
    await lab.delete(`${PODS}/twice`, { gracePeriodSeconds: 60 });
    await lab.advance(3000);
    const began = lab.clock.now();
    await lab.delete(`${PODS}/twice`, { gracePeriodSeconds: 4 });
    await lab.gone(`${PODS}/twice`);
    expect(lab.clock.now() - began).toBe(4000);
    expect(first({ status: lastStatus('twice') }).state.terminated).toMatchObject({ exitCode: 137, reason: 'Error' });
    expect(await events('twice', 'Killing')).toEqual(['Stopping container c']);
  });
});

test('a deadline ends a pod that waits for its volumes still', async () => {
  const volumes = [{ name: 'v', secret: { secretName: 'never' } }];
  await create('too-late', sh('sleep 1000'), { volumes, activeDeadlineSeconds: 5 });
  const { status } = await until('too-late', (pod) => pod.status.phase === 'Failed', 6000);
  expect(status.reason).toBe('DeadlineExceeded');
  expect(await events('too-late', 'Created')).toEqual([]);
});

test('a readiness gate opens and closes with the condition that somebody else writes', async () => {
  await create('gated', sh('sleep 1000'), { readinessGates: [{ conditionType: 'x/open' }] });
  const { status } = await until('gated', (pod) => first(pod).ready === true);
  expect(ready({ status })).toBe('False');
  const write = async (value: string): Promise<void> => {
    const pod = await lab.get(`${PODS}/gated`);
    const others = pod.status.conditions.filter(({ type }: Loose) => type !== 'x/open');
    const conditions = [...others, { type: 'x/open', status: value }];
    await lab.patch(`${PODS}/gated/status`, { status: { conditions } });
    await lab.advance(500);
  };
  await write('True');
  expect(ready(await lab.get(`${PODS}/gated`))).toBe('True');
  await write('False');
  expect(ready(await lab.get(`${PODS}/gated`))).toBe('False');
});

test('volumes that do not come are told again after 123 seconds', async () => {
  await create('unmounted', sh('sleep 1000'), { volumes: [{ name: 'v', secret: { secretName: 'never' } }] });
  const late = async (): Promise<string[]> =>
    (await events('unmounted', 'FailedMount')).filter((message) => message.includes('timed out'));
  await lab.advance(122_500, 500);
  expect(await events('unmounted', 'FailedMount')).toEqual([expect.stringContaining('secret "never" not found')]);
  await lab.advance(2000, 500);
  expect(await late()).toEqual([expect.stringMatching(/^Unable to attach or mount volumes: .*timed out waiting for/)]);
});

test('a probe by a program that is not there could not be tried', async () => {
  await create('untried', sh('sleep 1000', { readinessProbe: { exec: { command: ['nothing'] }, periodSeconds: 1 } }));
  await until('untried', isRunning);
  await lab.advance(2000);
  expect((await events('untried', 'Unhealthy'))[0]).toBe(
    'Readiness probe errored: rpc error: code = Unknown desc = failed to exec in container: OCI runtime exec failed: exec failed: exec: "nothing": no such file or directory: unknown',
  );
});

describe('a container', () => {
  test.each<[Loose, string]>([
    [{}, '0'],
    [{ fsGroup: 7 }, '0 7'],
    [{ supplementalGroups: [8, 9] }, '0 8 9'],
    [{ supplementalGroups: [8], fsGroup: 7, runAsGroup: 3 }, '3 8 7'],
  ])('of a pod with %j has the groups %s', async (securityContext, groups) => {
    const name = `groups-${Object.keys(securityContext).length}-${groups.length}`;
    await create(name, sh('id -G'), { restartPolicy: 'Never', securityContext });
    await until(name, ({ status }) => status.phase === 'Succeeded');
    expect(await lab.get(`${PODS}/${name}/log`)).toBe(`${groups}\n`);
  });

  const line = 'x'.repeat(99);
  const many = `i=0; while [ $i -lt 100 ]; do echo`;
  test.each<[string, string, string | undefined]>([
    ['nothing', 'exit 1', undefined],
    ['a-word', 'echo word; exit 1', 'word\n'],
    ['success', 'echo word; exit 0', undefined],
    ['its-file', 'echo word; echo -n file > /dev/termination-log; exit 1', 'file'],
    [
      'many-lines',
      `${many} $i; i=$((i+1)); done; exit 1`,
      Array.from({ length: 80 }, (_, i) => `${i + 20}\n`).join(''),
    ],
    ['long-lines', `${many} ${line}; i=$((i+1)); done; exit 1`, `${line}\n`.repeat(30).slice(-2048)],
  ])('that says %s ends with the end of its log', async (name, script, message) => {
    await create(`says-${name}`, sh(script, { terminationMessagePolicy: 'FallbackToLogsOnError' }), {
      restartPolicy: 'Never',
    });
    const { terminated } = first(await until(`says-${name}`, hasEnded)).state;
    expect(terminated.message).toBe(message);
    expect('message' in terminated).toBe(message !== undefined);
  });

  test('of an unknown image runs for whatever command it has', async () => {
    await create('stand-in', { name: 'c', image: 'example.com/unknown:1', command: ['/serve', '--all'] });
    expect(first(await until('stand-in', isRunning)).restartCount).toBe(0);
    await lab.advance(5000);
    expect(isRunning(await lab.get(`${PODS}/stand-in`))).toBe(true);
  });
});

describe('a path below a volume', () => {
  const init = {
    ...sh('mkdir /v/made; echo found > /v/made/f; echo file > /v/f; ln -s made /v/link'),
    ...{ name: 'i', volumeMounts: [{ name: 'v', mountPath: '/v' }] },
  };
  const spec = { restartPolicy: 'Never', volumes: [{ name: 'v', emptyDir: {} }], initContainers: [init] };
  const mounting = (subPath: string): Loose => ({ volumeMounts: [{ name: 'v', mountPath: '/m', subPath }] });

  test.each([
    ['made', 'cat /m/f', 'found\n'],
    ['made/f', 'cat /m', 'found\n'],
    ['f', 'cat /m', 'file\n'],
    ['link', 'cat /m/f', 'found\n'],
    ['new', 'ls -A /m; [ -d /m ] && echo made', 'made\n'],
    ['made/new', 'ls -A /m; [ -d /m ] && echo made', 'made\n'],
    ['new/deep/er', 'ls -A /m; [ -d /m ] && echo made', 'made\n'],
  ])('%s is found or made', async (subPath, script, output) => {
    const name = `sub-${subPath.replaceAll('/', '-')}`;
    await create(name, sh(script, mounting(subPath)), spec);
    await until(name, hasEnded);
    expect(await lab.get(`${PODS}/${name}/log`)).toBe(output);
  });

  test('that goes through a file keeps the container waiting', async () => {
    await create('through', sh('true', mounting('f/x')), spec);
    const isRefused = (pod: Loose): boolean => first(pod).state?.waiting?.reason === 'CreateContainerConfigError';
    expect(first(await until('through', isRefused)).state.waiting.message).toBe(
      'failed to prepare subPath for volumeMount: not a directory',
    );
  });
});
