import { describe, expect, test } from 'vitest';
import { PodAddresses } from '../../src/node/addresses.ts';
import { Bench, type Loose } from '../controllers/bench.ts';

const NODES = '/api/v1/nodes';
const PODS = '/api/v1/namespaces/default/pods';
const AGENT = { 'simulation.vitrine.dev/agent': 'true' };

const addressOf = (node: Loose): string | undefined =>
  node.status.addresses?.find((each: Loose) => each.type === 'InternalIP')?.address;

async function withBench(options: Parameters<typeof Bench.start>[0], work: (bench: Bench) => Promise<void>) {
  const bench = await Bench.start(options);
  try {
    await work(bench);
  } finally {
    await bench.stop();
  }
}

test('three hundred nodes start, each with an address and a range of its own', async () => {
  await withBench({ nodes: 300 }, async (bench) => {
    const nodes = await bench.items(NODES);
    expect(nodes).toHaveLength(300);
    expect(new Set(nodes.map((node) => addressOf(node))).size).toBe(300);
    expect(new Set(nodes.map((node) => node.spec.podCIDR)).size).toBe(300);
    expect(nodes.find((node) => node.metadata.name === 'node-257')?.spec.podCIDR).toBe('10.245.0.0/24');
  });
}, 120_000);

test('a node that somebody made and gave an agent shares no address with others', async () => {
  await withBench({ nodes: 1 }, async (bench) => {
    for (const name of ['mine', 'yours']) await bench.create(NODES, { metadata: { name, annotations: AGENT } });
    const seen = [await bench.get(`${NODES}/node-1`)];
    for (const name of ['mine', 'yours'])
      seen.push(await bench.until(`${NODES}/${name}`, (node) => addressOf(node) !== undefined));
    expect(seen.map((node) => [addressOf(node), node.spec.podCIDR])).toEqual([
      ['192.168.49.10', '10.244.0.0/24'],
      ['192.168.49.11', '10.244.1.0/24'],
      ['192.168.49.12', '10.244.2.0/24'],
    ]);
    await bench.create(PODS, {
      metadata: { name: 'there' },
      spec: { nodeName: 'mine', containers: [{ name: 'c', image: 'nginx' }] },
    });
    const pod = await bench.until(`${PODS}/there`, ({ status }) => status.podIP !== undefined);
    expect([pod.status.hostIP, pod.status.podIP]).toEqual(['192.168.49.11', '10.244.1.2']);
  });
});

describe('the ranges of nodes', () => {
  test.each<[string, string[], string[]]>([
    ['--cluster-cidr', ['--cluster-cidr=10.7.0.0/16'], ['10.7.0.0/24', '10.7.1.0/24']],
    ['its mask', ['--cluster-cidr=10.7.0.0/16', '--node-cidr-mask-size=26'], ['10.7.0.0/26', '10.7.0.64/26']],
    [
      'the controller nodeipam',
      ['--cluster-cidr=10.8.0.0/16', '--allocate-node-cidrs=true'],
      ['10.8.0.0/24', '10.8.1.0/24'],
    ],
  ])('come from %s', (_, controllerManager, expected) =>
    withBench({ nodes: 2, controllerManager }, async (bench) => {
      const nodes = await bench.items(NODES);
      expect(nodes.map((node) => node.spec.podCIDR)).toEqual(expected);
    }),
  );

  test('a node without a free pod range gets an event, and the range of the next node that is deleted', () =>
    withBench({ nodes: 2, controllerManager: ['--cluster-cidr=10.7.0.0/23'] }, async (bench) => {
      await bench.create(NODES, { metadata: { name: 'mine', annotations: AGENT } });
      const isSaid = ({ involvedObject, reason }: Loose): boolean =>
        involvedObject.name === 'mine' && reason === 'CIDRNotAvailable';
      await bench.until('/api/v1/namespaces/default/events', ({ items }) => items.some(isSaid));
      expect((await bench.get(`${NODES}/mine`)).spec.podCIDR).toBeUndefined();
      await bench.delete(`${NODES}/node-1`);
      const node = await bench.until(`${NODES}/mine`, ({ spec }) => spec.podCIDR !== undefined);
      expect(node.spec.podCIDR).toBe('10.7.0.0/24');
    }));
});

describe('the addresses of a node’s pods', () => {
  test('that may have been assigned are those up to the last one, and all where some were there before', () => {
    const addresses = new PodAddresses('10.244.1.0/29');
    expect([...addresses.tried()]).toEqual([]);
    const first = addresses.take();
    addresses.take();
    addresses.give(first);
    expect([...addresses.tried()]).toEqual(['10.244.1.2', '10.244.1.3']);
    for (let i = 0; i < 4; i++) addresses.take();
    expect([...addresses.tried()]).toHaveLength(5);
    const others = new PodAddresses('10.244.1.0/29');
    others.keep('10.244.1.4');
    expect([...others.tried()]).toEqual([2, 3, 4, 5, 6].map((last) => `10.244.1.${last}`));
  });
});
