import { afterEach, describe, expect, test } from 'vitest';
import { Device, FileView, MountTable, Tree } from '../../src/programs/index.ts';
import { Keeper, type KeptData } from '../../src/node/keeping/keeper.ts';
import { restoreTree, textOfTree } from '../../src/node/keeping/trees.ts';
import { decodeText, manualClock } from '../../src/std/index.ts';
import { memoryBackend, memoryDisk, type MemoryDisk } from '../../src/storage/index.ts';
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

describe('29. a tree as a text', () => {
  const tree = (): Tree => new Tree(new Device('d', 'ext4', Infinity), () => 5);
  const view = ({ root }: Tree): FileView =>
    new FileView(
      new MountTable(root),
      () => ({ user: { uid: 0, gid: 0, groups: [] }, cwd: '/', umask: 0 }),
      () => 5,
    );

  test('comes back as it was', () => {
    const before = tree();
    before.file('a/b', new Uint8Array([0, 255, 10]), 0o600);
    before.link('l', 'a/b');
    before.directory('empty').mode = 0o1777;
    const after = tree();
    restoreTree(after, textOfTree(before));
    expect(textOfTree(after)).toBe(textOfTree(before));
    expect([...view(after).read('/l')]).toEqual([0, 255, 10]);
  });

  test('leaves out the largest files where there is too much', () => {
    const before = tree();
    before.file('large', new Uint8Array(900_000));
    before.file('small', 'x');
    before.file('middle', new Uint8Array(300_000));
    const after = tree();
    restoreTree(after, textOfTree(before));
    expect(view(after).list('/')).toEqual(['middle', 'small']);
    expect(decodeText(view(after).read('/small'))).toBe('x');
  });

  test.each(['(hidden)', '{}', '[1, {"path": ""}, {"path": "a/../.."}]', ''])('passes over %j', (text) => {
    expect(() => restoreTree(tree(), text)).not.toThrow();
  });
});

describe('29. the keeper', () => {
  function setup(): {
    keeper: Keeper;
    written: Map<string, string | undefined>[];
    clock: ReturnType<typeof manualClock>;
  } {
    const clock = manualClock();
    const texts = new Map<string, string>();
    const written: Map<string, string | undefined>[] = [];
    const data: KeptData = {
      all: () => [...texts],
      get: (key) => texts.get(key),
      write: async (changes) => {
        written.push(new Map(changes));
        for (const [key, text] of changes)
          if (text === undefined) texts.delete(key);
          else texts.set(key, text);
      },
    };
    return {
      clock,
      written,
      keeper: new Keeper({ data, clock, onProblem: (problem) => expect.unreachable(String(problem)) }),
    };
  }

  test('writes a second after the first change, then every ten at most', async () => {
    const { keeper, written, clock } = setup();
    keeper.changed('a', () => '1');
    await clock.step(999);
    expect(written).toHaveLength(0);
    await clock.step(1);
    expect(written).toEqual([new Map([['a', '1']])]);
    keeper.changed('a', () => '2');
    await clock.step(9_999);
    expect(written).toHaveLength(1);
    await clock.step(1);
    expect(written).toHaveLength(2);
  });

  test('waits longer after much was written', async () => {
    const { keeper, written, clock } = setup();
    keeper.changed('a', () => 'x'.repeat(1_000_000));
    await clock.step(1_000);
    keeper.changed('a', () => 'y');
    await clock.step(39_999);
    expect(written).toHaveLength(1);
    await clock.step(1);
    expect(written).toHaveLength(2);
  });

  test('writes nothing that is as it was, and what was left at the end', async () => {
    const { keeper, written, clock } = setup();
    keeper.changed('a', () => '1');
    await clock.step(1_000);
    keeper.changed('a', () => '1');
    await clock.step(20_000);
    expect(written).toHaveLength(1);
    keeper.changed('b', () => '2');
    await keeper.stop();
    expect(written.at(-1)).toEqual(new Map([['b', '2']]));
  });

  test('gives up what was written longest ago where there is too much', async () => {
    const { keeper, written, clock } = setup();
    for (const key of ['a', 'b', 'c']) {
      keeper.changed(key, () => key.repeat(3 * 1024 * 1024));
      await clock.step(400_000);
    }
    expect([...(written.at(-1) ?? [])].map(([key, text]) => [key, text?.length])).toEqual([
      ['c', 3 * 1024 * 1024],
      ['a', undefined],
    ]);
    expect(keeper.read('a')).toBeUndefined();
  });
});
