import { expect, test } from 'vitest';
import { namesOf } from '../../../src/names/index.ts';
import { createScheme, kinds } from '../../../src/schema/index.ts';

const scheme = createScheme(namesOf('k8s.io'), kinds);

/** An object of version v1, its text read and written again. */
function shown(resource: string, sent: object, group = ''): Record<string, object> {
  const found = scheme.byResource({ group, version: 'v1', resource });
  if (!found) throw new Error(`no ${resource}`);
  return scheme.decode(found.node, sent) as Record<string, object>;
}

// As the reference's API server writes them into etcd.
test('fields are shown in the order of the reference, whatever the order in which they were sent', () => {
  const ends = { binaryData: { b: 'AAEC' }, data: { a: 'b' }, immutable: true };
  expect(Object.keys(shown('configmaps', ends)).slice(-3)).toEqual(['immutable', 'data', 'binaryData']);
  const service = {
    type: 'NodePort',
    externalTrafficPolicy: 'Local',
    clusterIPs: ['a'],
    clusterIP: 'a',
    ports: [{ port: 1 }],
  };
  const fields = ['ports', 'clusterIP', 'clusterIPs', 'type', 'externalTrafficPolicy'];
  expect(Object.keys(shown('services', { spec: service })['spec'] ?? {})).toEqual(fields);
  const node = { unschedulable: true, podCIDRs: ['a'], podCIDR: 'a' };
  expect(Object.keys(shown('nodes', { spec: node })['spec'] ?? {})).toEqual(['podCIDR', 'podCIDRs', 'unschedulable']);
  const ingress = { tls: [{ hosts: ['a'] }], ingressClassName: 'c' };
  expect(Object.keys(shown('ingresses', { spec: ingress }, 'networking.k8s.io')['spec'] ?? {})).toEqual([
    'ingressClassName',
    'tls',
  ]);
});

test('the keys of a map are in order, whatever was sent', () => {
  const { data = {}, metadata = {} } = shown('configmaps', {
    metadata: { labels: { z: '1', a: '2', m: '3' } },
    data: { b: '', a: '' },
  });
  expect(Object.keys(data)).toEqual(['a', 'b']);
  expect(Object.keys((metadata as { labels: object }).labels)).toEqual(['a', 'm', 'z']);
});
