/** What stands in the cells of Tables, where the reference has its own way of saying it. */
import { describe, expect, test } from 'vitest';
import { columnsOf } from '../../../src/schema/index.ts';
import { volumeattachments } from '../../../src/schema/storage/volumeAttachment.kind.ts';
import { cells } from './problems.ts';

const any = { rule: 'RunAsAny' };

test('one switch of a security policy is a text, the other is none', () => {
  const spec = { privileged: true, seLinux: any, runAsUser: any, fsGroup: any, supplementalGroups: any };
  expect(cells('PodSecurityPolicy policy/v1beta1', { spec })).toMatchObject({ Priv: 'true', ReadOnlyRootFs: false });
});

describe('the hosts of an ingress', () => {
  const rules = (...hosts: (string | undefined)[]): unknown =>
    cells('Ingress networking.k8s.io/v1', { spec: { rules: hosts.map((host) => (host ? { host } : {})) } })['Hosts'];

  test.each([
    [[], '*'],
    [[undefined, undefined, undefined, undefined], '*'],
    [['a.b', 'a.b', 'a.b'], 'a.b,a.b,a.b'],
    [['a.b', undefined, 'c.d', undefined], 'a.b,c.d'],
    [['a.b', 'c.d', 'e.f', 'g.h', 'i.j'], 'a.b,c.d,e.f + 2 more...'],
    [['a.b', 'c.d', 'e.f', undefined], 'a.b,c.d,e.f + 1 more...'],
  ])('%j', (hosts, shown) => {
    expect(rules(...hosts)).toBe(shown);
  });
});

describe('the ports of an endpoint slice', () => {
  const slice = (ports: object[]): unknown =>
    cells('EndpointSlice discovery.k8s.io/v1beta1', { addressType: 'IPv4', endpoints: [], ports })['Ports'];

  test.each([
    [[{ name: 'http', port: 80 }], '80'],
    [[{ name: 'http' }, { port: 443 }], 'http,443'],
    [[{}], '<unset>'],
    [[1, 2, 3, 4].map((port) => ({ name: `p${port}`, port })), '1,2,3 + 1 more...'],
  ])('%j', (ports, shown) => {
    expect(slice(ports)).toBe(shown);
  });
});

describe('who tells an event', () => {
  test.each([
    [{ source: { component: 'a', host: 'h' } }, 'a, h'],
    [{ source: { component: 'a' }, reportingComponent: 'r' }, 'a'],
    [{ reportingComponent: 'r', reportingInstance: 'r-1' }, 'r, r-1'],
    [{ source: { host: 'h' } }, ', h'],
    [{}, ''],
  ])('%j', (event, shown) => {
    expect(cells('Event', event)['Source']).toBe(shown);
  });
});

test('of what a quota counts, only what limits add up to stands apart', () => {
  const hard = { pods: '3', 'limits.cpu': '2', 'limits-of.example.com/x': '1' };
  expect(cells('ResourceQuota', { spec: { hard }, status: { hard, used: { pods: '1' } } })).toMatchObject({
    Request: 'limits-of.example.com/x: 0/1, pods: 1/3',
    Limit: 'limits.cpu: 0/2',
  });
});

test('an attacher counts as a name', () => {
  const columns = columnsOf({ declaration: volumeattachments } as unknown as Parameters<typeof columnsOf>[0]);
  expect(columns.filter(({ format }) => format === 'name').map(({ name }) => name)).toEqual(['Name', 'Attacher']);
});

describe('whether an API service is available', () => {
  test.each([
    [[], 'Unknown'],
    [[{ type: 'Available', status: 'True', reason: 'Local' }], 'True'],
    [[{ type: 'Available', status: 'False', reason: 'ServiceNotFound' }], 'False (ServiceNotFound)'],
    [[{ type: 'Available', status: 'False' }], 'False'],
  ])('%j', (conditions, shown) => {
    const service = { spec: { groupPriorityMinimum: 1, versionPriority: 1 }, status: { conditions } };
    expect(cells('APIService apiregistration.k8s.io/v1', service)['Available']).toBe(shown);
  });
});
