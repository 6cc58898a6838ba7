import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Device, FileView, MountTable, Tree } from '../../src/programs/index.ts';
import { Keeper, type KeptData } from '../../src/node/keeping/keeper.ts';
import { restoreTree, textOfTree } from '../../src/node/keeping/trees.ts';
import { decodeText, manualClock } from '../../src/std/index.ts';
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
    Object.assign(before.root, { mode: 0o2770, uid: 7, gid: 8 });
    const linked = before.file('one', 'x');
    before.node('two', () => linked);
    const after = tree();
    restoreTree(after, textOfTree(before).text);
    expect(textOfTree(after)).toEqual(textOfTree(before));
    expect([...view(after).read('/l')]).toEqual([0, 255, 10]);
    expect(after.root).toMatchObject({ mode: 0o2770, uid: 7, gid: 8 });
    expect(after.root.entries.get('two')).toBe(after.root.entries.get('one'));
    expect(after.device.used).toBe(before.device.used);
  });

  test.each<[string, (tree: Tree) => void]>([
    [
      'many empty files',
      (t) => {
        for (let i = 0; i < 120_000; i++) t.file(`dir/file-${i}`, '');
      },
    ],
    [
      'a deep directory',
      (t) => {
        let at = t.root;
        for (let i = 0; i < 6000; i++) at = t.directory('a', 0o755, at);
      },
    ],
    ['one large file', (t) => void t.file('large', new Uint8Array(5_000_000))],
    [
      'long names',
      (t) => {
        for (let i = 0; i < 9000; i++) t.file(`${'x'.repeat(240)}${i}`, '');
      },
    ],
  ])('is bounded for %s, and says so', (_, fill) => {
    const before = tree();
    fill(before);
    before.file('small', 'x');
    const { text, isWhole } = textOfTree(before);
    expect(text.length).toBeLessThanOrEqual(1.5 * 1024 * 1024);
    expect(isWhole).toBe(false);
    const after = tree();
    restoreTree(after, text);
  });

  test('keeps small files beside one that is too large', () => {
    const before = tree();
    before.file('large', new Uint8Array(5_000_000));
    before.file('small', 'x');
    const after = tree();
    restoreTree(after, textOfTree(before).text);
    expect(view(after).list('/')).toEqual(['small']);
  });

  test('leaves out the largest files where there is too much', () => {
    const before = tree();
    before.file('large', new Uint8Array(900_000));
    before.file('small', 'x');
    before.file('middle', new Uint8Array(300_000));
    const after = tree();
    restoreTree(after, textOfTree(before).text);
    expect(view(after).list('/')).toEqual(['middle', 'small']);
    expect(decodeText(view(after).read('/small'))).toBe('x');
  });

  test.each([
    '(hidden)',
    '{}',
    '[1, {"path": ""}, {"path": "a/../.."}]',
    '',
    '[{"path":"a","content":"%%%","mode":1,"uid":0,"gid":0,"modified":0}]',
  ])('passes over %j', (text) => {
    expect(() => restoreTree(tree(), text)).not.toThrow();
  });
});

describe('29. the keeper', () => {
  function setup(): {
    keeper: Keeper;
    written: Map<string, string | undefined>[];
    texts: ReadonlyMap<string, string>;
    clock: ReturnType<typeof manualClock>;
    problems: string[];
    fail: (fails: boolean) => void;
  } {
    const clock = manualClock();
    const texts = new Map<string, string>();
    const written: Map<string, string | undefined>[] = [];
    const problems: string[] = [];
    let fails = false;
    const data: KeptData = {
      all: () => [...texts],
      get: (key) => texts.get(key),
      write: async (changes) => {
        if (fails) throw new Error('no room');
        written.push(new Map(changes));
        for (const [key, text] of changes)
          if (text === undefined) texts.delete(key);
          else texts.set(key, text);
      },
    };
    return {
      ...{ clock, written, texts, problems },
      fail: (value) => (fails = value),
      keeper: new Keeper({ data, clock, onProblem: (problem) => problems.push(String(problem)) }),
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
    keeper.changed('a', () => 'x'.repeat(4_000_000));
    await clock.step(1_000);
    keeper.changed('a', () => 'y');
    await clock.step(39_999);
    expect(written).toHaveLength(1);
    await clock.step(1);
    expect(written).toHaveLength(2);
  });

  test('keeps whatever changes within a hundred seconds, though all of it changes all the time', async () => {
    const { keeper, texts, clock } = setup();
    const keys = [
      ...['a', 'b', 'c', 'd'].map((name) => ({ key: `volume:${name}`, size: 1.5 * 1024 * 1024 })),
      ...Array.from({ length: 128 }, (_, i) => ({ key: `logs/${i}`, size: 16 * 1024 })),
    ];
    const oldest: number[] = [];
    for (let second = 0; second < 300; second++) {
      for (const { key, size } of keys) keeper.changed(key, () => String(second).padStart(size));
      await clock.step(1000);
      if (second > 150) oldest.push(second - Math.min(...keys.map(({ key }) => Number(texts.get(key)))));
    }
    expect(Math.max(...oldest)).toBeLessThanOrEqual(100);
  });

  test('writes everything at once when it is asked to', async () => {
    const { keeper, texts, clock } = setup();
    keeper.changed('a', () => '1');
    await clock.step(1_000);
    for (const key of ['a', 'volume:b', 'volume:c']) keeper.changed(key, () => '2'.repeat(1_500_000));
    await keeper.keepNow();
    expect([...texts.values()].map((text) => text.length)).toEqual([1_500_000, 1_500_000, 1_500_000]);
    keeper.changed('a', () => '3');
    await clock.step(60_000);
    expect(texts.get('a')).toBe('3');
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

  test('gives up logs that were written longest ago where there is too much, never files', async () => {
    const { keeper, written, clock } = setup();
    keeper.changed('volume:db', () => 'precious');
    for (const key of ['logs/a', 'logs/b', 'logs/c']) {
      keeper.changed(key, () => key.repeat(140_000));
      await clock.step(400_000);
    }
    expect([...(written.at(-1) ?? [])].map(([key, text]) => [key, text?.length])).toEqual([
      ['logs/a', undefined],
      ['logs/c', 840_000],
    ]);
    expect(keeper.read('logs/a')).toBeUndefined();
    expect(keeper.read('volume:db')).toBe('precious');
  });

  test('refuses files that have no room, and leaves those that are there', async () => {
    const { keeper, clock } = setup();
    const refused: string[] = [];
    for (const key of ['volume:a', 'volume:b', 'volume:c']) {
      keeper.changed(
        key,
        () => 'x'.repeat(3_000_000),
        () => refused.push(key),
      );
      await clock.step(400_000);
    }
    expect(refused).toEqual(['volume:c']);
    expect(keeper.read('volume:a')).toHaveLength(3_000_000);
    expect(keeper.read('volume:c')).toBeUndefined();
    keeper.forget(['volume:a']);
    await clock.step(400_000);
    keeper.changed('volume:c', () => 'x'.repeat(3_000_000));
    await clock.step(400_000);
    expect(keeper.read('volume:c')).toHaveLength(3_000_000);
  });

  test('gives up first what was written longest ago before the cluster was opened', async () => {
    const clock = manualClock();
    const texts = new Map([
      ['logs/z', 'z'.repeat(1_000_000)],
      ['logs/a', 'a'.repeat(1_000_000)],
    ]);
    const data: KeptData = {
      all: () => [...texts],
      get: (key) => texts.get(key),
      write: async (changes) => {
        for (const [key, text] of changes)
          if (text === undefined) texts.delete(key);
          else texts.set(key, text);
      },
    };
    const keeper = new Keeper({ data, clock, onProblem: (problem) => expect.unreachable(String(problem)) });
    keeper.changed('logs/new', () => 'n'.repeat(1_000_000));
    await clock.step(1_000);
    expect([...texts.keys()]).toEqual(['logs/a', 'logs/new']);
  });

  test('writes again what could not be written, and ends when it still can not', async () => {
    const { keeper, texts, clock, problems, fail } = setup();
    keeper.changed('volume:a', () => 'the last words');
    fail(true);
    await clock.step(1_000);
    expect(problems).toEqual(['Error: no room']);
    fail(false);
    await clock.step(10_000);
    expect(texts.get('volume:a')).toBe('the last words');
    keeper.changed('volume:a', () => 'later');
    fail(true);
    await expect(keeper.stop()).resolves.toBeUndefined();
    expect(problems).toHaveLength(2);
    expect(texts.get('volume:a')).toBe('the last words');
  });

  test('does not write again what was forgotten while its write failed', async () => {
    const { keeper, texts, clock, fail } = setup();
    keeper.changed('logs/a', () => 'a');
    fail(true);
    await clock.step(1_000);
    keeper.forget(['logs/a']);
    fail(false);
    await clock.step(60_000);
    expect([...texts]).toEqual([]);
  });
});
