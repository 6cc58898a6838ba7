/** What the disruption controller and the load balancers write. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  deployments,
  nodes,
  podDisruptionBudgets as budgets,
  pods,
  replicaSets,
  replicationControllers,
  services,
  statefulSets,
} from '../../../src/client/index.ts';
import { Lab, ownedBy, type Loose } from '../lab.ts';
import { minute } from '../plans/objects.ts';

let lab: Lab;
beforeEach(() => {
  lab = new Lab();
});
afterEach(() => lab.stop());

describe('a disruption budget', () => {
  const labels = { app: 'web' };
  const budget = (spec: Loose, more: Loose = {}): Loose => ({
    metadata: { name: 'b', namespace: 'ns', generation: 2 },
    spec: { selector: { matchLabels: labels }, ...spec },
    status: { ...more.status },
  });
  const pod = (name: string, more: Loose = {}): Loose => ({
    metadata: { name, namespace: 'ns', labels, ...more.metadata },
    spec: {},
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: more.ready ?? 'True' }] },
  });
  const start = (): Promise<void> => lab.start(['disruption']);
  const statusOf = (): Loose => lab.server.get(budgets, 'ns/b').status;

  test('counts its pods, and follows them', async () => {
    lab.server.put(budgets, budget({ minAvailable: 1 }));
    for (const name of ['p', 'q']) lab.server.put(pods, pod(name));
    lab.server.put(pods, { ...pod('other'), metadata: { name: 'other', namespace: 'ns' } });
    lab.server.put(pods, { ...pod('elsewhere'), metadata: { name: 'elsewhere', namespace: 'x', labels } });
    await start();
    expect(await lab.writes()).toMatchObject([
      {
        ...{ method: 'PUT', path: 'namespaces/ns/poddisruptionbudgets/b/status' },
        body: {
          status: {
            observedGeneration: 2,
            disruptionsAllowed: 1,
            currentHealthy: 2,
            desiredHealthy: 1,
            expectedPods: 2,
          },
        },
      },
    ]);
    lab.server.change(pods, 'ns/q', { status: { conditions: [] } });
    await lab.settle();
    expect(statusOf()).toMatchObject({ disruptionsAllowed: 0, currentHealthy: 1 });
    lab.server.remove(pods, 'ns/q');
    await lab.settle();
    expect(statusOf()).toMatchObject({ disruptionsAllowed: 0, expectedPods: 1 });
    lab.server.change(pods, 'x/elsewhere', { metadata: { labels: { x: 'y' } } });
    lab.server.remove(budgets, 'ns/b');
    await lab.writes();
    lab.server.remove(pods, 'ns/p');
    expect(await lab.requests()).toEqual([]);
  });

  test('without pods says so', async () => {
    lab.server.put(budgets, budget({ minAvailable: 1 }));
    await start();
    expect(new Set(await lab.events())).toEqual(
      new Set(['PodDisruptionBudget ns/b: Normal NoPods No matching pods found']),
    );
    expect(statusOf()).toMatchObject({ disruptionsAllowed: 0, desiredHealthy: 1, expectedPods: 0 });
  });

  test('with an empty selector covers no pod', async () => {
    lab.server.put(budgets, budget({ minAvailable: 1, selector: {} }));
    lab.server.put(pods, pod('p'));
    await start();
    expect(statusOf().expectedPods).toBe(0);
  });

  test('of several for one pod is reported', async () => {
    lab.server.put(budgets, budget({ minAvailable: 1 }));
    lab.server.put(budgets, { ...budget({ minAvailable: 1 }), metadata: { name: 'c', namespace: 'ns' } });
    await start();
    await lab.events();
    lab.server.put(pods, pod('p'));
    expect(await lab.events()).toEqual([
      'Pod ns/p: Warning MultiplePodDisruptionBudgets Pod ns/p matches multiple PodDisruptionBudgets. Chose ns/b arbitrarily.',
    ]);
  });

  test('counts the replicas of each owner once', async () => {
    const put = (ref: Loose, name: string, spec: Loose, owner?: Loose): Loose =>
      lab.server.put(ref, { metadata: { name, namespace: 'ns', ...(owner && { ownerReferences: [owner] }) }, spec });
    const deployment = put(deployments, 'd', { replicas: 5 });
    const set = put(replicaSets, 'd-1', { replicas: 2 }, ownedBy('Deployment', deployment));
    const bare = put(replicaSets, 'bare', { replicas: 3 });
    const stateful = put(statefulSets, 's', { replicas: 4 });
    const controller = put(replicationControllers, 'rc', {});
    const owners = [set, set, bare, stateful].map((owner) => ownedBy(owner.kind, owner));
    for (const [i, owner] of [...owners, ownedBy('ReplicationController', controller, 'v1')].entries())
      lab.server.put(pods, pod(`p${i}`, { metadata: { ownerReferences: [owner] } }));
    lab.server.put(budgets, budget({ maxUnavailable: 2 }));
    await start();
    expect(statusOf()).toMatchObject({
      expectedPods: 5 + 3 + 4 + 1,
      desiredHealthy: 11,
      currentHealthy: 5,
      disruptionsAllowed: 0,
    });
  });

  test.each<[string, owner: Loose, events: string[]]>([
    [
      'has no owner',
      undefined,
      [
        'NoControllerRef found no controller ref for pod "p"',
        'CalculateExpectedPodCountFailed Failed to calculate the number of expected pods: found no controller ref for pod "p"',
      ],
    ],
    [
      'has an owner of an unknown kind',
      ownedBy('Robot', { metadata: { name: 'r', uid: 'r' } }, 'x/v1'),
      [
        'CalculateExpectedPodCountFailed Failed to calculate the number of expected pods: no matches for kind "Robot" in version "x/v1"',
      ],
    ],
  ])('allows nothing where a pod %s', async (_, owner, events) => {
    lab.server.put(budgets, budget({ maxUnavailable: 1 }, { status: { disruptionsAllowed: 3, expectedPods: 4 } }));
    lab.server.put(pods, pod('p', owner && { metadata: { ownerReferences: [owner] } }));
    await start();
    // Its own write makes it look once more.
    expect(new Set(await lab.events())).toEqual(
      new Set(events.map((text) => `PodDisruptionBudget ns/b: Warning ${text}`)),
    );
    expect(statusOf()).toEqual({ disruptionsAllowed: 0, expectedPods: 4 });
  });

  test.each<[string, Loose, expected: number | undefined]>([
    ['is counted with its scale', { spec: { replicas: 6 } }, 6],
    ['without replicas counts none', { spec: {} }, 0],
    ['that was replaced is no owner', { metadata: { uid: 'other' }, spec: { replicas: 6 } }, undefined],
    ['that is gone is no owner', undefined, undefined],
  ])('an owner of another kind %s', async (_, owner, expected) => {
    const robots = { group: 'x', version: 'v1', resource: 'robots', kind: 'Robot', namespaced: true };
    lab.server.serve(robots, ['scale']);
    if (owner)
      lab.server.put(robots, { spec: owner.spec, metadata: { name: 'r', namespace: 'ns', ...owner.metadata } });
    lab.server.put(budgets, budget({ maxUnavailable: 1 }));
    const ownerReferences = [ownedBy('Robot', { metadata: { name: 'r', uid: 'uid-r' } }, 'x/v1')];
    lab.server.put(pods, pod('p', { metadata: { ownerReferences } }));
    await start();
    expect(statusOf().expectedPods).toBe(expected);
    expect(new Set((await lab.events()).map((text) => text.split(' ').slice(2, 4).join(' ')))).toEqual(
      new Set(expected === undefined ? ['Warning NoControllers', 'Warning CalculateExpectedPodCountFailed'] : []),
    );
  });

  test('forgets an eviction that has not happened after two minutes, and says so', async () => {
    lab.server.put(pods, pod('p'));
    lab.server.put(budgets, budget({ minAvailable: 0 }, { status: { disruptedPods: { p: minute(0) } } }));
    await start();
    expect(statusOf()).toMatchObject({ currentHealthy: 0, disruptedPods: { p: minute(0) } });
    await lab.pass(119);
    expect(statusOf().currentHealthy).toBe(0);
    await lab.pass(1);
    expect(statusOf()).toMatchObject({ currentHealthy: 1, disruptedPods: {} });
    expect(await lab.events()).toEqual([
      "Pod ns/p: Warning NotDeleted Pod was expected by PDB ns/ns to be deleted but it wasn't",
    ]);
  });

  test('is written again after a conflict', async () => {
    lab.server.put(budgets, budget({ minAvailable: 1 }));
    lab.server.put(pods, pod('p'));
    lab.server.refuse('PUT', /budgets/, 409, 'Conflict', 1);
    await start();
    await lab.pass(1);
    expect(await lab.requests()).toEqual(Array(2).fill('PUT namespaces/ns/poddisruptionbudgets/b/status'));
    expect(await lab.events()).toEqual([]);
  });
});

describe('a load balancer', () => {
  const simulated = {
    metadata: { name: 'n', annotations: { 'simulation.vitrine.dev/agent': 'true' } },
    spec: {},
    status: {},
  };
  const finalizer = 'service.cluster.io/load-balancer-cleanup';
  const service = (name: string, spec: Loose = {}, more: Loose = {}): Loose => ({
    metadata: { name, namespace: 'ns', ...more.metadata },
    spec: { type: 'LoadBalancer', ...spec },
    status: { loadBalancer: {}, ...more.status },
  });
  const withAddress = (ip: string): Loose => ({ status: { loadBalancer: { ingress: [{ ip }] } } });
  const start = (): Promise<void> => lab.start(['service']);
  const addressesOf = (name: string): Loose =>
    (lab.server.get(services, `ns/${name}`).status.loadBalancer.ingress ?? []).map(({ ip }: Loose) => ip);

  test('gets an address and a finalizer, and loses both when the type changes', async () => {
    lab.server.put(nodes, simulated);
    lab.server.put(services, service('a', {}, { metadata: { finalizers: ['other'] } }));
    await start();
    expect(await lab.requests()).toEqual(['PUT namespaces/ns/services/a/status']);
    expect([addressesOf('a'), lab.server.get(services, 'ns/a').metadata.finalizers]).toEqual([
      ['198.51.100.1'],
      ['other', finalizer],
    ]);
    expect(await lab.events()).toEqual([
      'Service ns/a: Normal EnsuringLoadBalancer Ensuring load balancer',
      'Service ns/a: Normal EnsuredLoadBalancer Ensured load balancer',
    ]);
    lab.server.change(services, 'ns/a', { spec: { type: 'ClusterIP' } });
    expect(await lab.requests()).toEqual(['PUT namespaces/ns/services/a/status']);
    expect([addressesOf('a'), lab.server.get(services, 'ns/a').metadata.finalizers]).toEqual([[], ['other']]);
    expect(await lab.events()).toEqual([
      'Service ns/a: Normal DeletingLoadBalancer Deleting load balancer',
      'Service ns/a: Normal DeletedLoadBalancer Deleted load balancer',
    ]);
  });

  test.each<[string, spec: Loose, address: string[]]>([
    ['the next free one', {}, ['198.51.100.2']],
    ['the one that it asks for', { loadBalancerIP: '10.1.1.1' }, ['10.1.1.1']],
    ['none if that is taken', { loadBalancerIP: '198.51.100.1' }, []],
  ])('gets %s', async (_, spec, address) => {
    lab.server.put(nodes, simulated);
    lab.server.put(
      services,
      service('other', {}, { metadata: { finalizers: [finalizer] }, ...withAddress('198.51.100.1') }),
    );
    lab.server.put(services, service('a', spec));
    await start();
    expect(addressesOf('a')).toEqual(address);
    const failed =
      'Warning SyncLoadBalancerFailed Error syncing load balancer: failed to ensure load balancer: no address is left';
    expect((await lab.events()).at(-1)).toBe(
      `Service ns/a: ${address.length > 0 ? 'Normal EnsuredLoadBalancer Ensured load balancer' : failed}`,
    );
  });

  test('waits for the first simulated node', async () => {
    lab.server.put(services, service('a'));
    lab.server.put(services, service('plain', { type: 'ClusterIP' }));
    lab.server.put(nodes, { metadata: { name: 'real' }, spec: {}, status: {} });
    await start();
    expect(await lab.requests()).toEqual([]);
    lab.server.put(nodes, simulated);
    expect(await lab.requests()).toEqual(['PUT namespaces/ns/services/a/status']);
  });

  test('leaves an address that somebody else wrote, and a service that is gone', async () => {
    lab.server.put(nodes, simulated);
    lab.server.put(services, service('theirs', { type: 'ClusterIP' }, withAddress('1.2.3.4')));
    lab.server.put(services, service('gone', {}));
    lab.server.refuse('PUT', /services\/gone/, 404, 'NotFound', 1);
    await start();
    expect(await lab.requests()).toEqual(['PUT namespaces/ns/services/gone/status']);
    expect(addressesOf('theirs')).toEqual(['1.2.3.4']);
  });

  test('lets a deleted service go', async () => {
    lab.server.put(nodes, simulated);
    const metadata = { deletionTimestamp: minute(0), finalizers: [finalizer] };
    lab.server.put(services, service('a', {}, { metadata, ...withAddress('198.51.100.1') }));
    await start();
    expect(await lab.requests()).toEqual(['PUT namespaces/ns/services/a/status']);
    expect(lab.server.get(services, 'ns/a')).toBeUndefined();
  });
});
