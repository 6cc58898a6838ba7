/** What definitions and API services say of themselves while things change around them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cluster } from '../../src/cluster/index.ts';
import { createCluster } from '../../src/cluster/index.ts';
import { recordedOptions, tokens } from '../conformance/scenarios.ts';

type Condition = { type: string; status: string; reason: string };
interface Answer {
  readonly status?: { readonly conditions?: readonly Condition[] };
  readonly resources?: readonly { readonly verbs: readonly string[] }[];
  readonly groups?: readonly { readonly name: string }[];
}

describe('extensions', () => {
  let cluster: Cluster;
  beforeAll(async () => (cluster = await createCluster(recordedOptions('cluster.io'))));
  afterAll(() => cluster.stop());

  const send = (method: string, path: string, body?: object, type = 'application/json'): Promise<Response> => {
    const headers = { authorization: `Bearer ${tokens.admin}`, ...(body ? { 'content-type': type } : {}) };
    return cluster.fetch(
      new Request(`http://x.test${path}`, { method, headers, body: body ? JSON.stringify(body) : null }),
    );
  };
  const read = async (path: string): Promise<Answer> => (await (await send('GET', path)).json()) as Answer;
  const condition = async (path: string, type: string): Promise<string> => {
    const found = (await read(path)).status?.conditions?.find((one) => one.type === type);
    return found ? `${found.status} ${found.reason}` : 'none';
  };
  const becomes = (what: () => Promise<unknown>, wanted: unknown): Promise<void> =>
    expect.poll(what, { timeout: 5_000, interval: 5 }).toEqual(wanted);

  describe('an API service of another server', () => {
    const path = '/apis/apiregistration.cluster.io/v1/apiservices/v1.remote.example.com';
    const core = '/api/v1/namespaces/default';
    const available = (): Promise<string> => condition(path, 'Available');

    it('reports the missing parts one by one', async () => {
      await send('POST', '/apis/apiregistration.cluster.io/v1/apiservices', {
        metadata: { name: 'v1.remote.example.com' },
        spec: {
          group: 'remote.example.com',
          version: 'v1',
          groupPriorityMinimum: 100,
          versionPriority: 10,
          insecureSkipTLSVerify: true,
          service: { namespace: 'default', name: 'remote' },
        },
      });
      await becomes(available, 'False ServiceNotFound');
      const service = { metadata: { name: 'remote' }, spec: { ports: [{ port: 80 }] } };
      await send('POST', `${core}/services`, service);
      await becomes(available, 'False ServicePortError');
      const ports = { spec: { ports: [{ port: 80, $patch: 'delete' }, { port: 443 }] } };
      await send('PATCH', `${core}/services/remote`, ports, 'application/strategic-merge-patch+json');
      await becomes(available, 'False EndpointsNotFound');
      await send('POST', `${core}/endpoints`, { metadata: { name: 'remote' } });
      await becomes(available, 'False MissingEndpoints');
      await send('PUT', `${core}/endpoints/remote`, {
        metadata: { name: 'remote' },
        subsets: [{ addresses: [{ ip: '10.1.2.3' }], ports: [{ port: 443 }] }],
      });
      await becomes(available, 'False FailedDiscoveryCheck');
    });

    it('is part of discovery, and unavailable', async () => {
      expect((await read('/apis')).groups?.map(({ name }) => name)).toContain('remote.example.com');
      expect(await read('/apis/remote.example.com')).toMatchObject({ versions: [{ version: 'v1' }] });
      for (const below of ['', '/things', '/namespaces/default/things/x'])
        expect((await send('GET', `/apis/remote.example.com/v1${below}`)).status).toBe(503);
      await send('DELETE', path);
      expect((await send('GET', '/apis/remote.example.com/v1')).status).toBe(404);
    });
  });

  it('a definition that is being deleted reports it, and accepts no more objects', async () => {
    const definitions = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';
    const things = '/apis/going.example.com/v1/things';
    const schema = { openAPIV3Schema: { type: 'object' } };
    await send('POST', definitions, {
      metadata: { name: 'things.going.example.com' },
      spec: {
        group: 'going.example.com',
        scope: 'Cluster',
        names: { plural: 'things', kind: 'Thing' },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    });
    await becomes(async () => (await send('GET', things)).status, 200);
    const thing = { apiVersion: 'going.example.com/v1', kind: 'Thing', metadata: { name: 'a', finalizers: ['a/b'] } };
    await send('POST', things, thing);
    const path = `${definitions}/things.going.example.com`;
    await send('DELETE', path);
    await becomes(() => condition(path, 'Terminating'), 'True InstanceDeletionInProgress');
    expect((await send('POST', things, thing)).status).toBe(405);
    expect((await read('/apis/going.example.com/v1')).resources?.[0]?.verbs).toEqual([
      'delete',
      'deletecollection',
      'get',
      'list',
      'watch',
    ]);
    await send('PATCH', `${things}/a`, { metadata: { finalizers: null } }, 'application/merge-patch+json');
    await becomes(async () => (await send('GET', path)).status, 404);
  });
});
