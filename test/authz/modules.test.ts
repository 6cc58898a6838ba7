import { describe, expect, it } from 'vitest';
import { makeNodeRules, nodeAuthorizer, NodeGraph } from '../../src/authz/index.ts';
import { webhookAuthorizer } from '../../src/authz/webhook.ts';
import type { Authorizer, Verdict } from '../../src/authz/index.ts';
import { namesOf } from '../../src/names/index.ts';
import type { ApiObject } from '../../src/schema/index.ts';
import { manualClock } from '../../src/std/index.ts';
import { request } from './helpers.ts';

const names = namesOf('k8s.io');

describe('Node follows what pods refer to', () => {
  const graph = new NodeGraph(names);
  const object = (metadata: ApiObject['metadata'] | object, spec: object): ApiObject => ({
    metadata: { creationTimestamp: null, ...metadata },
    spec,
  });
  const pod = object(
    { name: 'p', namespace: 'a' },
    {
      nodeName: 'one',
      serviceAccountName: 'robot',
      imagePullSecrets: [{ name: 'pull' }],
      initContainers: [{ envFrom: [{ secretRef: { name: 'init-from' } }] }],
      containers: [
        {
          env: [
            { valueFrom: { secretKeyRef: { name: 'env' } } },
            { valueFrom: { configMapKeyRef: { name: 'env-map' } } },
          ],
        },
      ],
      volumes: [
        { secret: { secretName: 'volume' } },
        { configMap: { name: 'volume-map' } },
        { persistentVolumeClaim: { claimName: 'claim' } },
        { projected: { sources: [{ secret: { name: 'projected' } }] } },
        { name: 'scratch', ephemeral: {} },
      ],
    },
  );
  graph.upsertPod(pod);
  graph.upsertPod(
    object(
      { name: 'mirror', namespace: 'a', annotations: { 'kubernetes.io/config.mirror': 'x' } },
      { nodeName: 'one', volumes: [{ secret: { secretName: 'mirrored' } }] },
    ),
  );
  graph.upsertPod(object({ name: 'waiting', namespace: 'a' }, { volumes: [{ secret: { secretName: 'waiting' } }] }));
  graph.upsertVolume(
    object(
      { name: 'pv' },
      {
        claimRef: { name: 'claim', namespace: 'a' },
        csi: {
          nodePublishSecretRef: { name: 'publish', namespace: 's' },
          controllerPublishSecretRef: { name: 'control', namespace: 's' },
        },
      },
    ),
  );
  graph.upsertVolume(
    object(
      { name: 'cinder' },
      { claimRef: { name: 'claim', namespace: 'a' }, cinder: { secretRef: { name: 'cinder', namespace: 's' } } },
    ),
  );
  graph.upsertAttachment(object({ name: 'va' }, { nodeName: 'one' }));
  graph.upsertNode(
    object({ name: 'one' }, { configSource: { configMap: { name: 'settings', namespace: 'kube-system' } } }),
  );
  const node = nodeAuthorizer({ names, graph, rules: makeNodeRules(names, () => true), gate: () => true });
  const one = 'system:node:one of system:nodes';
  const two = 'system:node:two of system:nodes';

  it.each([
    [one, 'get secrets volume in a', 'allow'],
    [one, 'list secrets volume in a', 'allow'],
    [one, 'watch secrets volume in a', 'allow'],
    [one, 'list secrets in a', 'no-opinion'],
    [one, 'delete secrets volume in a', 'no-opinion'],
    [one, 'get secrets volume in b', 'no-opinion'],
    [one, 'get secrets pull in a', 'allow'],
    [one, 'get secrets init-from in a', 'allow'],
    [one, 'get secrets env in a', 'allow'],
    [one, 'get secrets projected in a', 'allow'],
    [one, 'get secrets mirrored in a', 'no-opinion'],
    [one, 'get secrets waiting in a', 'no-opinion'],
    [two, 'get secrets volume in a', 'no-opinion'],
    [one, 'get configmaps env-map in a', 'allow'],
    [one, 'get configmaps volume-map in a', 'allow'],
    [one, 'get configmaps settings in kube-system', 'allow'],
    [two, 'get configmaps settings in kube-system', 'no-opinion'],
    [one, 'get persistentvolumeclaims claim in a', 'allow'],
    [one, 'patch persistentvolumeclaims/status claim in a', 'allow'],
    [one, 'get persistentvolumeclaims/status claim in a', 'no-opinion'],
    [one, 'list persistentvolumeclaims claim in a', 'no-opinion'],
    [one, 'get persistentvolumes pv', 'allow'],
    [two, 'get persistentvolumes pv', 'no-opinion'],
    [one, 'get secrets publish in s', 'allow'],
    [one, 'get secrets control in s', 'no-opinion'],
    [one, 'get secrets cinder in s', 'allow'],
    [one, 'get persistentvolumeclaims p-scratch in a', 'allow'],
    [one, 'get persistentvolumeclaims p-other in a', 'no-opinion'],
    [one, 'get volumeattachments.storage.k8s.io va', 'allow'],
    [two, 'get volumeattachments.storage.k8s.io va', 'no-opinion'],
    [one, 'create serviceaccounts/token robot in a', 'allow'],
    [two, 'create serviceaccounts/token robot in a', 'no-opinion'],
    [one, 'get serviceaccounts robot in a', 'no-opinion'],
    [one, 'update leases.coordination.k8s.io one in kube-node-lease', 'allow'],
    [one, 'create leases.coordination.k8s.io in kube-node-lease', 'allow'],
    [one, 'update leases.coordination.k8s.io two in kube-node-lease', 'no-opinion'],
    [one, 'update leases.coordination.k8s.io one in a', 'no-opinion'],
    [one, 'list leases.coordination.k8s.io in kube-node-lease', 'no-opinion'],
    [one, 'get csinodes.storage.k8s.io one', 'allow'],
    [one, 'get csinodes.storage.k8s.io two', 'no-opinion'],
    [one, 'get csinodes.storage.k8s.io/x one', 'no-opinion'],
    [one, 'list pods', 'allow'],
    [one, 'patch nodes/status two', 'allow'],
    [one, 'delete nodes one', 'no-opinion'],
    ['system:node:one of other', 'list pods', 'no-opinion'],
    ['system:node: of system:nodes', 'list pods', 'no-opinion'],
    ['one of system:nodes', 'list pods', 'no-opinion'],
  ])('%s: %s → %s', (who, what, decision) => {
    expect((node.authorize(request(who, what)) as Verdict).decision).toBe(decision);
  });

  it('checks what the pods of a node refer to', () => {
    const own = new NodeGraph(names);
    own.upsertPod(pod);
    own.upsertPod(
      object({ name: 'q', namespace: 'a' }, { nodeName: 'one', volumes: [{ secret: { secretName: 'volume' } }] }),
    );
    own.removePod(pod);
    expect([own.needs('one', 'secrets', 'a', 'volume'), own.needs('one', 'secrets', 'a', 'pull')]).toEqual([
      true,
      false,
    ]);
    own.removePod(object({ name: 'q', namespace: 'a' }, {}));
    expect(own.needs('one', 'secrets', 'a', 'volume')).toBe(false);
  });

  it('lists the pods that need an object on a node', () => {
    expect(graph.reasons('one', 'persistentvolumes', '', 'pv')).toEqual(['pod a/p']);
  });
});

describe('drops the references of a deleted pod, and keeps those of others', () => {
  function remote(answer: (spec: Record<string, unknown>) => object): {
    asked: Record<string, unknown>[];
    authorizer: Authorizer;
    clock: ReturnType<typeof manualClock>;
  } {
    const clock = manualClock();
    const asked: Record<string, unknown>[] = [];
    const fetch = async (sent: Request): Promise<Response> => {
      const review = (await sent.json()) as { spec: Record<string, unknown> };
      asked.push(review.spec);
      return Response.json({ ...review, status: answer(review.spec) });
    };
    const endpoint = { url: 'https://authz.example/', headers: {} };
    return {
      asked,
      clock,
      authorizer: webhookAuthorizer({
        fetch,
        clock,
        endpoint,
        apiVersion: 'authorization.k8s.io/v1beta1',
        authorizedTtlMs: 300_000,
        unauthorizedTtlMs: 30_000,
      }),
    };
  }

  it.each([
    [{ allowed: true, reason: 'yes' }, 'allow', 'yes'],
    [{ allowed: false, reason: 'perhaps' }, 'no-opinion', 'perhaps'],
    [{ allowed: false, denied: true, reason: 'no' }, 'deny', 'no'],
  ])('%j → %s', async (status, decision, reason) => {
    expect(await remote(() => status).authorizer.authorize(request('u of g', 'get pods x in a'))).toMatchObject({
      decision,
      reason,
    });
  });

  it('sends only existing attributes', async () => {
    const { asked, authorizer } = remote(() => ({ allowed: true }));
    await authorizer.authorize(request('u of g', 'get pods/log x in a'));
    await authorizer.authorize(request('u', 'get /healthz'));
    expect(asked).toEqual([
      {
        resourceAttributes: {
          namespace: 'a',
          verb: 'get',
          version: 'v1',
          resource: 'pods',
          subresource: 'log',
          name: 'x',
        },
        user: 'u',
        group: ['g'],
      },
      { nonResourceAttributes: { path: '/healthz', verb: 'get' }, user: 'u' },
    ]);
  });

  it('caches answers for the configured time', async () => {
    const { asked, authorizer, clock } = remote((spec) => ({ allowed: spec.user === 'good' }));
    const ask = async (who: string): Promise<void> => void (await authorizer.authorize(request(who, 'get pods')));
    await ask('good');
    await ask('bad');
    await clock.step(29_000);
    await ask('good');
    await ask('bad');
    expect(asked.length).toBe(2);
    await clock.step(2_000);
    await ask('good');
    await ask('bad');
    expect(asked.length).toBe(3);
    await clock.step(300_000);
    await ask('good');
    expect(asked.length).toBe(4);
  });

  it('refuses an answer that both allows and denies', async () => {
    await expect(
      remote(() => ({ allowed: true, denied: true })).authorizer.authorize(request('u', 'get pods')),
    ).rejects.toThrow('both allow and deny');
  });

  describe('by a review', () => {
    async function reviewOf(apiVersion: string, asked: Parameters<Authorizer['authorize']>[0]): Promise<unknown> {
      let sent: unknown;
      const fetch = async (sending: Request): Promise<Response> => {
        sent = await sending.json();
        return Response.json({ status: { allowed: true } });
      };
      const endpoint = { url: 'https://authz.example/', headers: {} };
      const ttl = { authorizedTtlMs: 1, unauthorizedTtlMs: 1 };
      await webhookAuthorizer({ fetch, clock: manualClock(), endpoint, apiVersion, ...ttl }).authorize(asked);
      return sent;
    }

    it.each([
      ['v1', 'groups'],
      ['v1beta1', 'group'],
    ])('in version %s, with the groups as %s', async (version, field) => {
      const asked = request('u of g,h', 'list pods');
      const extra = { scopes: ['a'] };
      const apiVersion = `authorization.k8s.io/${version}`;
      expect(await reviewOf(apiVersion, { ...asked, user: { ...asked.user, uid: '7', extra } })).toEqual({
        apiVersion,
        kind: 'SubjectAccessReview',
        metadata: { creationTimestamp: null },
        spec: {
          resourceAttributes: { verb: 'list', version: 'v1', resource: 'pods' },
          user: 'u',
          [field]: ['g', 'h'],
          extra,
          uid: '7',
        },
      });
    });
  });

  it.each<[object, Verdict]>([
    [{}, { decision: 'no-opinion', reason: '' }],
    [
      { allowed: 'true', denied: 'true', reason: 7 },
      { decision: 'no-opinion', reason: '' },
    ],
    [{ denied: true }, { decision: 'deny', reason: '' }],
  ])('reads the status %j as %j', async (status, verdict) => {
    expect(await remote(() => status).authorizer.authorize(request('u', 'get pods'))).toEqual(verdict);
  });

  it('caches a denial like any answer that does not allow the request', async () => {
    const { asked, authorizer, clock } = remote(() => ({ allowed: false, denied: true }));
    await authorizer.authorize(request('u', 'get pods'));
    await clock.step(31_000);
    await authorizer.authorize(request('u', 'get pods'));
    expect(asked.length).toBe(2);
  });

  it('does not cache answers for requests longer than 10,000 characters', async () => {
    const { asked, authorizer } = remote(() => ({ allowed: true }));
    const spent = JSON.stringify({ nonResourceAttributes: { path: '/', verb: 'get' }, user: 'u' }).length;
    for (const letters of [9_999 - spent, 10_000 - spent]) {
      const path = `get /${'x'.repeat(letters)}`;
      await authorizer.authorize(request('u', path));
      await authorizer.authorize(request('u', path));
    }
    expect(asked.length).toBe(3);
  });

  it('can’t list rules, and says so', () => {
    const { authorizer } = remote(() => ({}));
    expect(authorizer.name).toBe('Webhook');
    expect(authorizer.rules?.({ name: 'u', groups: [], extra: {} }, 'a')).toEqual({
      resourceRules: [],
      nonResourceRules: [],
      incomplete: true,
      error: 'webhook authorizer does not support user rule resolution',
    });
  });
});
