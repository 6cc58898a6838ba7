import { describe, expect, test } from 'vitest';
import { NodeAddresses, PodAddresses } from '../../src/node/addresses.ts';
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

const nodeThat = (name: string, status: Loose = {}, spec: Loose = {}): Loose => ({ metadata: { name }, spec, status });

describe('the addresses of nodes', () => {
  const pool = { cidr: '10.0.0.0/22', mask: 24 };

  test('begin at 192.168.49.10, and each is one node’s', () => {
    const addresses = new NodeAddresses(pool);
    const given = Array.from({ length: 5_000 }, (_, i) => addresses.addressFor(nodeThat(`node-${i}`)));
    expect(given[0]).toBe('192.168.49.10');
    expect(given[246]).toBe('192.168.50.0');
    expect(new Set(given).size).toBe(5_000);
  });

  test('stay the same when asked for again', () => {
    const addresses = new NodeAddresses(pool);
    const ask = (name: string): unknown[] => [addresses.addressFor(nodeThat(name)), addresses.rangeFor(nodeThat(name))];
    const first = ask('a');
    ask('b');
    expect(ask('a')).toEqual(first);
  });

  test('leave out what other nodes have', () => {
    const addresses = new NodeAddresses(pool);
    const status = { addresses: [{ type: 'InternalIP', address: '192.168.49.10' }] };
    addresses.occupy(nodeThat('a', status, { podCIDR: '10.0.0.0/24' }));
    expect(addresses.addressFor(nodeThat('a', status))).toBe('192.168.49.10');
    expect(addresses.addressFor(nodeThat('b'))).toBe('192.168.49.11');
    expect(addresses.rangeFor(nodeThat('b'))).toBe('10.0.1.0/24');
  });

  test('are free again when the node is gone, whether or not it ever reported them', () => {
    const addresses = new NodeAddresses({ cidr: '10.0.0.0/24', mask: 24 });
    expect(addresses.rangeFor(nodeThat('a'))).toBe('10.0.0.0/24');
    expect(addresses.rangeFor(nodeThat('b'))).toBeUndefined();
    addresses.release(nodeThat('a'));
    expect(addresses.rangeFor(nodeThat('b'))).toBe('10.0.0.0/24');
  });

  test('have no ranges for pods where a controller gives those', () =>
    expect(new NodeAddresses(undefined).rangeFor(nodeThat('a'))).toBeUndefined());
});

describe('the addresses of pods', () => {
  test.each<[string, string[]]>([
    ['10.1.2.0/24', ['10.1.2.2', '10.1.2.3']],
    ['10.1.2.128/25', ['10.1.2.130', '10.1.2.131']],
    ['10.1.0.0/16', ['10.1.0.2', '10.1.0.3']],
    ['fd00:0:0:1::/64', ['fd00:0:0:1::2', 'fd00:0:0:1::3']],
  ])('in %s are %j', (range, expected) => {
    const addresses = new PodAddresses(range);
    expect([addresses.take(), addresses.take()]).toEqual(expected);
  });

  test('come round when the last was given, without the broadcast address and those that are taken', () => {
    const addresses = new PodAddresses('10.1.2.0/29');
    addresses.keep('10.1.2.3');
    expect([1, 2, 3, 4].map(() => addresses.take())).toEqual(['10.1.2.2', '10.1.2.4', '10.1.2.5', '10.1.2.6']);
    expect(() => addresses.take()).toThrow('no address is left in 10.1.2.0/29');
    addresses.give('10.1.2.4');
    expect(addresses.take()).toBe('10.1.2.4');
  });
});

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
