/** Claims, volumes of storage drivers, and what is kept of them and of logs when a cluster is opened again. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { persistentVolumes, volumeAttachments } from '../../src/client/index.ts';
import type { KeptData } from '../../src/node/index.ts';
import { NodeLab, type Loose } from './lab.ts';

const CORE = '/api/v1/namespaces/default';
const PODS = `${CORE}/pods`;
const NODE = '/api/v1/nodes/node-1';
const STORAGE = '/apis/storage.k8s.io/v1';

/** What a cluster keeps, as a map. */
class Kept implements KeptData {
  readonly texts = new Map<string, string>();
  /** Refuses what is written. */
  isBroken = false;
  all(): [string, string][] {
    return [...this.texts];
  }
  get(key: string): string | undefined {
    return this.texts.get(key);
  }
  write(changes: ReadonlyMap<string, string | undefined>): Promise<void> {
    if (this.isBroken) return Promise.reject(new Error('the disk is full'));
    for (const [key, text] of changes) {
      this.texts.delete(key);
      if (text !== undefined) this.texts.set(key, text);
    }
    return Promise.resolve();
  }
}

let lab: NodeLab;
let kept: Kept;
beforeEach(async () => {
  kept = new Kept();
  lab = await NodeLab.start({ naming: 'k8s.io', keptData: kept });
});
afterEach(() => lab.stop());

const volumeThat = (name: string, spec: Loose, annotations: Loose = {}): Promise<Loose> =>
  lab.create('/api/v1/persistentvolumes', { metadata: { name, annotations }, spec });

/** A claim, bound to the volume of its name. */
async function claim(name: string, status: Loose = { phase: 'Bound' }, metadata: Loose = {}): Promise<void> {
  await lab.create(`${CORE}/persistentvolumeclaims`, { metadata: { name, ...metadata }, spec: { volumeName: name } });
  await lab.patch(`${CORE}/persistentvolumeclaims/${name}`, { status });
}

const pod = (name: string, claimName: string, script = 'sleep 100000', more: Loose = {}): Promise<Loose> =>
  lab.create(PODS, {
    metadata: { name },
    spec: {
      ...{ restartPolicy: 'Never', terminationGracePeriodSeconds: 0 },
      containers: [
        {
          ...{ name: 'c', image: 'busybox', command: ['sh', '-c', script] },
          volumeMounts: [{ name: 'data', mountPath: '/data' }],
        },
      ],
      volumes: [
        { name: 'data', persistentVolumeClaim: { claimName, ...more } },
        { name: 'other', emptyDir: {} },
      ],
    },
  });
const isRunning = ({ status }: Loose): boolean => status?.phase === 'Running';
const output = async (name: string): Promise<string> => {
  await lab.until(`${PODS}/${name}`, ({ status }) => ['Succeeded', 'Failed'].includes(status.phase));
  return lab.get(`${PODS}/${name}/log`);
};
const messages = async (name: string, reason: string, kind = 'Pod'): Promise<string[]> =>
  (await lab.eventsOf('default', kind, name)).filter((e) => e.reason === reason).map((e) => e.message);
const UNMOUNTED = 'Unable to attach or mount volumes: unmounted volumes=[data], unattached volumes=[data other]: ';

describe('a claim', () => {
  test('that is not there, not bound or going keeps its pod waiting, and events say why', async () => {
    await claim('unbound', { phase: 'Pending' });
    await claim('going', { phase: 'Bound' }, { deletionTimestamp: '2026-01-01T12:00:00Z', finalizers: ['x'] });
    for (const [name, why] of [
      ['absent', 'failed to fetch PVC from API server: persistentvolumeclaims "absent" not found'],
      ['unbound', 'PVC is not bound'],
      ['going', 'PVC is being deleted'],
    ] as const) {
      await pod(name, name);
      await lab.advance(1000);
      expect((await messages(name, 'FailedMount'))[0]).toBe(`${UNMOUNTED}error processing PVC default/${name}: ${why}`);
      const { containerStatuses, phase } = (await lab.get(`${PODS}/${name}`)).status;
      expect([phase, containerStatuses[0].state.waiting.reason]).toEqual(['Pending', 'ContainerCreating']);
    }
    await volumeThat('unbound', {});
    await lab.patch(`${CORE}/persistentvolumeclaims/unbound`, { status: { phase: 'Bound' } });
    await lab.until(`${PODS}/unbound`, isRunning);
  });

  test('that is one of several is told of with the others', async () => {
    await lab.create(PODS, {
      metadata: { name: 'several' },
      spec: {
        containers: [{ name: 'c', image: 'busybox' }],
        volumes: ['one', 'two'].map((name) => ({ name, persistentVolumeClaim: { claimName: name } })),
      },
    });
    await lab.advance(1000);
    const why = (name: string): string =>
      `error processing PVC default/${name}: failed to fetch PVC from API server: persistentvolumeclaims "${name}" not found`;
    expect((await messages('several', 'FailedMount'))[0]).toBe(
      `Unable to attach or mount volumes: unmounted volumes=[one two], unattached volumes=[one two]: ${why('one')}; ${why('two')}`,
    );
  });

  test('keeps its files from one pod to the next, for all the same ones', async () => {
    await volumeThat('files', { capacity: { storage: '1Gi' } });
    await claim('files');
    await pod('writes', 'files', 'echo one > /data/f; sleep 100000');
    await lab.until(`${PODS}/writes`, isRunning);
    await pod(
      'reads',
      'files',
      'cat /data/f; df -T /data | tail -n 1 | cut -d" " -f1; echo two > /data/g && echo wrote',
    );
    expect(await output('reads')).toMatch(/^one\n[^]*wrote\n$/);
    await pod('looks', 'files', 'cat /data/g; touch /data/h || echo no', { readOnly: true });
    expect(await output('looks')).toContain('two\n');
    expect(await lab.get(`${PODS}/looks/log`)).toContain('no\n');
  });

  test.each<[string, Loose, Loose, string]>([
    ['a path of the node', { hostPath: { path: '/srv/one' } }, {}, 'here\n'],
    ['a local disk', { local: { path: '/srv/one' } }, {}, 'here\n'],
    [
      'a path that a provisioner stands for',
      { hostPath: { path: '/srv/one' } },
      { 'pv.kubernetes.io/provisioned-by': 'x' },
      '',
    ],
  ])('of %s shows what lies there', async (title, source, annotations, expected) => {
    const name = title.replaceAll(' ', '-');
    await volumeThat(name, source, annotations);
    await claim(name);
    await lab.create(PODS, {
      metadata: { name: 'maker' },
      spec: {
        restartPolicy: 'Never',
        containers: [
          {
            ...{ name: 'c', image: 'busybox', command: ['sh', '-c', 'echo here > /n/f'] },
            volumeMounts: [{ name: 'n', mountPath: '/n' }],
          },
        ],
        volumes: [{ name: 'n', hostPath: { path: '/srv/one' } }],
      },
    });
    await output('maker');
    await pod('reader', name, 'cat /data/f 2>/dev/null');
    expect(await output('reader')).toBe(expected);
  });

  test('of a local disk that is not there keeps its pod waiting', async () => {
    await volumeThat('disk', { local: { path: '/srv/none' } });
    await claim('disk');
    await pod('waits', 'disk');
    await lab.advance(1000);
    expect((await messages('waits', 'FailedMount'))[0]).toBe(
      'MountVolume.SetUp failed for volume "data" : hostPath type check failed: /srv/none is not a directory',
    );
  });

  test('that is never bound is told by name after two minutes', async () => {
    await claim('never', { phase: 'Pending' });
    await pod('long', 'never');
    await lab.advance(200_000, 1000);
    expect((await messages('long', 'FailedMount')).every((text) => text.startsWith(UNMOUNTED))).toBe(true);
  });
});

describe('a volume of a storage driver', () => {
  const NAME = 'kubernetes.io/csi/d.example.com^h';
  const driver = (mode?: string, spec: Loose = {}): Promise<Loose> =>
    lab.create(`${STORAGE}/csidrivers`, {
      metadata: { name: 'd.example.com', annotations: mode ? { 'simulation.vitrine.dev/driver': mode } : {} },
      spec,
    });
  const attachment = (): Loose =>
    lab.server.put(volumeAttachments, {
      metadata: { name: 'a' },
      spec: { attacher: 'd.example.com', nodeName: 'node-1', source: { persistentVolumeName: 'csi' } },
    });
  const attach = (names: readonly string[] | null): Promise<Loose> =>
    lab.patch(`${NODE}/status`, {
      status: { volumesAttached: names && names.map((name) => ({ name, devicePath: '' })) },
    });
  beforeEach(async () => {
    await volumeThat('csi', { csi: { driver: 'd.example.com', volumeHandle: 'h' } });
    await claim('csi');
  });

  test('is in use as soon as a pod waits for it, mounted once it is attached, and let go with the pod', async () => {
    await pod('p', 'csi');
    await pod('q', 'csi');
    await lab.until(NODE, ({ status }) => status.volumesInUse?.length === 1, 1000);
    expect((await lab.get(NODE)).status.volumesInUse).toEqual([NAME]);
    expect(isRunning(await lab.get(`${PODS}/p`))).toBe(false);
    expect(await messages('p', 'FailedMount')).toEqual([]);
    await attach(['other']);
    await lab.advance(1000);
    expect(isRunning(await lab.get(`${PODS}/p`))).toBe(false);
    await attach(['other', NAME]);
    for (const name of ['p', 'q']) await lab.until(`${PODS}/${name}`, isRunning, 1000);
    await lab.delete(`${PODS}/p`);
    await lab.advance(1000);
    expect((await lab.get(NODE)).status.volumesInUse).toEqual([NAME]);
    await lab.delete(`${PODS}/q`);
    await lab.until(NODE, ({ status }) => !status.volumesInUse, 1000);
  });

  test('that is not attached for two minutes is told of', async () => {
    await pod('p', 'csi');
    await lab.advance(115_000, 1000);
    expect(await messages('p', 'FailedMount')).toEqual([]);
    await lab.advance(10_000, 1000);
    expect(await messages('p', 'FailedMount')).toEqual([`${UNMOUNTED}timed out waiting for the condition`]);
  });

  test('is mounted at once where its driver does not attach', async () => {
    await driver(undefined, { attachRequired: false });
    await pod('p', 'csi');
    await lab.until(`${PODS}/p`, isRunning);
    expect((await lab.get(NODE)).status.volumesInUse).toBeUndefined();
  });

  test('is let go by a pod that is over', async () => {
    await attach([NAME]);
    await pod('p', 'csi', 'true');
    await lab.until(`${PODS}/p`, ({ status }) => status.phase === 'Succeeded');
    await lab.until(NODE, ({ status }) => !status.volumesInUse, 1000);
  });

  test('is attached half a second later where the driver is simulated', async () => {
    await driver('attach');
    attachment();
    await pod('p', 'csi');
    const path = `${STORAGE}/volumeattachments/a`;
    await lab.until(path, ({ status }) => status?.attached === true, 2000);
    expect((await lab.get(path)).status).toEqual({ attached: true });
    expect(lab.server.writes.filter((write) => write.path === 'volumeattachments/a/status')).toHaveLength(1);
  });

  test('is attached by nobody where the driver is another’s', async () => {
    await driver();
    attachment();
    await pod('p', 'csi');
    await lab.advance(5000);
    expect((await lab.get(`${STORAGE}/volumeattachments/a`)).status?.attached).not.toBe(true);
  });

  test('fails as its driver is made to, once, and is attached when that ends', async () => {
    await driver('fail');
    attachment();
    await pod('p', 'csi');
    const path = `${STORAGE}/volumeattachments/a`;
    const { status } = await lab.until(path, (each) => each.status?.attachError !== undefined, 2000);
    expect(status).toEqual({
      attached: false,
      attachError: {
        time: '2026-01-01T12:00:00Z',
        message: 'rpc error: code = Internal desc = the storage does not answer (simulated)',
      },
    });
    await lab.advance(5000);
    expect(lab.server.writes.filter((write) => write.path === 'volumeattachments/a/status')).toHaveLength(1);
    const annotations = { 'simulation.vitrine.dev/driver': 'attach' };
    await lab.patch(`${STORAGE}/csidrivers/d.example.com`, { metadata: { annotations } });
    await lab.until(path, (each) => each.status.attached === true, 2000);
    expect((await lab.get(path)).status.attachError).toBeUndefined();
  });
});

test.each([
  [{ path: 'token' }, { expirationSeconds: 3600 }],
  [
    { path: 'token', audience: 'me', expirationSeconds: 700 },
    { audiences: ['me'], expirationSeconds: 700 },
  ],
])('a token as %j is asked for the account and bound to the pod', async (serviceAccountToken, asked) => {
  const expirationTimestamp = '2026-01-01T13:00:00Z';
  lab.server.answer(/serviceaccounts\/robot\/token$/, ({ spec }: Loose) => ({
    status: { token: JSON.stringify(spec), expirationTimestamp },
  }));
  await lab.create(PODS, {
    metadata: { name: 'p' },
    spec: {
      ...{ serviceAccountName: 'robot', restartPolicy: 'Never' },
      containers: [
        {
          ...{ name: 'c', image: 'busybox', command: ['cat', '/v/token'] },
          volumeMounts: [{ name: 'v', mountPath: '/v' }],
        },
      ],
      volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken }] } }],
    },
  });
  expect(JSON.parse(await output('p'))).toEqual({
    ...asked,
    boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'uid-p' },
  });
});

test('config maps and secrets are watched while a pod needs them', async () => {
  await lab.create(`${CORE}/configmaps`, { metadata: { name: 'm' }, data: { a: '1' } });
  await lab.create(`${CORE}/secrets`, { metadata: { name: 's' }, data: { b: btoa('2') } });
  const volumes = [
    { name: 'm', configMap: { name: 'm' } },
    { name: 's', secret: { secretName: 's' } },
  ];
  const volumeMounts = volumes.map(({ name }) => ({ name, mountPath: `/${name}` }));
  for (const name of ['one', 'two'])
    await lab.create(PODS, {
      metadata: { name },
      spec: {
        ...{ volumes, terminationGracePeriodSeconds: 0 },
        containers: [
          {
            ...{ name: 'c', image: 'busybox', volumeMounts },
            command: ['sh', '-c', 'while sleep 1; do cat /m/* /s/*; echo; done'],
          },
        ],
      },
    });
  const shows =
    (text: string) =>
    (log: Loose): boolean =>
      String(log).endsWith(`\n${text}\n`);
  for (const name of ['one', 'two']) await lab.until(`${PODS}/${name}/log`, shows('12'));
  await lab.delete(`${PODS}/one`);
  await lab.patch(`${CORE}/configmaps/m`, { data: { a: null, c: '3' } });
  await lab.patch(`${CORE}/secrets/s`, { data: { b: btoa('4') } });
  await lab.until(`${PODS}/two/log`, shows('34'), 5000);
  await lab.delete(`${CORE}/configmaps/m`);
  await lab.advance(3000);
  // What is mounted stays as it is while its source is gone.
  expect(shows('34')(await lab.get(`${PODS}/two/log`))).toBe(true);
  const watches = lab.asked.filter(
    ({ path }) =>
      /\/(configmaps|secrets)\?/.test(path) && path.includes('metadata.name') && path.includes('watch=true'),
  );
  expect(watches).toHaveLength(2);
  await lab.delete(`${PODS}/two`);
  await lab.gone(`${PODS}/two`);
});

describe('what is kept', () => {
  const keys = (): string[] => [...kept.texts.keys()].sort();
  const reopen = async (): Promise<void> => {
    await lab.stop();
    lab = await NodeLab.start({ naming: 'k8s.io', keptData: kept, after: lab });
  };

  test('are the files of claims and the logs of containers', async () => {
    await volumeThat('v', {});
    await claim('v');
    await pod('p', 'v', 'if [ -e /data/f ]; then cat /data/f; else echo new; fi; echo kept > /data/f; sleep 100000');
    await pod('done', 'v', 'echo the end');
    await lab.until(`${PODS}/p`, isRunning);
    await output('done');
    await lab.advance(15_000, 500);
    expect(keys()).toEqual(['logs/node-1/uid-done/c/0', 'logs/node-1/uid-p/c/0', 'volume:v']);
    const before = (await lab.get(`${PODS}/p`)).status.containerStatuses[0];
    await reopen();
    await lab.advance(1000);
    expect(await lab.get(`${PODS}/done/log`)).toBe('the end\n');
    // It runs anew under its old name, and finds what it wrote before.
    expect(await lab.get(`${PODS}/p/log`)).toBe('new\nkept\n');
    expect((await lab.get(`${PODS}/p`)).status.containerStatuses[0]).toEqual(before);
    await lab.delete(`${PODS}/p`);
    await lab.delete(`${PODS}/done`);
    await lab.advance(15_000, 500);
    expect(keys()).toEqual(['volume:v']);
    lab.server.remove(persistentVolumes, 'v');
    await lab.advance(15_000, 500);
    expect(keys()).toEqual([]);
  });

  test('goes with what was deleted while the cluster was closed', async () => {
    for (const name of ['v', 'w']) {
      await volumeThat(name, {});
      await claim(name);
      await pod(name, name, 'echo begun; test -e /data/f || echo x > /data/f; sleep 100000');
      await lab.until(`${PODS}/${name}`, isRunning);
    }
    await lab.advance(15_000, 500);
    expect(keys()).toHaveLength(4);
    await lab.stop();
    await lab.delete(`${PODS}/v`, { gracePeriodSeconds: 0 });
    lab.server.remove(persistentVolumes, 'v');
    lab = await NodeLab.start({ naming: 'k8s.io', keptData: kept, after: lab });
    await lab.advance(15_000, 500);
    expect(keys()).toEqual(['logs/node-1/uid-w/c/0', 'volume:w']);
  });

  test('is written when somebody asks for it, and at the end', async () => {
    await volumeThat('v', {});
    await claim('v');
    await pod('p', 'v', 'echo x > /data/f; sleep 100000');
    await lab.until(`${PODS}/p`, isRunning);
    await lab.nodes.keep();
    expect(keys()).toEqual(['volume:v']);
  });

  test('has its limits: a volume with too much is told of, once', async () => {
    await volumeThat('v', {});
    await claim('v');
    await pod(
      'p',
      'v',
      'head -c 3000000 /dev/zero > /data/large; echo x > /data/f; sleep 20; echo y > /data/f; sleep 100000',
    );
    await lab.until(`${PODS}/p`, isRunning);
    await lab.advance(60_000, 500);
    const said = await lab.eventsOf('default', 'PersistentVolumeClaim', 'v');
    expect(said.map(({ type, reason, message, count }) => [type, reason, message, count])).toEqual([
      [
        ...['Warning', 'FilesNotKept'],
        'The volume has too many files, or too large ones: what goes beyond about 1 MiB, 10000 files or paths of 1024 characters is gone after a reload',
        1,
      ],
    ]);
  });

  test('is tried again where it could not be written', async () => {
    kept.isBroken = true;
    await volumeThat('v', {});
    await claim('v');
    await pod('p', 'v', 'echo x > /data/f; sleep 100000');
    await lab.until(`${PODS}/p`, isRunning);
    await lab.advance(15_000, 500);
    expect(keys()).toEqual([]);
    expect(lab.told).toContainEqual(expect.objectContaining({ what: expect.stringContaining('the disk is full') }));
    kept.isBroken = false;
    await lab.advance(15_000, 500);
    expect(keys()).toEqual(['volume:v']);
  });
});

test('resources of every container, also of one for the beginning, are in the files of a pod’s volume', async () => {
  const withLimit = (name: string, cpu: string): Loose => ({
    ...{ name, image: 'busybox', command: ['sh', '-c', 'cat /v/*'], resources: { limits: { cpu } } },
    volumeMounts: [{ name: 'v', mountPath: '/v' }],
  });
  const item = (containerName: string): Loose => ({
    path: containerName,
    resourceFieldRef: { containerName, resource: 'limits.cpu', divisor: '1m' },
  });
  await lab.create(PODS, {
    metadata: { name: 'limits' },
    spec: {
      restartPolicy: 'Never',
      initContainers: [withLimit('first', '250m')],
      containers: [withLimit('main', '500m')],
      volumes: [{ name: 'v', downwardAPI: { items: [item('first'), item('main')] } }],
    },
  });
  expect(await output('limits')).toBe('250500');
});

test('tokens of one path in two volumes are each for their own audience', async () => {
  lab.server.answer(/serviceaccounts\/robot\/token$/, ({ spec }: Loose) => ({
    status: { token: `${spec.audiences ?? 'any'};`, expirationTimestamp: '2026-01-01T13:00:00Z' },
  }));
  const volume = (name: string, more: Loose): Loose => ({
    name,
    projected: { sources: [{ serviceAccountToken: { path: 'token', ...more } }] },
  });
  await lab.create(PODS, {
    metadata: { name: 'two' },
    spec: {
      ...{ serviceAccountName: 'robot', restartPolicy: 'Never' },
      containers: [
        {
          ...{ name: 'c', image: 'busybox', command: ['cat', '/v/token', '/w/token'] },
          volumeMounts: ['v', 'w'].map((name) => ({ name, mountPath: `/${name}` })),
        },
      ],
      volumes: [volume('v', {}), volume('w', { audience: 'me' })],
    },
  });
  expect(await output('two')).toBe('any;me;');
});
