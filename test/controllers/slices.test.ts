import { describe, expect, test } from 'vitest';
import type { Endpoints, EndpointSlice, Node, Pod, Service } from '../../src/client/index.ts';
import { addressTypesOf, groupsOf, mirroredGroups } from '../../src/controllers/services/sliceGroups.ts';
import { planMirror, planSlices, type AddressType, type EndpointGroup } from '../../src/controllers/services/slices.ts';
import { namesOf } from '../../src/names/index.ts';

const names = namesOf('k8s.io');
const http = [{ name: 'http', port: 80, protocol: 'TCP' }];
const dns = [{ name: 'dns', port: 53, protocol: 'UDP' }];

const endpoint = (address: string, ready = true) => ({ addresses: [address], conditions: { ready } });

function slice(
  name: string,
  addresses: readonly string[],
  ports = http,
  addressType: AddressType = 'IPv4',
): EndpointSlice {
  const endpoints = addresses.map((address) => endpoint(address));
  return { metadata: { name, uid: name }, addressType, ports, endpoints } as EndpointSlice;
}

function group(addresses: readonly string[], ports = http, addressType: AddressType = 'IPv4'): EndpointGroup {
  return { addressType, ports, endpoints: addresses.map((address) => endpoint(address)) };
}

type Plan = ReturnType<typeof planSlices>;

/** A plan in one line: `+a,b` is created, `name=a,b` written, `-name` removed. */
function told({ create, update, remove }: Plan): string {
  const addresses = (endpoints: EndpointGroup['endpoints']): string => endpoints.map((e) => e.addresses?.[0]).join();
  return [
    ...create.map(({ endpoints }) => `+${addresses(endpoints)}`),
    ...update.map(({ slice, endpoints }) => `${slice.metadata.name}=${addresses(endpoints)}`),
    ...remove.map(({ metadata }) => `-${metadata.name}`),
  ].join(' ');
}

const labelled = { max: 3, isLabelled: () => true, isOwned: () => true, isAsNew: () => true };

describe('packing endpoints into slices of three', () => {
  test.each<[string, EndpointGroup[], EndpointSlice[], string]>([
    ['a new service', [group(['a', 'b'])], [], '+a,b'],
    ['more endpoints than fit into one slice', [group(['a', 'b', 'c', 'd'])], [], '+a,b,c +d'],
    ['nobody behind the service', [], [], '+'],
    ['nobody behind the service, as before', [], [slice('s', [], [])], ''],
    ['nothing new', [group(['a'])], [slice('s', ['a'])], ''],
    ['ports in another order', [group(['a'], [...http, ...dns])], [slice('s', ['a'], [...dns, ...http])], ''],
    ['an endpoint that comes', [group(['a', 'b'])], [slice('s', ['a'])], 's=a,b'],
    ['an endpoint that goes', [group(['a'])], [slice('s', ['a', 'b'])], 's=a'],
    ['the last endpoint of one slice goes', [group(['a'])], [slice('s', ['a']), slice('t', ['b'])], '-t'],
    ['all endpoints go: the slice becomes the placeholder', [], [slice('s', ['a'])], 's='],
    ['the first endpoint comes: the placeholder becomes its slice', [group(['a'])], [slice('s', [], [])], 's=a'],
    ['other ports: the slice is written over', [group(['a'], dns)], [slice('s', ['a'])], 's=a'],
    [
      'a slice that changes anyway is filled first',
      [group(['a', 'c', 'd'])],
      [slice('s', ['a', 'b']), slice('t', ['c'])],
      's=a,d',
    ],
    [
      'the fullest of those',
      [group(['a', 'b', 'd', 'f'])],
      [slice('s', ['a', 'x']), slice('t', ['b', 'd', 'y'])],
      't=b,d,f s=a',
    ],
    [
      'the unchanged slice that is filled best',
      [group(['a', 'b', 'c', 'd'])],
      [slice('s', ['a']), slice('t', ['b', 'c'])],
      't=b,c,d',
    ],
    [
      'no unchanged slice has room for all',
      [group(['a', 'b', 'c', 'd', 'e', 'f'])],
      [slice('s', ['a', 'b']), slice('t', ['c', 'd'])],
      '+e,f',
    ],
    ['a full batch makes a slice of its own', [group(['a', 'b', 'c', 'd'])], [slice('s', ['d'])], '+a,b,c'],
    ['slices of another family go', [group(['a'])], [slice('s', ['a']), slice('v6', ['::1'], http, 'IPv6')], '-v6'],
  ])('%s', (_, groups, existing, expected) => {
    const plan = planSlices(groups, ['IPv4'], existing, labelled);
    expect(told(plan).split(' ').sort()).toEqual(expected.split(' ').sort());
  });

  test('keeps a slice for each IP family', () => {
    const plan = planSlices([group(['a']), group([], http, 'IPv6')], ['IPv4', 'IPv6'], [], labelled);
    expect(plan.create.map(({ addressType, ports }) => [addressType, ports.length])).toEqual([
      ['IPv4', 1],
      ['IPv6', 0],
    ]);
  });

  test('updates a slice with other labels than its service', () => {
    const options = { ...labelled, isLabelled: () => false };
    expect(told(planSlices([group(['a'])], ['IPv4'], [slice('s', ['a'])], options))).toBe('s=a');
  });

  test('deletes the slices of an older service, and does not reuse them', () => {
    const options = { ...labelled, isOwned: ({ metadata }: EndpointSlice) => metadata.name === 't' };
    const existing = [slice('s', ['a']), slice('t', ['b'])];
    expect(told(planSlices([group(['a'])], ['IPv4'], existing, options))).toBe('t=a -s');
    expect(told(planSlices([group(['a'])], ['IPv4'], [slice('s', ['a'])], options))).toBe('+a -s');
  });

  test('replaces a placeholder that differs from a new one', () => {
    const options = { ...labelled, isAsNew: () => false };
    const { update } = planSlices([], ['IPv4'], [slice('s', [], [])], options);
    expect(update).toMatchObject([{ slice: { metadata: { name: 's' } }, endpoints: [], isReused: true }]);
  });

  test('updates endpoints that became ready, and pods at another revision', () => {
    const was = slice('s', ['a']);
    const target = { kind: 'Pod', name: 'p', namespace: 'n', uid: 'u' };
    const of = (ready: boolean, resourceVersion: string) => ({
      ...group([]),
      endpoints: [{ ...endpoint('a', ready), targetRef: { ...target, resourceVersion } }],
    });
    const before = { ...was, endpoints: [...of(true, '1').endpoints] };
    expect(told(planSlices([of(true, '2')], ['IPv4'], [before], labelled))).toBe('s=a');
    expect(told(planSlices([of(true, '1')], ['IPv4'], [before], labelled))).toBe('');
    expect(told(planSlices([of(false, '1')], ['IPv4'], [before], labelled))).toBe('s=a');
  });
});

describe('mirroring', () => {
  test.each<[string, EndpointGroup[], EndpointSlice[], string]>([
    ['new Endpoints', [group(['a'])], [], '+a'],
    ['nothing new', [group(['a'])], [slice('s', ['a'])], ''],
    ['another address', [group(['b'])], [slice('s', ['a'])], 's=b'],
    ['other ports', [group(['a'], dns)], [slice('s', ['a'])], 's=a'],
    ['one slice for each group, the first', [group(['a', 'b'])], [slice('s', ['a']), slice('t', ['b'])], 's=a,b -t'],
    ['no addresses', [], [slice('s', ['a'])], '-s'],
    ['another family', [group(['::1'], http, 'IPv6')], [slice('s', ['a'])], '+::1 -s'],
  ])('%s', (_, groups, existing, expected) => expect(told(planMirror(groups, existing))).toBe(expected));

  test('updates a slice by name if its addresses change', () => {
    const { update } = planMirror([group(['b'])], [slice('s', ['a'])]);
    expect(update).toMatchObject([{ slice: { metadata: { name: 's' } }, isReused: true, losesPrefix: true }]);
  });

  const endpoints = (subset: object): Endpoints => ({ metadata: { name: 's' }, subsets: [subset] }) as Endpoints;

  test('keeps host name, node and pod of an address, and marks all as ready', () => {
    const targetRef = { kind: 'Pod', name: 'p' };
    const subset = {
      addresses: [{ ip: '1.1.1.1', hostname: 'h', nodeName: 'n', targetRef }],
      notReadyAddresses: [{ ip: '::2' }],
      ports: [{ port: 80 }],
    };
    const ports = [{ name: '', port: 80, protocol: 'TCP' }];
    const topology = { 'kubernetes.io/hostname': 'n' };
    expect(mirroredGroups(endpoints(subset), 10, names)).toEqual({
      groups: [
        { addressType: 'IPv4', ports, endpoints: [{ ...endpoint('1.1.1.1'), hostname: 'h', targetRef, topology }] },
        { addressType: 'IPv6', ports, endpoints: [endpoint('::2')] },
      ],
      skipped: 0,
    });
  });

  test('omits the addresses of a subset above the limit', () => {
    const addresses = ['1.1.1.1', '1.1.1.2'].map((ip) => ({ ip }));
    const { groups, skipped } = mirroredGroups(
      endpoints({ addresses, notReadyAddresses: [{ ip: '1.1.1.3' }] }),
      2,
      names,
    );
    expect(groups[0]?.endpoints.map((e) => e.addresses?.[0])).toEqual(['1.1.1.1', '1.1.1.2']);
    expect(skipped).toBe(1);
  });
});

describe('what a service needs', () => {
  test.each<[string, object, string[]]>([
    ['an address', { clusterIP: '10.0.0.1' }, ['IPv4']],
    ['an address of the other family', { clusterIP: 'fd00::1' }, ['IPv6']],
    ['no address', { clusterIP: 'None' }, ['IPv4', 'IPv6']],
    ['no address, one family', { clusterIP: 'None', ipFamilies: ['IPv6'] }, ['IPv6']],
  ])('with %s', (_, spec, types) => expect(addressTypesOf({ metadata: {}, spec } as Service)).toEqual(types));

  const service = {
    metadata: { name: 's', namespace: 'a' },
    spec: { clusterIP: '10.0.0.1', ports: [{ port: 80 }] },
  } as Service;
  const pod = {
    metadata: { name: 'p', namespace: 'a', uid: 'u' },
    spec: { nodeName: 'n', containers: [] },
    status: { podIP: '10.0.0.9', conditions: [{ type: 'Ready', status: 'True' }] },
  } as unknown as Pod;

  test('contains the topology of its endpoints', () => {
    const labels = { 'topology.kubernetes.io/zone': 'z', 'topology.kubernetes.io/region': 'r', other: 'x' };
    const node = { metadata: { name: 'n', labels } } as unknown as Node;
    const [found] = groupsOf(service, [pod], (name) => (name === 'n' ? node : undefined), names);
    expect(found?.endpoints).toEqual([
      {
        ...endpoint('10.0.0.9'),
        targetRef: { kind: 'Pod', namespace: 'a', name: 'p', uid: 'u' },
        topology: {
          'kubernetes.io/hostname': 'n',
          'topology.kubernetes.io/region': 'r',
          'topology.kubernetes.io/zone': 'z',
        },
      },
    ]);
  });

  test('sorts ports by their digest, as the reference does', () => {
    const ports = [
      { name: 'http', port: 80 },
      { name: 'https', port: 443 },
      { name: 'dns', port: 53, protocol: 'UDP' },
      { name: 'metrics', port: 9090, appProtocol: 'http' },
      { name: 'grpc', port: 50_051 },
      { name: 'sctp', port: 7, protocol: 'SCTP' },
    ];
    const node = { metadata: { name: 'n' } } as unknown as Node;
    const many = { ...service, spec: { ...service.spec, ports } } as unknown as Service;
    const manual = { metadata: {}, subsets: [{ addresses: [{ ip: '1.1.1.1' }], ports }] } as unknown as Endpoints;
    for (const [found] of [groupsOf(many, [pod], () => node, names), mirroredGroups(manual, 10, names).groups])
      expect(found?.ports.map(({ name }) => name)).toEqual(['https', 'http', 'dns', 'metrics', 'sctp', 'grpc']);
  });

  test('fails while a node is unknown', () => {
    expect(() => groupsOf(service, [pod], () => undefined, names)).toThrow('node "n" not found');
  });
});
