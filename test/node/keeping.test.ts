import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { memoryBackend, memoryDisk, WriteError, type MemoryDisk } from '../../src/storage/index.ts';
import { Bench, type Loose } from '../controllers/bench.ts';

const PODS = '/api/v1/namespaces/default/pods';

describe('29. what a cluster keeps over a reload', () => {
  let bench: Bench | undefined;
  afterEach(async () => {
    await bench?.stop();
    bench = undefined;
  });

  /** Opens the cluster on a disk; the one before is ended as a tab ends that is closed. */
  async function open(disk: MemoryDisk): Promise<Bench> {
    bench = await Bench.start({ nodes: 1 }, { backend: memoryBackend(disk) });
    return bench;
  }

  async function run(on: Bench, name: string, command: string, spec: Loose = {}): Promise<void> {
    const volumeMounts = [{ name: 'data', mountPath: '/data' }];
    const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
    const container = { name: 'c', image: 'busybox', command: ['sh', '-c', command], volumeMounts };
    await on.create(PODS, { metadata: { name }, spec: { containers: [container], volumes, ...spec } });
  }

  async function claim(on: Bench): Promise<void> {
    await on.create('/apis/storage.cluster.io/v1/storageclasses', {
      ...{ metadata: { name: 'simulated' }, provisioner: 'simulation.vitrine.dev/volumes' },
    });
    await on.create('/api/v1/namespaces/default/persistentvolumeclaims', {
      metadata: { name: 'data' },
      spec: {
        ...{ storageClassName: 'simulated', accessModes: ['ReadWriteOnce'] },
        resources: { requests: { storage: '1Gi' } },
      },
    });
  }

  test('are the files of claims and the logs of containers', async () => {
    const disk = memoryDisk();
    const first = await open(disk);
    await claim(first);
    await run(
      first,
      'talks',
      'echo hello; ls /data; date +%s > /data/begun; mkdir -p /data/d; echo x > /data/d/f; sleep 1000000',
    );
    await run(first, 'done', 'echo the end', { restartPolicy: 'Never' });
    await first.until(`${PODS}/done`, (pod) => pod.status.phase === 'Succeeded');
    await first.until(`${PODS}/talks`, (pod) => pod.status.phase === 'Running');
    // Without a word: the tab is closed, and nothing is written at its end.
    await first.advance(3000);
    const copy: MemoryDisk = structuredClone(disk);
    const second = await open(copy);
    await first.stop();
    await second.advance(3000);
    expect(await second.get(`${PODS}/done/log`)).toBe('the end\n');
    // It runs anew under its old name, and finds what it wrote before.
    expect(await second.get(`${PODS}/talks/log`)).toBe('hello\nhello\nbegun\nd\n');
    await run(second, 'reads', 'cat /data/d/f', { restartPolicy: 'Never' });
    await second.until(`${PODS}/reads`, (pod) => pod.status.phase === 'Succeeded');
    expect(await second.get(`${PODS}/reads/log`)).toBe('x\n');
  });

  test('is not the log of a pod that is gone', async () => {
    const disk = memoryDisk();
    const on = await open(disk);
    await claim(on);
    await run(on, 'gone', 'echo secret-word', { restartPolicy: 'Never' });
    await on.until(`${PODS}/gone`, (pod) => pod.status.phase === 'Succeeded');
    await on.advance(3000);
    const kept = (): number =>
      on.cluster.storage.range({ start: '/vitrine/nodes/logs/', end: '/vitrine/nodes/logs0' }).entries.length;
    expect(kept()).toBe(1);
    await on.delete(`${PODS}/gone`);
    await on.gone(`${PODS}/gone`);
    await on.advance(15_000, 500);
    expect(kept()).toBe(0);
  });
});

describe('29. what is not kept for ever', () => {
  const STATIC = 'simulation.vitrine.dev/static-pods';
  const DOWN = 'simulation.vitrine.dev/down';
  const NODE = '/api/v1/nodes/node-1';
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.start({ nodes: 1 }, { backend: memoryBackend(memoryDisk()) });
  });
  afterAll(() => bench.stop());

  const keys = (): string[] =>
    bench.cluster.storage
      .range({ start: '/vitrine/nodes/', end: '/vitrine/nodes0' })
      .entries.map(({ key }) => key.slice('/vitrine/nodes/'.length));
  const run = (name: string, command: string, spec: Loose = {}): Promise<Loose> =>
    bench.create(PODS, {
      metadata: { name },
      spec: {
        terminationGracePeriodSeconds: 0,
        containers: [{ name: 'c', image: 'busybox', command: ['sh', '-c', command] }],
        ...spec,
      },
    });
  const isRunning = (pod: Loose): boolean => pod.status?.phase === 'Running';

  test('are the logs of runs before the last two', async () => {
    await run('crash', 'echo crashed; exit 1');
    await bench.until(`${PODS}/crash`, (pod) => pod.status.containerStatuses?.[0].restartCount >= 4, 600_000);
    await bench.advance(15_000, 500);
    expect(keys()).toHaveLength(2);
    await bench.delete(`${PODS}/crash`);
    await bench.gone(`${PODS}/crash`);
    await bench.advance(15_000, 500);
    expect(keys()).toEqual([]);
  });

  test('are short lines beyond 16 KiB', async () => {
    await run('short', 'i=0; while [ $i -lt 3000 ]; do echo x; i=$((i+1)); done; sleep 100000');
    await bench.advance(30_000, 500);
    const [kept] = bench.cluster.storage.range({ start: '/vitrine/nodes/', end: '/vitrine/nodes0' }).entries;
    expect(kept?.value.length).toBeGreaterThan(10_000);
    expect(kept?.value.length).toBeLessThanOrEqual(16 * 1024);
    await bench.delete(`${PODS}/short`);
    await bench.gone(`${PODS}/short`);
    await bench.advance(15_000, 500);
  });

  test('is the log of a static pod whose manifest goes', async () => {
    const text =
      'apiVersion: v1\nkind: Pod\nmetadata: { name: st }\nspec: { containers: [{ name: c, image: busybox, command: [sh, -c, "echo static; sleep 100000"] }] }\n';
    await bench.patch(NODE, { metadata: { annotations: { [STATIC]: text } } });
    await bench.until(`${PODS}/st-node-1`, isRunning);
    await bench.advance(15_000, 500);
    expect(keys()).toHaveLength(1);
    await bench.patch(NODE, { metadata: { annotations: { [DOWN]: 'true' } } });
    await bench.advance(1000);
    await bench.patch(NODE, { metadata: { annotations: { [DOWN]: null } } });
    await bench.advance(15_000, 500);
    expect(keys()).toHaveLength(1);
    await bench.patch(NODE, { metadata: { annotations: { [STATIC]: null } } });
    await bench.gone(`${PODS}/st-node-1`);
    await bench.advance(15_000, 500);
    expect(keys()).toEqual([]);
  });

  test('is the log of a pod that was deleted while its node was off', async () => {
    await run('lost', 'echo x; sleep 100000');
    await bench.until(`${PODS}/lost`, isRunning);
    await bench.advance(15_000, 500);
    expect(keys()).toHaveLength(1);
    await bench.patch(NODE, { metadata: { annotations: { [DOWN]: 'true' } } });
    await bench.advance(1000);
    await bench.delete(`${PODS}/lost`, { gracePeriodSeconds: 0 });
    await bench.patch(NODE, { metadata: { annotations: { [DOWN]: null } } });
    await run('next', 'sleep 100000');
    await bench.until(`${PODS}/next`, isRunning);
    await bench.advance(15_000, 500);
    expect(keys()).toEqual([]);
  });

  test('are the files of a volume that is gone; what has no room is said in an event', async () => {
    await bench.create('/apis/storage.cluster.io/v1/storageclasses', {
      ...{ metadata: { name: 'simulated' }, provisioner: 'simulation.vitrine.dev/volumes' },
    });
    const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
    await bench.create(claims, {
      metadata: { name: 'one' },
      spec: {
        ...{ storageClassName: 'simulated', accessModes: ['ReadWriteOnce'] },
        resources: { requests: { storage: '1Gi' } },
      },
    });
    const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'one' } }];
    const volumeMounts = [{ name: 'data', mountPath: '/data' }];
    const command = ['sh', '-c', 'echo hi > /data/f; head -c 3000000 /dev/zero > /data/large; sleep 100000'];
    await run('w', '', { volumes, containers: [{ name: 'c', image: 'busybox', command, volumeMounts }] });
    await bench.until(`${PODS}/w`, isRunning);
    await bench.advance(5000, 500);
    expect(keys()).toEqual([expect.stringMatching(/^volume:pvc-/)]);
    expect(await bench.reasons('default', 'PersistentVolumeClaim', 'one')).toContain('FilesNotKept');
    await bench.delete(`${PODS}/w`);
    await bench.gone(`${PODS}/w`);
    await bench.delete(`${claims}/one`);
    await bench.gone(`${claims}/one`);
    await bench.until('/api/v1/persistentvolumes', ({ items }) => items.length === 0);
    await bench.advance(15_000, 500);
    expect(keys()).toEqual([]);
  });
});

describe('29. when nothing can be written any more', () => {
  test('the cluster ends all the same, and closes its storage', async () => {
    const inner = memoryBackend(memoryDisk());
    let fails = false;
    let closed = 0;
    const bench = await Bench.start(
      { nodes: 1 },
      {
        backend: {
          ...inner,
          write: async (batch) => {
            if (fails) throw new WriteError('quota', 'no room');
            return inner.write(batch);
          },
          close: async () => {
            closed += 1;
            return inner.close();
          },
        },
      },
    );
    const command = ['sh', '-c', 'while true; do echo x; sleep 1; done'];
    await bench.create(PODS, {
      metadata: { name: 'p' },
      spec: { containers: [{ name: 'c', image: 'busybox', command }] },
    });
    await bench.until(`${PODS}/p`, (pod) => pod.status.phase === 'Running');
    await bench.advance(5500, 500);
    fails = true;
    await expect(bench.stop()).resolves.toBeUndefined();
    expect(closed).toBe(1);
  });
});
