/** What a patch may make of an object's type, and what an apply may start from. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cluster } from '../../src/cluster/index.ts';
import { createCluster } from '../../src/cluster/index.ts';
import { recordedOptions, tokens } from '../conformance/scenarios.ts';

const AUTOSCALERS = '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const autoscaler = {
  apiVersion: 'autoscaling/v1',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'a' },
  spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'x' } },
};

describe('the result of a patch', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await createCluster({ ...recordedOptions('cluster.io'), clock: 'manual' });
    await send('POST', AUTOSCALERS, 'application/json', JSON.stringify(autoscaler));
  });
  afterAll(() => cluster.stop());

  const send = async (method: string, path: string, type: string, body: string) => {
    const headers = { authorization: `Bearer ${tokens.admin}`, 'content-type': type };
    const answer = await cluster.fetch(new Request(`http://patch.test${path}`, { method, headers, body }));
    return { code: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };

  it.each([
    ['merge', 'may be another version of the kind', { apiVersion: 'autoscaling/v2beta2' }, 200],
    ['merge', 'may leave the kind out', { kind: null }, 200],
    ['merge', 'has no name where the version is gone', { apiVersion: null }, 400],
    ['merge', 'is no other kind', { kind: 'Pod' }, 422],
    ['merge', 'is of no unknown version', { apiVersion: 'autoscaling/v9' }, 422],
    ['strategic-merge', 'keeps its type', { apiVersion: 'v9', kind: 'Pod' }, 200],
  ])('%s: %s', async (form, _what, patch, code) => {
    const answer = await send('PATCH', `${AUTOSCALERS}/a`, `application/${form}-patch+json`, JSON.stringify(patch));
    expect(answer.code).toBe(code);
    if (code === 200) expect(answer.body).toMatchObject({ kind: autoscaler.kind, apiVersion: autoscaler.apiVersion });
  });

  it('has no new revision if an apply changes nothing, however late it is', async () => {
    const body = JSON.stringify({
      apiVersion: 'networking.cluster.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: 'n' },
      spec: { podSelector: {}, ingress: [{}], egress: [{ ports: [{ port: 53 }] }] },
    });
    const path = '/apis/networking.cluster.io/v1/namespaces/default/networkpolicies/n?fieldManager=one';
    const apply = async () => (await send('PATCH', path, 'application/apply-patch+yaml', body)).body['metadata'];
    const first = await apply();
    await cluster.clock.step(2_000);
    expect(await apply()).toEqual(first);
  });

  it.each([
    ['nothing', '', 400],
    ['null', 'null', 400],
    ['a list', '[]', 400],
    ['a text', '"x"', 400],
    ['broken YAML', 'a: [', 400],
    ['an object that is said to exist', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: u, uid: x}', 409],
  ])('apply of %s', async (_what, body, code) => {
    const answer = await send('PATCH', `${CONFIG_MAPS}/u?fieldManager=m`, 'application/apply-patch+yaml', body);
    expect(answer.code).toBe(code);
  });
});
