import { describe, expect, test } from 'vitest';
import { Device, FileView, MountTable, Tree } from '../../../src/programs/index.ts';
import { Keeper, type KeptData } from '../../../src/node/keeping/keeper.ts';
import { restoreTree, textOfTree } from '../../../src/node/keeping/trees.ts';
import { decodeText, manualClock } from '../../../src/std/index.ts';

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
    expect(textOfTree(before).isWhole).toBe(true);
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

  test('may have a million and a half characters, and none more', () => {
    const most = 1.5 * 1024 * 1024;
    const sized = (name: string) => {
      const filled = tree();
      filled.file(name, new Uint8Array(1_179_000));
      return textOfTree(filled);
    };
    const spare = most - sized('x').text.length;
    const [fits, isOver] = [sized('x'.repeat(spare)), sized('x'.repeat(spare + 1))];
    expect([fits.isWhole, fits.text.length]).toEqual([true, most - 1]);
    expect([isOver.isWhole, JSON.parse(isOver.text)]).toEqual([false, [expect.objectContaining({ path: '' })]]);
  });

  test.each([
    [1024, true],
    [1025, false],
  ])('has a path of %d characters: %s', (length, isWhole) => {
    const before = tree();
    let at = before.root;
    for (let i = 0; i < 4; i++) at = before.directory('d'.repeat(199), 0o755, at);
    before.directory('e'.repeat(length - 800), 0o755, at);
    const { text, isWhole: isAll } = textOfTree(before);
    expect([isAll, JSON.parse(text)]).toEqual([isWhole, expect.objectContaining({ length: isWhole ? 6 : 5 })]);
  });

  test.each([
    [9_999, true],
    [10_000, false],
  ])('has %d entries below its root: %s', (count, isWhole) => {
    const before = tree();
    for (let i = 0; i < count; i++) before.link(`l${i}`, 'x');
    const { text, isWhole: isAll } = textOfTree(before);
    expect([isAll, (JSON.parse(text) as unknown[]).length]).toEqual([isWhole, 10_000]);
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

  const ROOT = { mode: 0o755, uid: 0, gid: 0, modified: 1 };
  test.each<[object, string[]]>([
    [{ path: 'a', ...ROOT, content: btoa('x') }, ['a']],
    [{ path: 'a', ...ROOT, target: 'b' }, ['a']],
    [{ path: 'a', ...ROOT }, ['a']],
    [{ path: 7, ...ROOT }, []],
    [{ path: 'a', ...ROOT, mode: '7' }, []],
    [{ path: 'a', ...ROOT, uid: undefined }, []],
    [{ path: 'a', ...ROOT, gid: null }, []],
    [{ path: 'a', ...ROOT, modified: 'now' }, []],
    [{ path: 'a', ...ROOT, content: 7 }, []],
    [{ path: 'a', ...ROOT, target: 7, content: btoa('x') }, []],
    [{ path: 'a', ...ROOT, content: '%' }, []],
    [{ path: 'a', same: 'none' }, []],
  ])('takes %j as %j, and goes on', (entry, names) => {
    const after = tree();
    restoreTree(after, JSON.stringify([entry, { path: 'last', ...ROOT }]));
    expect(view(after).list('/')).toEqual([...names, 'last']);
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

  test('writes once for changes of a second, and nothing before the next ten are over', async () => {
    const { keeper, written, clock } = setup();
    keeper.changed('a', () => '1');
    await clock.step(500);
    keeper.changed('b', () => '1');
    await clock.step(500);
    expect(written).toEqual([
      new Map([
        ['a', '1'],
        ['b', '1'],
      ]),
    ]);
    keeper.changed('c', () => '1');
    await clock.step(9_999);
    expect(written).toHaveLength(1);
    await clock.step(1);
    expect(written.at(-1)).toEqual(new Map([['c', '1']]));
  });

  test('begins no write while another lasts', async () => {
    const clock = manualClock();
    const begun: string[][] = [];
    let finish: () => void = () => undefined;
    const write: KeptData['write'] = (changes) => {
      begun.push([...changes.keys()]);
      return new Promise((resolve) => (finish = resolve));
    };
    const data: KeptData = { all: () => [], get: () => undefined, write };
    const keeper = new Keeper({ data, clock, onProblem: (problem) => expect.unreachable(String(problem)) });
    keeper.changed('a', () => '1');
    await clock.step(1_000);
    keeper.changed('b', () => '1');
    await clock.step(60_000);
    expect(begun).toEqual([['a']]);
    finish();
    await clock.step(9_999);
    expect(begun).toEqual([['a']]);
    await clock.step(1);
    expect(begun).toEqual([['a'], ['b']]);
  });

  test('writes nothing once it has stopped, not even what it could not write at its end', async () => {
    const { keeper, written, clock, problems, fail } = setup();
    keeper.changed('a', () => '1');
    fail(true);
    await keeper.stop();
    fail(false);
    keeper.changed('b', () => '1');
    keeper.forget(['a']);
    await clock.step(60_000);
    expect([written, problems]).toEqual([[], ['Error: no room']]);
  });

  test('that has nowhere to write asks for no text', async () => {
    const clock = manualClock();
    const keeper = new Keeper({ data: undefined, clock, onProblem: (problem) => expect.unreachable(String(problem)) });
    keeper.changed('a', () => expect.unreachable('a text is asked for'));
    keeper.forget(['a']);
    await clock.step(60_000);
    await keeper.stop();
    expect([keeper.isOn, keeper.keys(''), keeper.read('a')]).toEqual([false, [], undefined]);
  });

  test('knows what it has written, by the beginning of the key', async () => {
    const { keeper, clock } = setup();
    for (const key of ['logs/n/a/c/0', 'logs/m/a/c/0', 'volume:v', 'volume:w']) keeper.changed(key, () => key);
    expect(keeper.keys('volume:')).toEqual([]);
    await clock.step(1000);
    expect(keeper.keys('logs/n/')).toEqual(['logs/n/a/c/0']);
    expect(keeper.keys('logs/')).toHaveLength(2);
    expect(keeper.keys('volume:w')).toEqual(['volume:w']);
  });

  test('forgets within a second, and what was not written yet at once', async () => {
    const { keeper, written, texts, clock } = setup();
    keeper.changed('volume:v', () => 'x');
    await clock.step(1000);
    keeper.changed('volume:w', () => 'y');
    keeper.forget(['volume:w', 'volume:none']);
    await clock.step(20_000);
    expect(written).toHaveLength(1);
    keeper.forget(['volume:v']);
    expect([...texts.keys()]).toEqual(['volume:v']);
    await clock.step(1000);
    expect([...texts.keys()]).toEqual([]);
    expect(keeper.keys('volume:')).toEqual([]);
  });

  test('leaves out what has no room, whether or not somebody wants to know', async () => {
    const { keeper, written, problems, clock } = setup();
    keeper.changed('volume:large', () => 'x'.repeat(7 * 1024 * 1024));
    keeper.changed('volume:small', () => 'x');
    await clock.step(1000);
    expect([written.map((changes) => [...changes.keys()]), problems]).toEqual([[['volume:small']], []]);
  });

  test('takes up nothing more once it has stopped', async () => {
    const { keeper, written, clock } = setup();
    keeper.changed('volume:v', () => 'x');
    await keeper.stop();
    expect(written).toHaveLength(1);
    keeper.changed('volume:v', () => 'y');
    keeper.forget(['volume:v']);
    await clock.step(60_000);
    expect(written).toHaveLength(1);
  });

  test('does nothing where nothing can be kept', async () => {
    const clock = manualClock();
    const keeper = new Keeper({ data: undefined, clock, onProblem: () => undefined });
    let asked = 0;
    keeper.changed('volume:v', () => `${++asked}`);
    keeper.forget(['volume:v']);
    await clock.step(60_000);
    await keeper.keepNow();
    expect([keeper.isOn, keeper.keys(''), keeper.read('volume:v'), asked]).toEqual([false, [], undefined, 0]);
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
