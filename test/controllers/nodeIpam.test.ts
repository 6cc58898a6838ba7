import { describe, expect, test } from 'vitest';
import { CidrSet, parseBlock } from '../../src/schema/index.ts';
import { Bench, type Loose } from './bench.ts';

function setOf(cidr: string, mask: number): CidrSet {
  const block = parseBlock(cidr);
  if (!block) throw new Error(cidr);
  return new CidrSet(block, mask);
}

const take = (set: CidrSet, count: number): (string | undefined)[] =>
  Array.from({ length: count }, () => set.allocate());

describe('the parts of a block', () => {
  test('are assigned in order, each once', () => {
    expect(take(setOf('10.0.0.0/22', 24), 5)).toEqual([
      '10.0.0.0/24',
      '10.0.1.0/24',
      '10.0.2.0/24',
      '10.0.3.0/24',
      undefined,
    ]);
  });

  test('suffice for five thousand nodes with half of the private range', () => {
    const given = take(setOf('10.128.0.0/9', 24), 5_000);
    expect(new Set(given).size).toBe(5_000);
    expect(given).not.toContain(undefined);
  });

  test('are reused only after all others', () => {
    const set = setOf('10.0.0.0/23', 24);
    take(set, 1);
    set.release('10.0.0.0/24');
    expect(take(set, 2)).toEqual(['10.0.1.0/24', '10.0.0.0/24']);
  });

  test.each<[string, string, (string | undefined)[]]>([
    ['one part', '10.0.1.0/24', ['10.0.0.0/24', '10.0.2.0/24']],
    ['several parts', '10.0.0.0/23', ['10.0.2.0/24', '10.0.3.0/24']],
    ['a piece of a part', '10.0.0.64/26', ['10.0.1.0/24', '10.0.2.0/24']],
    ['all parts', '10.0.0.0/8', [undefined, undefined]],
    ['nothing of the block', '10.1.0.0/24', ['10.0.0.0/24', '10.0.1.0/24']],
    ['another family', 'fd00::/64', ['10.0.0.0/24', '10.0.1.0/24']],
  ])('are skipped if something else has %s', (_, occupied, expected) => {
    const set = setOf('10.0.0.0/22', 24);
    set.occupy(occupied);
    expect(take(set, 2)).toEqual(expected);
  });

  test.each([
    ['more parts than an array may have', 'fd00::/48', 96, 'fd00::/32', 'fd00::/96'],
    ['a mask that is shorter than the block', '10.0.0.0/24', 16, '10.0.0.0/8', '10.0.0.0/16'],
    ['a single part', '10.0.0.0/24', 24, '10.0.0.0/24', '10.0.0.0/24'],
  ])('are unavailable while another block covers them, and available after it: %s', (_, cidr, mask, covering, part) => {
    const set = setOf(cidr, mask);
    set.occupy(covering);
    expect(set.allocate()).toBeUndefined();
    set.release(covering);
    expect(set.allocate()).toBe(part);
    set.release(part);
    expect(set.allocate()).toBeDefined();
  });

  test('are formatted as usual in IPv6', () =>
    expect(take(setOf('fd00::/48', 64), 2)).toEqual(['fd00::/64', 'fd00:0:0:1::/64']));
});

test('nodes get their own ranges, and an event when none is left', async () => {
  const bench = await Bench.start({
    controllerManager: [
      ...['--allocate-node-cidrs=true', '--cluster-cidr=10.9.0.0/23', '--use-service-account-credentials=true'],
    ],
  });
  try {
    for (const name of ['a', 'b', 'c']) await bench.create('/api/v1/nodes', { metadata: { name } });
    const range = async (name: string): Promise<string> =>
      (await bench.until(`/api/v1/nodes/${name}`, (n: Loose) => n.spec.podCIDR !== undefined)).spec.podCIDR;
    const first = [await range('a'), await range('b')];
    expect(first).toEqual(['10.9.0.0/24', '10.9.1.0/24']);
    expect((await bench.get('/api/v1/nodes/c')).spec.podCIDR).toBeUndefined();
    expect(await bench.reasons('default', 'Node', 'c')).toContain('CIDRNotAvailable');
    await bench.delete('/api/v1/nodes/a');
    await bench.patch('/api/v1/nodes/c', { metadata: { labels: { look: 'again' } } });
    expect(await range('c')).toBe('10.9.0.0/24');
  } finally {
    await bench.stop();
  }
});
