import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCluster, type Cluster } from '../../src/cluster/index.ts';
import { pairs, parseFlags } from '../../src/cli/command/flags.ts';
import type { Runner } from './family.ts';
import { ourRunner } from './ours.ts';
import { clusterOptions, fill } from './world.ts';

describe('pairs of keys and values', () => {
  const read = (...words: readonly string[]): unknown => {
    const { values } = parseFlags({ env: pairs() }, words, 'kubectl debug');
    return Object.fromEntries(values.env);
  };

  test.each([
    [[], {}],
    [['--env=A=1'], { A: '1' }],
    [['--env=A=1,B=2'], { A: '1', B: '2' }],
    [['--env=A=1', '--env', 'B=2', '--env=A=3'], { A: '3', B: '2' }],
    [['--env=A=1,2'], { A: '1,2' }],
    [['--env="A=1,2",B=3'], { A: '1,2', B: '3' }],
    [['--env="A=1"'], { A: '1' }],
    [['--env=A='], { A: '' }],
    [['--env=A=b=c'], { A: 'b=c' }],
    [['--env==x'], { '': 'x' }],
  ])('%j is %j', (words, expected) => {
    expect(read(...words)).toEqual(expected);
  });

  test.each([['--env=A'], ['--env='], ['--env=A=1,B=2,C']])('%s is refused', (word) => {
    expect(() => read(word)).toThrow('must be formatted as key=value');
  });
});

describe('a debug container that ends at once', () => {
  let cluster: Cluster;
  let run: Runner;
  beforeAll(async () => {
    cluster = await createCluster(clusterOptions({ apiserver: ['--feature-gates=EphemeralContainers=true'] }));
    await fill(cluster);
    run = ourRunner(cluster);
  }, 120_000);
  afterAll(() => cluster.stop());

  test.each([
    ['in a pod', 'debug web-1 --image=busybox -c ends --attach --quiet -- echo said', 'said\n'],
    ['in a copy', 'debug web-1 --image=busybox -c ends --copy-to=copy --attach --quiet -- echo said', 'said\n'],
    ['on a node', 'debug node/node-1 --image=busybox --attach --quiet -- cat /host/etc/hostname', 'node-1\n'],
  ])('%s leaves what it said', async (_, line, expected) => {
    const { out, code } = await run(line, '');
    expect({ out, code }).toEqual({ out: expected, code: 0 });
  });

  test('generated names are new ones each time', async () => {
    for (let i = 0; i < 2; i++) await run('debug web-2 --image=busybox -- true', '');
    const { out } = await run('get pod web-2 -o jsonpath={.spec.ephemeralContainers[*].name}', '');
    const names = out.split(' ');
    expect(new Set(names).size).toBe(2);
    for (const name of names) expect(name).toMatch(/^debugger-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  });
});
