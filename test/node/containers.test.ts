import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NodeLab, type Loose } from './lab.ts';

const PODS = '/api/v1/namespaces/default/pods';
const CORE = '/api/v1/namespaces/default';

let lab: NodeLab;

beforeAll(async () => {
  lab = await NodeLab.start({ nodes: 1 });
  await lab.create(`${CORE}/configmaps`, {
    metadata: { name: 'settings' },
    data: { greeting: 'hello', colour: 'blue' },
  });
  await lab.create(`${CORE}/secrets`, { metadata: { name: 'keys' }, data: { token: btoa('s3cret') } });
  await lab.create(`${CORE}/services`, {
    metadata: { name: 'my-svc' },
    spec: { ports: [{ port: 8765 }], clusterIP: '10.0.0.77' },
  });
});
afterAll(() => lab.stop());

const sh = (text: string, more: Loose = {}): Loose => ({
  name: 'c',
  image: 'busybox',
  command: ['sh', '-c', text],
  ...more,
});
const state = (pod: Loose): Loose => pod.status.containerStatuses?.[0]?.state ?? {};
const isReady = (pod: Loose): boolean =>
  pod.status.conditions?.some((c: Loose) => c.type === 'Ready' && c.status === 'True') ?? false;

async function create(name: string, container: Loose, spec: Loose = {}, metadata: Loose = {}): Promise<void> {
  await lab.create(PODS, {
    metadata: { name, ...metadata },
    spec: { restartPolicy: 'Never', containers: [container], ...spec },
  });
}

/** What a pod has written when it has ended. */
async function output(name: string, container: Loose, spec: Loose = {}, metadata: Loose = {}): Promise<string> {
  await create(name, container, spec, metadata);
  await lab.until(`${PODS}/${name}`, (p) => p.status.phase === 'Succeeded' || p.status.phase === 'Failed');
  return lab.get(`${PODS}/${name}/log?container=${container.name}`);
}

const messages = async (name: string, reason: string): Promise<string[]> => {
  const events = await lab.items(`${CORE}/events`);
  return events.filter((e) => e.involvedObject.name === name && e.reason === reason).map((e) => e.message);
};

test('the log of the run before is that of the run before, also once the container is not restarted any more', async () => {
  const script = 'if [ -e /d/x ]; then echo second; else echo first; touch /d/x; exit 1; fi';
  const mounted = sh(script, { volumeMounts: [{ name: 'd', mountPath: '/d' }] });
  const spec = { restartPolicy: 'OnFailure', volumes: [{ name: 'd', emptyDir: {} }] };
  expect(await output('twice', mounted, spec)).toBe('second\n');
  expect(await lab.get(`${PODS}/twice/log?previous=true`)).toBe('first\n');
});

describe('a container’s words and variables', () => {
  test('1: its command, its arguments and $(NAME)', async () => {
    const env = [
      { name: 'A', value: 'x' },
      { name: 'B', value: '$(A)y $(NONE) $$(A)' },
    ];
    expect(await output('words', { name: 'c', image: 'busybox', command: ['echo', '$(A)'], args: ['$(B)'], env })).toBe(
      'x xy $(NONE) $(A)\n',
    );
    expect(await output('args', { name: 'c', image: 'agnhost', args: ['entrypoint-tester', 'a'] })).toBe(
      '[/agnhost entrypoint-tester a]\n',
    );
  });

  test('2: services, config maps, secrets, fields and resources', async () => {
    const env = [
      { name: 'KEY', valueFrom: { configMapKeyRef: { name: 'settings', key: 'colour' } } },
      { name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'keys', key: 'token' } } },
      { name: 'NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      { name: 'NOTE', valueFrom: { fieldRef: { fieldPath: "metadata.annotations['note']" } } },
      { name: 'IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
      { name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '1m' } } },
      { name: 'MEMORY', valueFrom: { resourceFieldRef: { resource: 'requests.memory' } } },
      { name: 'GONE', valueFrom: { configMapKeyRef: { name: 'none', key: 'x', optional: true } } },
    ];
    const resources = { limits: { cpu: '1250m', memory: '64Mi' }, requests: { cpu: '250m', memory: '32Mi' } };
    const envFrom = [
      { prefix: 'P_', configMapRef: { name: 'settings' } },
      { secretRef: { name: 'none', optional: true } },
    ];
    const text = await output(
      'vars',
      sh('env | sort', { env, envFrom, resources }),
      {},
      { annotations: { note: 'mark' } },
    );
    for (const line of [
      'KEY=blue',
      'TOKEN=s3cret',
      'NAME=vars',
      'NOTE=mark',
      'CPU=1250',
      'MEMORY=33554432',
      'P_greeting=hello',
      'MY_SVC_SERVICE_HOST=10.0.0.77',
      'MY_SVC_PORT_8765_TCP=tcp://10.0.0.77:8765',
      'HOSTNAME=vars',
    ])
      expect(text).toContain(`${line}\n`);
    expect(text).toMatch(/^IP=10\.244\.0\.\d+$/m);
    expect(text).not.toContain('GONE');
  });

  test.each([
    [
      'a missing config map',
      { env: [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'none', key: 'a' } } }] },
      'configmap "none" not found',
    ],
    [
      'a missing key',
      { env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'keys', key: 'no' } } }] },
      "couldn't find key no in Secret default/keys",
    ],
    [
      'an absolute sub path',
      {
        volumeMounts: [{ name: 'v', mountPath: '/v', subPathExpr: '$(PLACE)' }],
        env: [{ name: 'PLACE', value: '/x' }],
      },
      'absolute path',
    ],
    [
      'a variable without a value',
      { volumeMounts: [{ name: 'v', mountPath: '/v', subPathExpr: '$(NONE)' }] },
      'missing value for "NONE"',
    ],
    ['root where that is forbidden', { securityContext: { runAsNonRoot: true } }, 'image will run as root'],
  ])('3: %s', async (title, more, message) => {
    const name = title.replaceAll(' ', '-');
    await create(name, sh('true', more), { volumes: [{ name: 'v', emptyDir: {} }] });
    const pod = await lab.until(`${PODS}/${name}`, (p) => state(p).waiting?.reason === 'CreateContainerConfigError');
    expect(state(pod).waiting.message).toContain(message);
    expect(pod.status.phase).toBe('Pending');
  });

  test('3: starts when its configuration has come', async () => {
    await create(
      'later',
      sh('echo $A', { env: [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'late', key: 'a' } } }] }),
    );
    await lab.until(`${PODS}/later`, (p) => state(p).waiting?.reason === 'CreateContainerConfigError');
    await lab.create(`${CORE}/configmaps`, { metadata: { name: 'late' }, data: { a: 'came' } });
    await lab.until(`${PODS}/later`, (p) => p.status.phase === 'Succeeded');
    expect(await lab.get(`${PODS}/later/log`)).toBe('came\n');
  });

  test('4: a program that does not exist', async () => {
    await create('noexec', { name: 'c', image: 'busybox', command: ['nothing'] });
    const pod = await lab.until(`${PODS}/noexec`, (p) => state(p).terminated !== undefined);
    expect(state(pod).terminated).toMatchObject({
      exitCode: 128,
      reason: 'StartError',
      message: expect.stringContaining('executable file not found in $PATH'),
    });
  });

  test('7: more memory than the limit', async () => {
    const args = ['--vm', '1', '--vm-bytes', '250M', '--vm-hang', '1'];
    await create('oom', {
      name: 'c',
      image: 'polinux/stress',
      command: ['stress'],
      args,
      resources: { limits: { memory: '100Mi' } },
    });
    const pod = await lab.until(`${PODS}/oom`, (p) => state(p).terminated !== undefined);
    expect(state(pod).terminated).toMatchObject({ exitCode: 137, reason: 'OOMKilled' });
  });

  test.each([
    ['8: a name that can not be read', 'Bad_Name:x', 'Always', 'InvalidImageName'],
    ['8: an image that is not there and never pulled', 'absent', 'Never', 'ErrImageNeverPull'],
    ['8: a tag that no registry has', 'webserver:404', 'Always', 'ImagePullBackOff'],
  ])('%s', async (_, image, imagePullPolicy, reason) => {
    const name = reason.toLowerCase();
    await create(name, { name: 'c', image, imagePullPolicy });
    await lab.until(`${PODS}/${name}`, (p) => state(p).waiting?.reason === reason);
  });
});

describe('files', () => {
  test('9: config maps, secrets, fields and tokens as files', async () => {
    const volumes = [
      { name: 'plain', configMap: { name: 'settings', items: [{ key: 'greeting', path: 'a/b', mode: 0o400 }] } },
      {
        name: 'all',
        projected: {
          defaultMode: 0o440,
          sources: [
            { secret: { name: 'keys' } },
            { downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } },
          ],
        },
      },
      { name: 'none', configMap: { name: 'none', optional: true } },
    ];
    const volumeMounts = [
      { name: 'plain', mountPath: '/plain' },
      { name: 'all', mountPath: '/all' },
      { name: 'none', mountPath: '/none' },
      { name: 'plain', mountPath: '/one', subPath: 'a/b' },
    ];
    const script =
      'cat /plain/a/b; echo; stat -Lc %a /plain/a/b; cat /all/token; echo; stat -Lc %a /all/token; cat /all/labels; echo; cat /one; echo; ls /none; echo x > /plain/x || readlink /plain/..data | cut -c1-6';
    expect(await output('volumes', sh(script, { volumeMounts }), { volumes }, { labels: { a: 'b', c: 'd' } })).toBe(
      'hello\n400\ns3cret\n440\na="b"\nc="d"\nhello\nsh: can\'t create /plain/x: Read-only file system\n..2026\n',
    );
  });

  test('9: follow their sources', async () => {
    await lab.create(`${CORE}/configmaps`, { metadata: { name: 'live' }, data: { a: 'one' } });
    const volumes = [
      { name: 'v', configMap: { name: 'live' } },
      {
        name: 'd',
        downwardAPI: {
          items: [
            { path: 'note', fieldRef: { fieldPath: "metadata.annotations['note']" } },
            { path: 'tier', fieldRef: { fieldPath: "metadata.labels['tier']" } },
          ],
        },
      },
    ];
    const volumeMounts = [
      { name: 'v', mountPath: '/v' },
      { name: 'd', mountPath: '/d' },
    ];
    await create(
      'live',
      sh('while sleep 1; do cat /v/* /d/note /d/tier; echo; done', { volumeMounts }),
      { volumes },
      { annotations: { note: 'x' }, labels: { tier: 'front' } },
    );
    await lab.until(`${PODS}/live/log`, (text: Loose) => String(text).includes('onexfront'));
    await lab.patch(`${CORE}/configmaps/live`, { data: { a: null, b: 'two' } });
    await lab.patch(`${PODS}/live`, { metadata: { annotations: { note: 'y' } } });
    await lab.until(`${PODS}/live/log`, (text: Loose) => String(text).includes('twoyfront'));
    await lab.patch(`${PODS}/live`, { metadata: { labels: { tier: 'back' } } });
    await lab.until(`${PODS}/live/log`, (text: Loose) => String(text).includes('twoyback'));
  });

  test('11: an emptyDir is shared and outlives its containers', async () => {
    const volumes = [{ name: 'v', emptyDir: { medium: 'Memory' } }];
    const volumeMounts = [{ name: 'v', mountPath: '/v' }];
    const script = 'echo x >> /v/f; [ $(wc -l < /v/f) -ge 3 ] && df -T /v | tail -1 | cut -d" " -f1 && exit 0; exit 1';
    const text = await output('shared', sh(script, { volumeMounts }), {
      volumes,
      restartPolicy: 'OnFailure',
      initContainers: [{ ...sh('echo i > /v/f', { volumeMounts }), name: 'i' }],
    });
    expect(text).toBe('tmpfs\n');
    expect((await lab.get(`${PODS}/shared`)).status.containerStatuses[0].restartCount).toBe(1);
  });

  test('12: names', async () => {
    const spec = {
      hostname: 'me',
      subdomain: 'sub',
      hostAliases: [{ ip: '1.2.3.4', hostnames: ['foo', 'bar'] }],
      dnsConfig: { nameservers: ['1.1.1.1'], searches: ['more'] },
    };
    const text = await output('names', sh('cat /etc/hosts /etc/resolv.conf; hostname; hostname -f'), spec);
    expect(text).toContain('1.2.3.4\tfoo\tbar\n');
    expect(text).toMatch(/^10\.244\.0\.\d+\tme\.sub\.default\.svc\.cluster\.local\tme$/m);
    expect(text).toContain(
      'nameserver 1.1.1.1\nsearch default.svc.cluster.local svc.cluster.local cluster.local more\noptions ndots:5\nme\nme.sub.default.svc.cluster.local\n',
    );
  });

  test('3: a sub path of several names is made, and comes when the variables allow it', async () => {
    const volumes = [{ name: 'v', emptyDir: {} }];
    const env = [{ name: 'NOTE', valueFrom: { fieldRef: { fieldPath: "metadata.annotations['sub']" } } }];
    const volumeMounts = [
      { name: 'v', mountPath: '/sub', subPathExpr: '$(NOTE)/deep' },
      { name: 'v', mountPath: '/all' },
    ];
    await create('deep', sh('touch /sub/f; test -f /all/x/deep/f && echo same', { env, volumeMounts }), { volumes });
    await lab.until(`${PODS}/deep`, (p) => state(p).waiting?.reason === 'CreateContainerConfigError');
    await lab.patch(`${PODS}/deep`, { metadata: { annotations: { sub: 'x' } } });
    await lab.until(`${PODS}/deep`, (p) => p.status.phase === 'Succeeded', 3000);
    expect(await lab.get(`${PODS}/deep/log`)).toBe('same\n');
  });

  test('11: paths of the node lead into one tree, files included', async () => {
    const volumes = [
      { name: 'logs', hostPath: { path: '/var/log' } },
      { name: 'own', hostPath: { path: '/var/log/own', type: 'DirectoryOrCreate' } },
      { name: 'hosts', hostPath: { path: '/etc/hosts', type: 'FileOrCreate' } },
    ];
    const volumeMounts = [
      { name: 'logs', mountPath: '/logs' },
      { name: 'own', mountPath: '/own' },
      { name: 'hosts', mountPath: '/etc/hosts' },
    ];
    const script = 'echo x > /own/f; cat /logs/own/f; cat /etc/hosts | tail -n 1';
    expect(await output('host', sh(script, { volumeMounts }), { volumes })).toBe('x\n127.0.1.1\tnode-1\n');
  });

  test('11: a volume that somebody made of a path of the node shows what lies there', async () => {
    const spec = { storageClassName: 'by-hand', accessModes: ['ReadWriteOnce'] };
    const storage = '1Gi';
    await lab.create('/api/v1/persistentvolumes', {
      metadata: { name: 'made' },
      spec: { ...spec, capacity: { storage }, hostPath: { path: '/srv/data' } },
    });
    await lab.create(`${CORE}/persistentvolumeclaims`, {
      metadata: { name: 'of-path' },
      spec: { ...spec, volumeName: 'made', resources: { requests: { storage } } },
    });
    await lab.patch(`${CORE}/persistentvolumeclaims/of-path`, { status: { phase: 'Bound' } });
    const volumes = [
      { name: 'claimed', persistentVolumeClaim: { claimName: 'of-path' } },
      { name: 'path', hostPath: { path: '/srv/data' } },
    ];
    const volumeMounts = volumes.map(({ name }) => ({ name, mountPath: `/${name}` }));
    const script = 'echo kept > /path/f; cat /claimed/f';
    expect(await output('of-path', sh(script, { volumeMounts }), { volumes })).toBe('kept\n');
  });

  test('10: a path of the node that is not of its type keeps the pod waiting', async () => {
    const volumes = [{ name: 'v', hostPath: { path: '/etc/hosts', type: 'Directory' } }];
    await create('mismatch', sh('true', { volumeMounts: [{ name: 'v', mountPath: '/v' }] }), { volumes });
    await lab.advance(3000);
    expect((await messages('mismatch', 'FailedMount'))[0]).toBe(
      'MountVolume.SetUp failed for volume "v" : hostPath type check failed: /etc/hosts is not a directory',
    );
  });

  test.each<[string, Loose, Loose, string]>([
    ['root', {}, {}, 'CapEff: 00000000a80425fb NoNewPrivs: 0 1000'],
    ['another user', { runAsUser: 1000 }, {}, 'CapEff: 0000000000000000 NoNewPrivs: 0 1000'],
    ['privileged', { privileged: true }, {}, 'CapEff: 0000003fffffffff NoNewPrivs: 0 1000'],
    [
      'other capabilities',
      { capabilities: { drop: ['ALL'], add: ['NET_ADMIN'] } },
      {},
      'CapEff: 0000000000001000 NoNewPrivs: 0 1000',
    ],
    ['no new rights', { allowPrivilegeEscalation: false }, {}, 'CapEff: 00000000a80425fb NoNewPrivs: 1 1000'],
    ['guaranteed', {}, { limits: { cpu: '100m', memory: '1Gi' } }, 'CapEff: 00000000a80425fb NoNewPrivs: 0 -997'],
    ['burstable', {}, { requests: { memory: '1Gi' } }, 'CapEff: 00000000a80425fb NoNewPrivs: 0 870'],
  ])('23: the kernel tells a container what it may do: %s', async (title, securityContext, resources, expected) => {
    const script = "echo $(grep -E 'CapEff|NoNewPrivs' /proc/self/status | tr '\\n' ' ')$(cat /proc/1/oom_score_adj)";
    const name = `may-${title.replaceAll(' ', '-')}`;
    const given = resources.limits ? resources : { requests: { cpu: '0', ...resources.requests } };
    const text = await output(name, sh(script, { securityContext, resources: given }));
    expect(text.replace(/\s+/g, ' ').trim()).toBe(expected);
  });

  test('runs as the user and group that it is given', async () => {
    const spec = {
      securityContext: { runAsUser: 1000, runAsGroup: 3000, fsGroup: 2000 },
      volumes: [{ name: 'v', emptyDir: {} }],
    };
    const script = 'id -u; id -g; id -G; touch /v/f; stat -c %g /v/f; touch /etc/x || touch /tmp/ok && echo ok';
    expect(
      await output(
        'user',
        sh(script, {
          volumeMounts: [{ name: 'v', mountPath: '/v' }],
          securityContext: { readOnlyRootFilesystem: false },
        }),
        spec,
      ),
    ).toContain('1000\n3000\n3000 2000\n2000\n');
  });
});

describe('probes and hooks', () => {
  test('13: a readiness probe to a closed port never succeeds, and each failure is an event', async () => {
    await create('closed', { name: 'c', image: 'nginx', readinessProbe: { httpGet: { port: 81 }, periodSeconds: 1 } });
    await lab.until(`${PODS}/closed`, (p) => state(p).running !== undefined);
    await lab.advance(5000);
    expect(isReady(await lab.get(`${PODS}/closed`))).toBe(false);
    expect((await messages('closed', 'Unhealthy'))[0]).toMatch(
      /^Readiness probe failed: Get "http:\/\/10\.244\.0\.\d+:81\/": dial tcp 10\.244\.0\.\d+:81: connect: connection refused$/,
    );
  });

  test('13, 14: an exec probe restarts the container when its file is gone', async () => {
    const livenessProbe = {
      exec: { command: ['cat', '/tmp/health'] },
      periodSeconds: 1,
      failureThreshold: 1,
      initialDelaySeconds: 2,
    };
    await create(
      'sick',
      sh('trap exit TERM; echo ok > /tmp/health; sleep 5; rm /tmp/health; sleep 600 & wait', { livenessProbe }),
      { restartPolicy: 'Always' },
    );
    await lab.until(`${PODS}/sick`, (p) => p.status.containerStatuses?.[0]?.restartCount > 0);
    expect((await messages('sick', 'Unhealthy'))[0]).toContain("Liveness probe failed: cat: can't open '/tmp/health'");
    expect((await messages('sick', 'Killing'))[0]).toBe('Container c failed liveness probe, will be restarted');
  });

  test('13: a TCP and an HTTP probe against a server that listens', async () => {
    await create('web', {
      name: 'c',
      image: 'nginx',
      ports: [{ name: 'http', containerPort: 80 }],
      readinessProbe: { httpGet: { port: 'http' } },
      livenessProbe: { tcpSocket: { port: 80 } },
    });
    await lab.until(`${PODS}/web`, isReady);
    expect(await messages('web', 'Unhealthy')).toEqual([]);
  });

  test('15: postStart and preStop', async () => {
    await create('server', { name: 'c', image: 'agnhost', args: ['netexec', '--http-port=8080'] });
    const { status } = await lab.until(`${PODS}/server`, isReady);
    const lifecycle = {
      postStart: { exec: { command: ['sh', '-c', `curl -s "http://${status.podIP}:8080/echo?msg=post"`] } },
      preStop: { httpGet: { host: status.podIP, port: 8080, path: '/echo?msg=pre' } },
    };
    await create('hooked', { name: 'c', image: 'agnhost', lifecycle });
    await lab.until(`${PODS}/hooked`, isReady);
    await lab.until(`${PODS}/server/log`, (text: Loose) => String(text).includes('GET /echo?msg=post'));
    await lab.delete(`${PODS}/hooked`);
    await lab.gone(`${PODS}/hooked`);
    expect(await lab.get(`${PODS}/server/log`)).toContain('GET /echo?msg=pre');
  });

  test('15: a postStart that fails ends the container', async () => {
    await create('badhook', { name: 'c', image: 'nginx', lifecycle: { postStart: { exec: { command: ['false'] } } } });
    await lab.until(`${PODS}/badhook`, (p) => state(p).terminated !== undefined);
    expect(await messages('badhook', 'FailedPostStartHook')).toHaveLength(1);
  });

  test.each([
    ['file', 'echo -n DONE > /dev/termination-log; exit 1', {}, 'DONE'],
    ['path', 'echo -n OTHER > /tmp/message', { terminationMessagePath: '/tmp/message' }, 'OTHER'],
    ['log', 'echo last words; exit 1', { terminationMessagePolicy: 'FallbackToLogsOnError' }, 'last words\n'],
    ['quiet', 'echo last words', { terminationMessagePolicy: 'FallbackToLogsOnError' }, undefined],
  ])('16: the termination message: %s', async (name, script, more, message) => {
    await create(`message-${name}`, sh(script, more));
    const pod = await lab.until(`${PODS}/message-${name}`, (p) => state(p).terminated !== undefined);
    expect(state(pod).terminated.message).toBe(message);
  });
});

test('6: what handles SIGTERM ends by itself', async () => {
  await create('handles', sh('trap "echo bye; exit 0" TERM; sleep 3600 & wait'), { terminationGracePeriodSeconds: 30 });
  await lab.until(`${PODS}/handles`, (p) => state(p).running !== undefined);
  await lab.advance(500);
  const began = lab.clock.now();
  await lab.delete(`${PODS}/handles`);
  await lab.gone(`${PODS}/handles`);
  expect(lab.clock.now() - began).toBeLessThan(3000);
});
