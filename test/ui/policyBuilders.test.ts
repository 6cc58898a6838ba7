/** Policies to begin with do what they say, in clusters with and without pods that answer for names. */
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { tracePacket, adviseOn, type NetworkObjects } from '../../src/network/index.ts';
import { must } from '../../src/std/index.ts';
import { builders } from '../../src/ui/panels/network/builders.ts';
import { NAME_SERVER, smallCluster } from '../network/world.ts';

const PODS = `${NAME_SERVER}---
{kind: Service, metadata: {name: cluster-dns, namespace: cluster-system}, spec: {clusterIP: 10.96.0.10, ports: [{port: 53, protocol: UDP}]}}
---
kind: EndpointSlice
metadata: {name: dns-1, namespace: cluster-system, labels: {cluster.io/service-name: cluster-dns}}
ports: [{port: 53, protocol: UDP}]
endpoints: [{addresses: [10.244.8.1]}]
`;

test.each([
  ['pods', PODS],
  ['the simulation', ''],
])('after closing outgoing traffic and allowing DNS, %s can be asked for names and nobody else', (_, objects) => {
  const view = smallCluster(objects);
  for (const title of ['Deny all outgoing traffic', 'Allow DNS']) {
    const { build } = must(
      builders.find((each) => each.title === title),
      title,
    );
    view.set('networkpolicies', parse(build(view, 'x')) as NetworkObjects['networkpolicies']);
  }
  const policy = must(view.get('networkpolicies', 'x/allow-dns'), 'the policy');
  expect(adviseOn(policy, view)).toEqual([]);
  const pod = must(view.get('pods', 'x/a'), 'the pod');
  const reach = (to: string, port: number, protocol: 'UDP' | 'TCP') =>
    tracePacket({ from: { pod }, to, port, protocol }, view).outcome;
  expect(reach('10.96.0.10', 53, 'UDP')).toBe('delivered');
  expect(reach('10.244.0.2', 80, 'TCP')).toBe('timed out');
  // Where the name server is pods, the policy names them alone.
  expect(reach('10.244.0.2', 53, 'UDP')).toBe(objects === '' ? 'delivered' : 'timed out');
});
