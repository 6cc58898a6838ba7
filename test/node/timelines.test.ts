/** What an agent does with a pod, event by event, and when. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { NodeLab, type Loose } from './lab.ts';

const PODS = '/api/v1/namespaces/default/pods';
let lab: NodeLab;
beforeAll(async () => {
  lab = await NodeLab.start({ naming: 'k8s.io' });
});
afterAll(() => lab.stop());

const sh = (text: string, more: Loose = {}): Loose => ({
  ...{ name: 'c', image: 'busybox', command: ['sh', '-c', text] },
  ...more,
});
const create = (name: string, container: Loose, spec: Loose = {}, metadata: Loose = {}): Promise<Loose> =>
  lab.create(PODS, { metadata: { name, ...metadata }, spec: { containers: [container], ...spec } });
const first = (pod: Loose): Loose => pod.status?.containerStatuses?.[0] ?? {};
const isRunning = (pod: Loose): boolean => first(pod).state?.running !== undefined;
const isReady = (pod: Loose): boolean => first(pod).ready === true;
const until = (name: string, holds: (pod: Loose) => boolean, atMost?: number): Promise<Loose> =>
  lab.until(`${PODS}/${name}`, holds, atMost);
const annotate = (name: string, annotations: Loose): Promise<Loose> =>
  lab.patch(`${PODS}/${name}`, { metadata: { annotations } });
/** `TYPE REASON MESSAGE`, with the part of the pod where the event names one. */
const events = async (name: string): Promise<string[]> =>
  (await lab.eventsOf('default', 'Pod', name)).map(({ type, reason, message, involvedObject: { fieldPath } }) =>
    [type, `${reason}:`, message, ...(fieldPath ? [`(${fieldPath})`] : [])].join(' '),
  );

describe('a pod', () => {
  test('is pulled, created and started, each told once, and ended with its grace', async () => {
    await create('plain', sh('sleep 1000'), { terminationGracePeriodSeconds: 5 });
    const created = lab.clock.now();
    const { status } = await until('plain', isRunning);
    expect(lab.clock.now() - created).toBeLessThan(4000);
    expect(Date.parse(status.startTime)).toBe(Math.floor(created / 1000) * 1000);
    const began = lab.clock.now();
    await lab.delete(`${PODS}/plain`);
    await lab.gone(`${PODS}/plain`);
    expect(lab.clock.now() - began).toBe(5000);
    expect(await events('plain')).toEqual([
      'Normal Pulling: Pulling image "busybox" (spec.containers{c})',
      expect.stringMatching(
        /^Normal Pulled: Successfully pulled image "busybox" in [\d.]+m?s \(spec\.containers\{c\}\)$/,
      ),
      'Normal Created: Created container c (spec.containers{c})',
      'Normal Started: Started container c (spec.containers{c})',
      'Normal Killing: Stopping container c (spec.containers{c})',
    ]);
    const writes = lab.server.writes.filter(({ path }) => path.startsWith('namespaces/default/pods/plain'));
    expect(writes.filter(({ method }) => method === 'PATCH').map(({ body }) => body.metadata.uid ?? 'none')).toEqual(
      expect.arrayContaining(['uid-plain']),
    );
    expect(writes.at(-1)).toMatchObject({
      ...{ method: 'DELETE', path: 'namespaces/default/pods/plain' },
      body: { gracePeriodSeconds: 0, preconditions: { uid: 'uid-plain' } },
    });
    const told = lab.told.filter((event) => (event as Loose).pod === 'default/plain');
    const words = told.map(({ what, detail }: Loose) => (detail?.reason ? `${what}: ${detail.reason}` : what));
    expect(words.filter((word, i) => word !== words[i - 1])).toEqual([
      ...['Pending', 'c running', 'Running', 'c ended: Error', 'Running'],
    ]);
    const details = (what: string): Loose[] =>
      told.filter((event: Loose) => event.what === what).map((e: Loose) => e.detail);
    expect(details('c running')).toStrictEqual([{}]);
    expect(details('c ended')).toStrictEqual([{ reason: 'Error' }]);
  });

  test('uses an image that is there, and waits a quarter of a second for its network', async () => {
    const began = lab.clock.now();
    await create('there', sh('sleep 1000', { imagePullPolicy: 'IfNotPresent' }));
    await until('there', isRunning);
    expect(lab.clock.now() - began).toBe(350);
    expect((await events('there'))[0]).toBe(
      'Normal Pulled: Container image "busybox" already present on machine (spec.containers{c})',
    );
    const { image, imageID, containerID } = first(await lab.get(`${PODS}/there`));
    expect([image, imageID]).toEqual(['busybox', 'docker.io/library/busybox:latest@simulated']);
    expect(containerID).toMatch(/^simulation:\/\/[0-9a-f]{64}$/);
  });

  test('that fails is started again at once, then after ten, twenty and more seconds', async () => {
    await create('crash', sh('exit 7'));
    const waits =
      (text: string) =>
      (pod: Loose): boolean =>
        first(pod).state?.waiting?.message === `back-off ${text} restarting failed container=c pod=default/crash`;
    const times: number[] = [];
    for (const [text, seconds] of [
      ['10s', 0],
      ['20s', 8],
      ['40s', 18],
      ['1m20s', 38],
      ['2m40s', 78],
      ['5m0s', 158],
    ] as const) {
      await lab.advance(seconds * 1000, 1000);
      const { status } = await until('crash', waits(text), 5000);
      times.push(Date.parse(status.containerStatuses[0].lastState.terminated.finishedAt));
      expect(first({ status })).toMatchObject({
        ready: false,
        started: false,
        state: { waiting: { reason: 'CrashLoopBackOff' } },
      });
    }
    const between = times.slice(1).map((time, i) => Math.round((time - (times[i] ?? 0)) / 1000));
    for (const [i, seconds] of [10, 20, 40, 80, 160].entries())
      expect(Math.abs((between[i] ?? 0) - seconds)).toBeLessThanOrEqual(1);
    // It waits no longer than five minutes.
    const { restartCount } = first(await lab.get(`${PODS}/crash`));
    await lab.advance(302_000, 1000);
    expect(first(await lab.get(`${PODS}/crash`)).restartCount).toBe(restartCount + 1);
    expect(waits('5m0s')(await lab.get(`${PODS}/crash`))).toBe(true);
    expect(await events('crash')).toContain(
      'Warning BackOff: Back-off restarting failed container (spec.containers{c})',
    );
    await lab.delete(`${PODS}/crash`);
    await lab.gone(`${PODS}/crash`);
  });

  test('whose container ran for more than ten minutes is started again at once', async () => {
    const script = 'if [ -e /v/2 ]; then sleep 700; elif [ -e /v/1 ]; then touch /v/2; exit 1; fi; touch /v/1; exit 1';
    const volumes = [{ name: 'v', emptyDir: {} }];
    await create('lasts', sh(script, { volumeMounts: [{ name: 'v', mountPath: '/v' }] }), { volumes });
    await until('lasts', (pod) => first(pod).restartCount === 2 && isRunning(pod), 100_000);
    await lab.advance(698_000, 1000);
    const ended = await until('lasts', (pod) => first(pod).restartCount === 3, 5000);
    const { finishedAt } = first(ended).lastState.terminated;
    expect(lab.clock.now() - Date.parse(finishedAt)).toBeLessThan(3000);
    await lab.delete(`${PODS}/lasts`, { gracePeriodSeconds: 0 });
  });

  test('ends by signal: what it does not handle ends it with 143, what takes too long with 137', async () => {
    for (const [name, script, code, reason] of [
      ['handles', 'trap "exit 0" TERM; sleep 1000 & wait', 0, 'Completed'],
      ['ignores', 'trap "" TERM; sleep 1000', 137, 'Error'],
    ] as const) {
      await create(name, sh(script), { terminationGracePeriodSeconds: 3 }, { finalizers: ['test.io/keep'] });
      await until(name, isRunning);
      await lab.advance(500);
      await lab.delete(`${PODS}/${name}`);
      const pod = await until(name, (p) => first(p).state?.terminated !== undefined);
      expect(first(pod).state.terminated).toMatchObject({ exitCode: code, reason });
    }
  });

  test('runs no further container once it is deleted', async () => {
    const initContainers = [sh('sleep 100', { name: 'i' })];
    await create('early', sh('sleep 100'), { initContainers, terminationGracePeriodSeconds: 1 });
    await until('early', ({ status }) => status.initContainerStatuses?.[0]?.state.running !== undefined);
    expect(first(await lab.get(`${PODS}/early`)).state.waiting.reason).toBe('PodInitializing');
    await lab.delete(`${PODS}/early`);
    await lab.gone(`${PODS}/early`);
    expect((await events('early')).filter((text) => text.includes('spec.containers'))).toEqual([]);
    expect((await events('early')).at(-1)).toBe('Normal Killing: Stopping container i (spec.initContainers{i})');
  });

  test('that is deleted at once is left to the server, which has no use for its last status', async () => {
    const ended = { deletionTimestamp: '2026-01-01T12:00:00Z', deletionGracePeriodSeconds: 0 };
    const writesOf = (name: string): string[] =>
      lab.server.writes.filter(({ path }) => path.includes(`/pods/${name}`)).map(({ method }) => method);
    for (const [name, finalizers, quick, later] of [
      ['goes', [], [], ['PATCH', 'DELETE']],
      ['stays', ['test.io/keep'], ['PATCH', 'DELETE'], []],
    ] as const) {
      await create(name, sh('sleep 1000'), {}, { finalizers });
      await until(name, isRunning);
      await lab.advance(500);
      const before = writesOf(name).length;
      await lab.server.transport(`${PODS}/${name}`, { method: 'PATCH', body: JSON.stringify({ metadata: ended }) });
      await lab.advance(900);
      const isWritten = writesOf(name).slice(before + 1);
      expect([name, [...new Set(isWritten)]]).toEqual([name, quick]);
      // A server that failed in between leaves the rest to the agent.
      await lab.advance(200);
      const isWrittenLater = writesOf(name).slice(before + 1 + isWritten.length);
      expect([name, [...new Set(isWrittenLater)]]).toEqual([name, later]);
    }
  });

  test('that is deleted while it is set up leaves nothing behind', async () => {
    await create('sudden', sh('sleep 100', { image: 'httpd' }));
    await lab.advance(400);
    await lab.delete(`${PODS}/sudden`);
    await lab.gone(`${PODS}/sudden`);
    expect((await events('sudden')).filter((text) => /Created|Started/.test(text))).toEqual([]);
    await lab.advance(5000);
    expect(lab.nodes.usage()[0]?.pods.map(({ name }) => name)).not.toContain('sudden');
  });

  test('that is there with its end already is ended, not begun', async () => {
    await lab.create(PODS, {
      metadata: { name: 'late', deletionTimestamp: '2026-01-01T12:00:00Z', deletionGracePeriodSeconds: 1 },
      spec: { containers: [sh('sleep 100')] },
    });
    await lab.gone(`${PODS}/late`);
    expect(await events('late')).toEqual([]);
  });

  test('is given up where another of its name took its place', async () => {
    await create('twin', sh('sleep 1000'));
    await until('twin', isRunning);
    const before = first(await lab.get(`${PODS}/twin`)).containerID;
    await lab.delete(`${PODS}/twin`, { gracePeriodSeconds: 0 });
    await create('twin', sh('sleep 1000'));
    const after = await until('twin', isRunning);
    expect(first(after).containerID).not.toBe(before);
    expect(after.metadata.uid).toBe('uid-twin-2');
  });
});

describe('a deadline', () => {
  test('counts from the start of the pod, and ends it with its grace', async () => {
    await create('dated', sh('trap "" TERM; sleep 1000'), {
      activeDeadlineSeconds: 10,
      terminationGracePeriodSeconds: 4,
    });
    const began = lab.clock.now();
    await until('dated', ({ status }) => status.phase === 'Failed');
    expect(lab.clock.now() - began).toBe(10_000);
    const pod = await until('dated', (p) => first(p).state?.terminated !== undefined);
    expect(lab.clock.now() - began).toBe(14_000);
    const message = 'Pod was active on the node longer than the specified deadline';
    expect(pod.status).toMatchObject({ reason: 'DeadlineExceeded', message });
    expect(first(pod).state.terminated.exitCode).toBe(137);
    expect(await events('dated')).toContain(`Normal DeadlineExceeded: ${message}`);
  });

  test('can be put off and taken away', async () => {
    await create('put-off', sh('sleep 1000'), { activeDeadlineSeconds: 5 });
    await until('put-off', isRunning);
    await lab.patch(`${PODS}/put-off`, { spec: { activeDeadlineSeconds: 10 } });
    await lab.advance(6000);
    expect(isRunning(await lab.get(`${PODS}/put-off`))).toBe(true);
    await lab.patch(`${PODS}/put-off`, { spec: { activeDeadlineSeconds: null } });
    await lab.advance(10_000);
    expect(isRunning(await lab.get(`${PODS}/put-off`))).toBe(true);
  });

  test('of a pod that is over already does nothing', async () => {
    await create('over', sh('true'), { restartPolicy: 'Never', activeDeadlineSeconds: 5 });
    await until('over', ({ status }) => status.phase === 'Succeeded');
    await lab.patch(`${PODS}/over`, { spec: { activeDeadlineSeconds: 6 } });
    await lab.advance(10_000);
    expect((await lab.get(`${PODS}/over`)).status.phase).toBe('Succeeded');
  });
});

describe('hooks', () => {
  const exec = (text: string): Loose => ({ exec: { command: ['sh', '-c', text] } });

  test('that fail after the start end the container, and an event says what they said', async () => {
    const lifecycle = { postStart: exec('echo no luck; exit 3') };
    await create('bad-start', sh('trap "exit 0" TERM; sleep 1000 & wait', { lifecycle }), { restartPolicy: 'Never' });
    const { metadata } = await until('bad-start', (pod) => first(pod).state?.terminated !== undefined);
    expect(await events('bad-start')).toEqual(
      expect.arrayContaining([
        `Warning FailedPostStartHook: Exec lifecycle hook ([sh -c echo no luck; exit 3]) for Container "c" in Pod "bad-start_default(${metadata.uid})" failed - error: no luck, message: "no luck\\n" (spec.containers{c})`,
        'Normal Killing: FailedPostStartHook (spec.containers{c})',
      ]),
    );
  });

  test('that fail without a word are told, too, and so are those by HTTP', async () => {
    const lifecycle = { postStart: exec('exit 3'), preStop: { httpGet: { port: 81, path: '/bye' } } };
    await create('silent', sh('sleep 1000', { lifecycle }), {
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: 2,
    });
    await until('silent', (pod) => first(pod).state?.terminated !== undefined);
    const said = (await events('silent')).filter((text) => text.includes('Hook: '));
    expect(said).toEqual([
      expect.stringContaining('failed - error: the command failed, message: ""'),
      expect.stringMatching(
        /^Warning FailedPreStopHook: Http lifecycle hook \(\/bye\) for Container "c" .* connection refused/,
      ),
    ]);
  });

  test('before the end take of the grace, and leave at least two seconds', async () => {
    const lifecycle = { preStop: exec('sleep 100') };
    await create('long', sh('trap "" TERM; sleep 1000', { lifecycle }), { terminationGracePeriodSeconds: 5 });
    await until('long', isRunning);
    const began = lab.clock.now();
    await lab.delete(`${PODS}/long`);
    await lab.gone(`${PODS}/long`);
    expect(lab.clock.now() - began).toBe(7000);
  });

  test('are left out where there is no grace', async () => {
    const lifecycle = { preStop: exec('touch /v/stopped') };
    const volumes = [{ name: 'v', hostPath: { path: '/srv/hooks' } }];
    await create('hurried', sh('sleep 1000', { lifecycle, volumeMounts: [{ name: 'v', mountPath: '/v' }] }), {
      volumes,
    });
    await until('hurried', isRunning);
    await lab.delete(`${PODS}/hurried`, { gracePeriodSeconds: 0 });
    await lab.gone(`${PODS}/hurried`);
    expect(await events('hurried')).not.toContainEqual(expect.stringContaining('Hook'));
  });
});

describe('probes', () => {
  const http = (path: string, more: Loose = {}): Loose => ({ httpGet: { path, port: 80, ...more } });
  const web = (more: Loose): Loose => ({ name: 'c', image: 'agnhost', args: ['netexec', '--http-port=80'], ...more });

  test('begin half a second after the start and the delay, and go on by their period', async () => {
    await create(
      'timed',
      web({ readinessProbe: { ...http('/echo?msg=a'), initialDelaySeconds: 3, periodSeconds: 4 } }),
    );
    const running = await until('timed', isRunning);
    const since = Date.parse(first(running).state.running.startedAt);
    await until('timed', isReady);
    const asked = async (): Promise<number> =>
      (String(await lab.get(`${PODS}/timed/log`)).match(/GET \/echo\?msg=a/g) ?? []).length;
    expect(lab.clock.now() - since).toBeGreaterThanOrEqual(3500);
    expect(lab.clock.now() - since).toBeLessThan(5000);
    expect(await asked()).toBe(1);
    await lab.advance(3900);
    expect(await asked()).toBe(1);
    await lab.advance(200);
    expect(await asked()).toBe(2);
  });

  test.each<[string, Loose, RegExp]>([
    ['an answer that is no success', http('/echo?msg=a&code=500'), /HTTP probe failed with statuscode: 500$/],
    ['a port that is closed', { tcpSocket: { port: 81 } }, /dial tcp 10\.244\.0\.\d+:81: connect: connection refused$/],
    [
      'a host that does not answer',
      { ...http('/', { host: '10.244.0.250' }), timeoutSeconds: 1 },
      /Get "http:\/\/10\.244\.0\.250(:80)?\/": context deadline exceeded \(Client\.Timeout exceeded while awaiting headers\)$/,
    ],
    ['a command that fails', { exec: { command: ['sh', '-c', 'echo bad; exit 1'] } }, /: bad\n$/],
    ['a command that takes too long', { exec: { command: ['sleep', '5'] }, timeoutSeconds: 2 }, /: $/],
  ])('fail for %s', async (title, probe, message) => {
    const name = title.replaceAll(' ', '-');
    await create(name, web({ readinessProbe: { periodSeconds: 1, ...probe } }));
    await until(name, isRunning);
    await lab.advance(8000);
    expect(isReady(await lab.get(`${PODS}/${name}`))).toBe(false);
    const [event] = (await lab.eventsOf('default', 'Pod', name)).filter(({ reason }) => reason === 'Unhealthy');
    expect(event).toMatchObject({ type: 'Warning', involvedObject: { fieldPath: 'spec.containers{c}' } });
    expect(event.message).toMatch(/^Readiness probe failed: /);
    expect(event.message).toMatch(message);
    await lab.delete(`${PODS}/${name}`, { gracePeriodSeconds: 0 });
  });

  test.each<[string, Loose, RegExp]>([
    [
      'a command that is not there',
      { exec: { command: ['nothing'] } },
      /^rpc error: code = Unknown desc = failed to exec in container: .*exec: "nothing"/,
    ],
    [
      'a port by a name that is not there',
      http('/', { port: 'none' }),
      /^strconv\.Atoi: parsing "none": invalid syntax$/,
    ],
    [
      'a socket by a name that is not there',
      { tcpSocket: { port: 'none' } },
      /^strconv\.Atoi: parsing "none": invalid syntax$/,
    ],
    ['a port beyond all', http('/', { port: '70000' }), /^invalid port number: 70000$/],
  ])('can not be tried at %s', async (title, probe, message) => {
    const name = title.replaceAll(' ', '-');
    await create(name, web({ readinessProbe: { periodSeconds: 1, ...probe } }));
    await until(name, isRunning);
    await lab.advance(3000);
    expect(isReady(await lab.get(`${PODS}/${name}`))).toBe(false);
    const [event] = (await lab.eventsOf('default', 'Pod', name)).filter(({ reason }) => reason === 'Unhealthy');
    expect(event.message).toMatch(/^Readiness probe errored: /);
    expect(event.message.replace('Readiness probe errored: ', '')).toMatch(message);
    await lab.delete(`${PODS}/${name}`, { gracePeriodSeconds: 0 });
  });

  test.each<[string, Loose]>([
    ['a redirection', http('/redirect?code=302')],
    ['a path without a slash', http('healthz')],
    ['no path', { httpGet: { port: 80 } }],
    ['a named port', http('/', { port: 'http' })],
    ['an open port', { tcpSocket: { port: 80 } }],
    ['no action', {}],
  ])('succeed for %s', async (title, probe) => {
    const name = `fine-${title.replaceAll(' ', '-')}`;
    await create(name, web({ readinessProbe: probe, ports: [{ name: 'http', containerPort: 80 }] }));
    await until(name, isReady, 8000);
    await lab.delete(`${PODS}/${name}`, { gracePeriodSeconds: 0 });
  });

  test('count: so many failures in a row make not ready, so many successes ready', async () => {
    const readinessProbe = {
      exec: { command: ['test', '-e', '/tmp/ok'] },
      periodSeconds: 1,
      successThreshold: 3,
      failureThreshold: 2,
    };
    await create('counts', sh('touch /tmp/ok; sleep 10; rm /tmp/ok; sleep 1000', { readinessProbe }));
    const running = await until('counts', isRunning);
    const since = Date.parse(first(running).state.running.startedAt);
    await until('counts', isReady);
    expect(Math.round((lab.clock.now() - since) / 1000)).toBeGreaterThanOrEqual(2);
    expect(lab.clock.now() - since).toBeLessThan(5000);
    await until('counts', (pod) => !isReady(pod));
    expect(lab.clock.now() - since).toBeGreaterThan(11_000);
    expect(lab.clock.now() - since).toBeLessThan(14_000);
  });

  test('of the start hold the others back, and restart what does not start', async () => {
    const command = ['test', '-e', '/tmp/up'];
    const startupProbe = { exec: { command }, periodSeconds: 1, failureThreshold: 10 };
    const livenessProbe = { exec: { command: ['false'] }, periodSeconds: 1, failureThreshold: 2 };
    await create('slow', sh('sleep 5; touch /tmp/up; sleep 1000', { startupProbe, livenessProbe }), {
      terminationGracePeriodSeconds: 1,
    });
    await until('slow', isRunning);
    await lab.advance(3000);
    expect(first(await lab.get(`${PODS}/slow`))).toMatchObject({ started: false, ready: false });
    expect((await events('slow')).filter((text) => text.includes('Liveness'))).toEqual([]);
    const started = await until('slow', (pod) => first(pod).started === true);
    const since = Date.parse(first(started).state.running.startedAt);
    expect(lab.clock.now() - since).toBeGreaterThan(4000);
    await until('slow', (pod) => first(pod).restartCount === 1);
    expect(await events('slow')).toEqual(
      expect.arrayContaining([
        'Normal Killing: Container c failed liveness probe, will be restarted (spec.containers{c})',
        'Warning Unhealthy: Startup probe failed:  (spec.containers{c})',
      ]),
    );
    await create('never', sh('sleep 1000', { startupProbe: { ...startupProbe, failureThreshold: 2 } }), {
      terminationGracePeriodSeconds: 1,
    });
    await until('never', (pod) => first(pod).restartCount === 1);
    expect(await events('never')).toContain(
      'Normal Killing: Container c failed startup probe, will be restarted (spec.containers{c})',
    );
    for (const name of ['slow', 'never']) await lab.delete(`${PODS}/${name}`, { gracePeriodSeconds: 0 });
  });

  test('of readiness wait for the start, also where the pod changes', async () => {
    const startupProbe = { exec: { command: ['test', '-e', '/tmp/up'] }, periodSeconds: 1, failureThreshold: 100 };
    const readinessProbe = { exec: { command: ['true'] } };
    await create('unstarted', sh('sleep 1000', { startupProbe, readinessProbe }));
    await until('unstarted', isRunning);
    await annotate('unstarted', { note: 'x' });
    await lab.advance(3000);
    expect(first(await lab.get(`${PODS}/unstarted`))).toMatchObject({ started: false, ready: false });
    await lab.delete(`${PODS}/unstarted`, { gracePeriodSeconds: 0 });
  });

  test('that are made to fail are told, and no longer once that is taken back', async () => {
    const fault = 'simulation.vitrine.dev/readiness';
    await create('made', sh('sleep 1000'), {}, { annotations: { [fault]: 'fail' } });
    await until('made', isRunning);
    await lab.advance(1000);
    expect(isReady(await lab.get(`${PODS}/made`))).toBe(false);
    expect(await events('made')).toContain(
      'Warning Unhealthy: Readiness probe failed: the probe is made to fail (simulated) (spec.containers{c})',
    );
    await annotate('made', { [fault]: null });
    await until('made', isReady, 1000);
  });

  test('of a server that is steady are left out of a long step', async () => {
    const alone = await NodeLab.start();
    await alone.create('/api/v1/namespaces/default/configmaps', {
      ...{ metadata: { name: 'c' }, data: { Corefile: '.:53 {\n    ready\n}\n' } },
    });
    const readinessProbe = { httpGet: { path: '/ready', port: 8181 }, periodSeconds: 1 };
    const image = 'k8s.gcr.io/coredns:1.7.0';
    const volumeMounts = [{ name: 'v', mountPath: '/etc/coredns' }];
    const container = {
      ...{ name: 'c', image, readinessProbe, volumeMounts },
      args: ['-conf', '/etc/coredns/Corefile'],
    };
    const spec = { containers: [container], volumes: [{ name: 'v', configMap: { name: 'c' } }] };
    await alone.create(PODS, { metadata: { name: 'steady' }, spec });
    await alone.until(`${PODS}/steady`, isReady);
    const timers = vi.spyOn(alone.clock, 'setTimeout');
    const probed = (): number => timers.mock.calls.filter(([, ms]) => ms > 900 && ms <= 1000).length;
    await alone.advance(10_000, 500);
    expect(probed()).toBeGreaterThanOrEqual(9);
    timers.mockClear();
    await alone.clock.step(3_600_000);
    expect(probed()).toBeLessThan(50);
    timers.mockRestore();
    expect(isReady(await alone.get(`${PODS}/steady`))).toBe(true);
    const annotations = { 'simulation.vitrine.dev/readiness': 'fail' };
    await alone.patch(`${PODS}/steady`, { metadata: { annotations } });
    await alone.until(`${PODS}/steady`, (pod) => !isReady(pod), 2000);
    await alone.stop();
  });
});

describe('images', () => {
  test('that are not there are asked for after ten, twenty and more seconds', async () => {
    await create('absent', { name: 'c', image: 'webserver:404' });
    const failed = async (): Promise<number> =>
      (await lab.eventsOf('default', 'Pod', 'absent')).find(({ reason }) => reason === 'Pulling')?.count ?? 0;
    const counts: number[] = [];
    for (const seconds of [5, 10, 20, 40]) {
      await lab.advance(seconds * 1000, 500);
      counts.push(await failed());
    }
    expect(counts).toEqual([1, 2, 3, 4]);
    const said = await events('absent');
    expect(said).toEqual(
      expect.arrayContaining([
        'Normal Pulling: Pulling image "webserver:404" (spec.containers{c})',
        expect.stringMatching(/^Warning Failed: Failed to pull image "webserver:404": /),
        'Warning Failed: Error: ErrImagePull (spec.containers{c})',
        'Normal BackOff: Back-off pulling image "webserver:404" (spec.containers{c})',
      ]),
    );
    expect(first(await lab.get(`${PODS}/absent`)).state.waiting).toEqual({
      ...{ reason: 'ImagePullBackOff', message: 'Back-off pulling image "webserver:404"' },
    });
    await lab.delete(`${PODS}/absent`, { gracePeriodSeconds: 0 });
  });

  test('of a registry that is made to fail come when it answers again', async () => {
    const fault = 'simulation.vitrine.dev/pull';
    await create('registry', { name: 'c', image: 'redis' }, {}, { annotations: { [fault]: 'fail' } });
    await until('registry', (pod) => first(pod).state?.waiting?.reason === 'ImagePullBackOff');
    expect(await events('registry')).toContainEqual(
      expect.stringContaining('rpc error: code = Unknown desc = the registry does not answer (simulated)'),
    );
    await annotate('registry', { [fault]: null });
    await until('registry', isRunning, 5000);
    await lab.advance(10_500, 500);
    const { images } = (await lab.get('/api/v1/nodes/node-1')).status;
    expect(images).toContainEqual({
      names: ['docker.io/library/redis:latest', 'redis:latest'],
      sizeBytes: expect.any(Number),
    });
  });

  test('in another spec replace the container, and a program that is not there ends it', async () => {
    await create('other', sh('trap "exit 0" TERM; sleep 1000 & wait'), { restartPolicy: 'Never' });
    await until('other', isRunning);
    await lab.patch(`${PODS}/other`, { spec: { containers: [sh('sleep 1000', { image: 'alpine' })] } });
    const changed = await until('other', (pod) => first(pod).restartCount === 1 && isRunning(pod));
    expect(first(changed)).toMatchObject({ image: 'alpine', lastState: { terminated: { exitCode: 0 } } });
    expect(await events('other')).toContain(
      'Normal Killing: Container c definition changed, will be restarted (spec.containers{c})',
    );
    await create('no-program', { name: 'c', image: 'busybox', command: ['nothing'] }, { restartPolicy: 'Never' });
    const pod = await until('no-program', ({ status }) => status.phase === 'Failed');
    const message = expect.stringContaining('exec: "nothing": executable file not found in $PATH: unknown');
    expect(first(pod).state.terminated).toMatchObject({ exitCode: 128, reason: 'StartError', message });
    expect(first(pod).state.terminated.startedAt).toBe('1970-01-01T00:00:00Z');
    expect(await events('no-program')).toContainEqual(
      expect.stringMatching(/^Warning Failed: Error: failed to create containerd task: .*"nothing"/),
    );
  });
});

test('what is missing in the configuration is told, and tried again after ten seconds', async () => {
  const env = [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'later', key: 'a' } } }];
  await create('config', sh('echo $A', { env }), { restartPolicy: 'Never' });
  const pod = await until('config', (p) => first(p).state?.waiting?.reason === 'CreateContainerConfigError');
  expect(first(pod).state.waiting.message).toBe('configmap "later" not found');
  expect(await events('config')).toContain('Warning Failed: Error: configmap "later" not found (spec.containers{c})');
  await lab.create('/api/v1/namespaces/default/configmaps', { metadata: { name: 'later' }, data: { a: 'here' } });
  await lab.advance(5000);
  expect(isRunning(await lab.get(`${PODS}/config`))).toBe(false);
  await until('config', ({ status }) => status.phase === 'Succeeded', 10_000);
  expect(await lab.get(`${PODS}/config/log`)).toBe('here\n');
});

test('a container’s fault ends it when its time has come', async () => {
  const annotations = { 'simulation.vitrine.dev/exit-after': '10s', 'simulation.vitrine.dev/exit-code': '9' };
  await create('faulty', sh('sleep 1000'), { restartPolicy: 'Never' }, { annotations });
  const running = await until('faulty', isRunning);
  const since = Date.parse(first(running).state.running.startedAt);
  const ended = await until('faulty', ({ status }) => status.phase === 'Failed', 20_000);
  const { exitCode, reason, finishedAt } = first(ended).state.terminated;
  expect([exitCode, reason, Date.parse(finishedAt) - since]).toEqual([9, 'Error', 10_000]);
});
