import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Bench, type Loose } from '../controllers/bench.ts';

const SERVICES = '/api/v1/namespaces/default/services';
const DUAL = ['--service-cluster-ip-range=10.96.0.0/24,fd00::/112', '--feature-gates=IPv6DualStack=true'];

/** A place for services: creates them, changes them, and says what the server answers. */
function place(
  apiserver: string[],
): (method: string, name: string, spec?: Loose, query?: string, metadata?: object) => Promise<Loose> {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.start({ apiserver });
  });
  afterAll(() => bench.stop());
  return async (method, name, spec, query = '', metadata = {}) => {
    if (method === 'PATCH')
      return bench.send(method, `${SERVICES}/${name}${query}`, { spec }, 'application/merge-patch+json');
    const path = method === 'POST' ? SERVICES : `${SERVICES}/${name}`;
    return bench.send(
      method,
      path + query,
      spec && { metadata: { name, ...metadata }, spec: { ports: [{ port: 80 }], ...spec } },
    );
  };
}

const faults = (answer: Loose): string[] => (answer.details?.causes ?? []).map(({ field }: Loose) => field);
const nodePorts = (answer: Loose): number[] => answer.spec.ports.map(({ nodePort }: Loose) => nodePort);

describe('services', () => {
  const send = place(['--service-cluster-ip-range=10.96.0.0/30']);

  test('of the cluster itself have the first address; an exhausted range is a server error', async () => {
    expect((await send('GET', 'cluster')).spec.clusterIP).toBe('10.96.0.1');
    expect((await send('POST', 'refused', {}, '', { resourceVersion: '5' })).code).toBe(500);
    expect((await send('POST', 'last', {})).spec.clusterIP).toBe('10.96.0.2');
    expect(await send('POST', 'none', {})).toMatchObject({ code: 500, reason: 'InternalError' });
    expect(faults(await send('POST', 'taken', { clusterIP: '10.96.0.2' }))).toEqual(['spec.clusterIPs']);
    expect(faults(await send('POST', 'outside', { clusterIP: '10.97.0.2' }))).toEqual(['spec.clusterIPs']);
    await send('DELETE', 'last');
    expect((await send('POST', 'again', { clusterIP: '10.96.0.2' })).spec.clusterIPs).toEqual(['10.96.0.2']);
    await send('DELETE', 'again');
  });

  test.each([
    ['none', 404, 'none'],
    ['none:80', 404, 'none'],
    ['https:cluster:444', 503, undefined],
    ['https:cluster:https', 503, undefined],
    ['ftp:cluster:443', 400, undefined],
    [':443', 400, undefined],
    ['a:b:c:d', 400, undefined],
  ])('can be reached by name, port and scheme: %s', async (target, code, name) => {
    const answer = await send('GET', `${target}/proxy/path`);
    expect([answer.code, answer.details?.name]).toEqual([code, name]);
  });

  test('are validated before their uid is compared', async () => {
    const { metadata, spec } = await send('GET', 'cluster');
    const other = (fields: object): Promise<Loose> => send('PUT', 'cluster', spec, '', { ...metadata, ...fields });
    const [uid, version] = ['metadata.uid', 'metadata.resourceVersion'];
    expect(faults(await other({ uid: 'other' }))).toEqual([uid, uid]);
    expect(faults(await other({ uid: 'other', resourceVersion: '1' }))).toEqual([uid, uid]);
    expect(faults(await other({ uid: 'other', resourceVersion: '' }))).toEqual([version, uid, version, uid]);
    expect((await send('PUT', 'absent', {}, '', { uid: 'other' })).code).toBe(404);
  });

  test('have one node port for a port with two protocols', async () => {
    const ports = [
      { name: 'a', port: 53 },
      { name: 'b', port: 53, protocol: 'UDP' },
    ];
    const made = await send('POST', 'dns', { type: 'NodePort', ports });
    expect(new Set(nodePorts(made)).size).toBe(1);
    await send('DELETE', 'dns');
    const apart = ports.map((port, i) => ({ ...port, port: 53 + i, nodePort: 30053 }));
    expect(faults(await send('POST', 'dns', { type: 'NodePort', ports: apart }))).toEqual(['spec.ports[1].nodePort']);
  });

  test('in a dry run get no address, and ports from above all ranges', async () => {
    const tried = await send('POST', 'trial', { type: 'NodePort' }, '?dryRun=All');
    expect(tried.spec.clusterIP).toBeUndefined();
    expect(nodePorts(tried)).toEqual([32769]);
  });

  test('keep their health check port', async () => {
    const local = { type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 30200 };
    await send('POST', 'balanced', local);
    expect(faults(await send('PATCH', 'balanced', { healthCheckNodePort: 30201 }))).toEqual([
      'spec.healthCheckNodePort',
    ]);
    expect(await send('PATCH', 'balanced', { externalTrafficPolicy: 'Cluster' })).not.toHaveProperty(
      'spec.healthCheckNodePort',
    );
    expect((await send('PATCH', 'balanced', local)).spec.healthCheckNodePort).toBe(30200);
    expect(faults(await send('POST', 'never', { clusterIP: 'None', healthCheckNodePort: 30202 }))).toEqual([
      'spec.healthCheckNodePort',
    ]);
  });
});

describe('dual-stack services', () => {
  const send = place(DUAL);

  test.each([
    [{}, false],
    [{ ipFamilyPolicy: 'PreferDualStack' }, true],
    [{ ipFamilies: ['IPv4', 'IPv6'] }, true],
  ])('with %j: the client owns the policy only if it follows from what was sent', async (sent, isOwned) => {
    const { metadata } = await send('POST', 'owned', sent);
    const fields = metadata.managedFields[0].fieldsV1['f:spec'];
    expect('f:ipFamilyPolicy' in fields).toBe(isOwned);
    await send('DELETE', 'owned');
  });

  test.each([
    [{}, 'SingleStack', ['IPv4']],
    [{ clusterIP: 'fd00::5' }, 'SingleStack', ['IPv6']],
    [{ ipFamilyPolicy: 'PreferDualStack' }, 'PreferDualStack', ['IPv4', 'IPv6']],
    [{ ipFamilyPolicy: 'RequireDualStack', ipFamilies: ['IPv6'] }, 'RequireDualStack', ['IPv6', 'IPv4']],
    [{ ipFamilyPolicy: 'RequireDualStack', ipFamilies: ['IPv4'] }, 'RequireDualStack', ['IPv4', 'IPv6']],
    [{ ipFamilies: ['IPv6', 'IPv4'] }, 'RequireDualStack', ['IPv6', 'IPv4']],
    [{ clusterIP: 'None' }, 'RequireDualStack', ['IPv4', 'IPv6']],
    [{ clusterIP: 'None', selector: { a: 'b' } }, 'SingleStack', ['IPv4']],
  ])('%j', async (sent, policy, families) => {
    const { spec } = await send('POST', 'x', sent);
    expect(spec).toMatchObject({ ipFamilyPolicy: policy, ipFamilies: families });
    if (spec.clusterIP !== 'None')
      expect(spec.clusterIPs.map((address: string) => (address.includes(':') ? 'IPv6' : 'IPv4'))).toEqual(families);
    await send('DELETE', 'x');
  });

  test('get a second address and release it', async () => {
    const first = await send('POST', 'moving', {});
    const both = await send('PATCH', 'moving', { ipFamilyPolicy: 'RequireDualStack' });
    expect(both.spec.clusterIPs).toEqual([first.spec.clusterIP, expect.stringMatching(/^fd00::/)]);
    const second = both.spec.clusterIPs[1];
    const one = await send('PATCH', 'moving', { ipFamilyPolicy: 'SingleStack' });
    expect(one.spec).toMatchObject({ clusterIPs: [first.spec.clusterIP], ipFamilies: ['IPv4'] });
    expect((await send('POST', 'heir', { clusterIP: second })).spec.clusterIP).toBe(second);
    expect(faults(await send('PATCH', 'heir', { ipFamilies: ['IPv4'] }))).toEqual([
      'spec.ipFamilies[0]',
      'spec.clusterIPs[0]',
    ]);
  });

  test('have one family if only one is requested', async () => {
    const sent = { ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv4', 'IPv6'] };
    expect(faults(await send('POST', 'two', sent))).toEqual(['spec.ipFamilyPolicy']);
  });
});

describe('services while gates of alpha fields are on', () => {
  const send = place(['--feature-gates=IPv6DualStack=true,ServiceLBNodePortControl=true']);

  test('of two families need a cluster that has both', async () => {
    expect(faults(await send('POST', 'two', { ipFamilies: ['IPv6', 'IPv4'] }))).toEqual([
      'spec.ipFamilyPolicy',
      'spec.ipFamilies[0]',
    ]);
  });

  test('of a load balancer may do without node ports; those that they have stay', async () => {
    const without = await send('POST', 'without', { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false });
    expect(nodePorts(without)).toEqual([undefined]);
    const made = await send('POST', 'balanced', { type: 'LoadBalancer' });
    expect(made.spec.allocateLoadBalancerNodePorts).toBe(true);
    const changed = await send('PATCH', 'balanced', { allocateLoadBalancerNodePorts: false });
    expect(nodePorts(changed)).toEqual(nodePorts(made));
  });
});
