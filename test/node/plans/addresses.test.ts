import { describe, expect, test } from 'vitest';
import { NodeAddresses, PodAddresses } from '../../../src/node/addresses.ts';
import type { Loose } from '../lab.ts';

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

  test('are the internal ones alone, wherever they are in the list', () => {
    const addresses = new NodeAddresses(pool);
    const status = {
      addresses: [
        { type: 'Hostname', address: '192.168.49.10' },
        { type: 'ExternalIP', address: '192.168.49.12' },
        { type: 'InternalIP', address: '192.168.49.11' },
      ],
    };
    addresses.occupy(nodeThat('a', status));
    expect(addresses.addressFor(nodeThat('a', status))).toBe('192.168.49.11');
    const others = ['b', 'c', 'd'].map((name) => addresses.addressFor(nodeThat(name)));
    expect(others).toEqual(['192.168.49.10', '192.168.49.12', '192.168.49.13']);
  });

  test('are given with ranges of the node’s list, which a range alone stands for', () => {
    const addresses = new NodeAddresses(pool);
    const node = nodeThat('a', {}, { podCIDR: '10.0.0.0/24', podCIDRs: ['10.0.0.0/24', '10.0.1.0/24'] });
    addresses.occupy(node);
    addresses.occupy(nodeThat('b', {}, { podCIDR: '10.0.2.0/24' }));
    expect(addresses.rangeFor(nodeThat('c'))).toBe('10.0.3.0/24');
    expect(addresses.rangeFor(nodeThat('d'))).toBeUndefined();
    addresses.release(node);
    const given = ['d', 'e'].map((name) => addresses.rangeFor(nodeThat(name)));
    expect(given).toEqual(['10.0.0.0/24', '10.0.1.0/24']);
    expect(addresses.rangeFor(nodeThat('f'))).toBeUndefined();
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

  test('are none in a range that is too small, and one in the next', () => {
    for (const range of ['10.1.2.0/31', '10.1.2.0/32'])
      expect(() => new PodAddresses(range).take()).toThrow(`no address is left in ${range}`);
    const addresses = new PodAddresses('10.1.2.0/30');
    expect(addresses.take()).toBe('10.1.2.2');
    expect(() => addresses.take()).toThrow('no address is left in 10.1.2.0/30');
  });

  test('are in a range that can be read', () =>
    expect(() => new PodAddresses('nowhere')).toThrow('"nowhere" is no range of addresses'));
});
