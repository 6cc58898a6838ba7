/** The load scenario: what it plans, how it tells its pace, and what it does to a cluster. */
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { Client, deployments, namespaces, nodes, pods, type Transport } from '../../src/client/index.ts';
import { createCluster, type Cluster } from '../../src/cluster/index.ts';
import { namesOf } from '../../src/names/index.ts';
import { durationText, rateOf, secondsLeft, withSample } from '../../src/ui/load/pace.ts';
import {
  deploymentDraft,
  NAMESPACE,
  nodeName,
  planIn,
  presets,
  problemWith,
  replicasOf,
  SELECTOR,
} from '../../src/ui/load/plan.ts';
import { keepPlan, makeNodes, makePods, removeLoad, survey, type LoadFollower } from '../../src/ui/load/run.ts';
import { endLoad, findLoad, startLoad, stopLoad, useLoad } from '../../src/ui/load/load.ts';
import { theCluster, useSession } from '../../src/ui/stores/session.ts';
import { administratorFiles, administratorFlags, asTransport, clusterFor, openInPage } from './transport.ts';

describe('a plan', () => {
  test.each([
    { nodes: 0, pods: 0, problem: 'Nodes: a whole number from 1 to 5,000.' },
    { nodes: 2.5, pods: 0, problem: 'Nodes: a whole number from 1 to 5,000.' },
    { nodes: NaN, pods: 0, problem: 'Nodes: a whole number from 1 to 5,000.' },
    { nodes: 5_001, pods: 0, problem: 'Nodes: a whole number from 1 to 5,000.' },
    { nodes: 1, pods: -1, problem: 'Pods: a whole number from 0 to 150,000.' },
    { nodes: 5_000, pods: 150_001, problem: 'Pods: a whole number from 0 to 150,000.' },
    { nodes: 10, pods: 1_001, problem: '10 nodes take 1,000 pods at most.' },
    { nodes: 10, pods: 1_000, problem: undefined },
  ])('of $nodes nodes and $pods pods: $problem', ({ problem, ...plan }) => {
    expect(problemWith(plan)).toBe(problem);
  });

  test('that is offered can be made', () => {
    expect(presets.map(problemWith)).toEqual([undefined, undefined, undefined]);
  });

  test.each([
    { pods: 0, replicas: [] },
    { pods: 7, replicas: [7] },
    { pods: 25, replicas: [10, 10, 5] },
    { pods: 1_000, replicas: Array.from({ length: 20 }, () => 50) },
    { pods: 10_100, replicas: [...Array.from({ length: 40 }, () => 250), 100] },
  ])('of $pods pods has Deployments for all of them', ({ pods: wanted, replicas }) => {
    expect(replicasOf({ nodes: 5_000, pods: wanted })).toEqual(replicas);
  });
});

describe('its pace', () => {
  const at = (...samples: [seconds: number, done: number][]) =>
    samples.map(([seconds, done]) => ({ at: seconds * 1_000, done })).reduce(withSample, []);

  test.each([
    { title: 'unknown before a second has passed', samples: at([0, 0], [0.9, 50]), rate: undefined },
    { title: 'unknown while nothing happens', samples: at([0, 10], [5, 10]), rate: undefined },
    { title: 'what was done by the time it took', samples: at([0, 0], [4, 100]), rate: 25 },
    { title: 'that of the last seconds', samples: at([0, 0], [10, 1_000], [20, 1_100], [30, 1_200]), rate: 10 },
  ])('is $title', ({ samples, rate }) => {
    expect(rateOf(samples)).toBe(rate);
    expect(secondsLeft(50, rate)).toBe(rate && 50 / rate);
  });

  test.each([
    [0.2, '1 s'],
    [89, '89 s'],
    [150, '3 min'],
    [4_800, '1 h 20 min'],
  ])('%d seconds read %s', (seconds, text) => {
    expect(durationText(seconds)).toBe(text);
  });
});

function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

/** Holds the requests that `held` names until the test lets them go. */
function holding(transport: Transport, held: (path: string, method: string) => boolean) {
  const asked = gate();
  const free = gate();
  const slow: Transport = async (path, init) => {
    if (held(path, init?.method ?? 'GET')) {
      asked.open();
      await free.opened;
    }
    return transport(path, init);
  };
  return { slow, asked: asked.opened, letGo: free.open };
}

/** Opens a cluster in the page that reaches it in this way. */
function openBy(cluster: Cluster, transport: Transport): void {
  openInPage(cluster, 'k8s.io');
  const open = theCluster();
  useSession.setState({ session: { ...open, cluster: { ...open.cluster, transport } } });
}

describe('a load', () => {
  const names = namesOf('k8s.io');
  const silent: LoadFollower = { nodes: () => undefined, pods: () => undefined, problem: () => undefined };
  const plan = { nodes: 3, pods: 25 };
  let cluster: Cluster;
  let client: Client;

  beforeAll(async () => {
    cluster = await createCluster({
      ...{ name: 'load', naming: 'k8s.io', storage: 'memory', files: administratorFiles },
      ...{ apiserver: administratorFlags, controllerManager: ['--use-service-account-credentials=true'] },
    });
    client = new Client({ transport: asTransport(cluster), names });
    openInPage(cluster, 'k8s.io');
  });
  afterAll(() => cluster.stop());

  const left = async (): Promise<number[]> => {
    const made = [
      await client.of(nodes).list({ labelSelector: SELECTOR }),
      await client.of(deployments).list({ labelSelector: SELECTOR }),
      await client.of(pods).list({ namespace: NAMESPACE }),
    ];
    return made.map(({ items }) => items.length);
  };

  const removeNamespace = async (): Promise<void> => {
    await client.of(namespaces).delete({ metadata: { name: NAMESPACE } });
    const gone = () =>
      client
        .of(namespaces)
        .get(NAMESPACE)
        .then(
          () => false,
          () => true,
        );
    await expect.poll(gone, { timeout: 20_000 }).toBe(true);
  };

  it('makes nodes with addresses of their own, and pods that run on them; then removes both', async () => {
    const signal = new AbortController().signal;
    await keepPlan(client, plan);
    await makeNodes(client, plan, silent, signal);
    const made = (await client.of(nodes).list({ labelSelector: SELECTOR })).items;
    expect(new Set(made.map(({ spec }) => spec.podCIDR)).size).toBe(3);
    expect(new Set(made.map(({ status }) => status.addresses?.[0]?.address)).size).toBe(3);
    const counts: number[] = [];
    await makePods(client, plan, { ...silent, pods: ({ done }) => counts.push(done) }, signal);
    expect(counts.at(-1)).toBe(25);
    const running = (await client.of(pods).list({ namespace: NAMESPACE })).items;
    expect(running.filter(({ status }) => status.phase === 'Running')).toHaveLength(25);
    expect(await survey(client)).toEqual({ plan, made: plan });
    await removeLoad(client, silent, signal);
    expect(await left()).toEqual([0, 0, 0]);
  }, 60_000);

  it('goes on where an earlier one stopped, and tells how far it is', async () => {
    const begun = startLoad(plan);
    stopLoad();
    await begun;
    expect(useLoad.getState().phase).toBe('stopped');
    await startLoad(plan);
    expect(useLoad.getState()).toMatchObject({ phase: 'done', nodes: { done: 3 }, pods: { done: 25 } });
    await startLoad({ nodes: 3, pods: 30 });
    expect(useLoad.getState()).toMatchObject({ phase: 'done', pods: { asked: 30, done: 30 } });
    openInPage(cluster, 'k8s.io');
    expect(useLoad.getState()).toMatchObject({ phase: 'idle', plan: undefined });
    await findLoad();
    expect(useLoad.getState()).toMatchObject({ phase: 'stopped', plan: { nodes: 3, pods: 30 } });
    await endLoad();
    expect(useLoad.getState()).toMatchObject({ phase: 'idle', plan: undefined });
    expect(await left()).toEqual([0, 0, 0]);
  }, 60_000);

  it('leaves a namespace of the same name alone that somebody else made', async () => {
    await client.of(namespaces).create({ metadata: { name: NAMESPACE } });
    await client.of(deployments).create(deploymentDraft('load-1', 0));
    await removeLoad(client, silent, new AbortController().signal);
    expect(await left()).toEqual([0, 0, 0]);
    expect((await client.of(namespaces).get(NAMESPACE)).metadata.deletionTimestamp).toBeUndefined();
    await removeNamespace();
  });

  it('of fewer nodes and pods takes away what a larger one made', async () => {
    await startLoad({ nodes: 4, pods: 45 });
    await startLoad({ nodes: 2, pods: 12 });
    expect(useLoad.getState()).toMatchObject({ phase: 'done', nodes: { done: 2 }, pods: { asked: 12, done: 12 } });
    expect((await survey(client))?.made).toEqual({ nodes: 2, pods: 12 });
    await expect.poll(left, { timeout: 20_000 }).toEqual([2, 2, 12]);
  }, 60_000);

  it('that was stopped goes on as it was planned, also in a page that has forgotten it', async () => {
    await keepPlan(client, { nodes: 2, pods: 150 });
    openInPage(cluster, 'k8s.io');
    await findLoad();
    expect(useLoad.getState()).toMatchObject({
      ...{ phase: 'stopped', plan: { nodes: 2, pods: 150 } },
      ...{ nodes: { done: 2 }, pods: { done: 12 } },
    });
    await endLoad();
    expect(await left()).toEqual([0, 0, 0]);
  }, 60_000);

  test.each([['no JSON'], ['null'], ['{"nodes":"2","pods":3}'], ['{"nodes":-1,"pods":3}']])(
    'takes no plan from an annotation that reads %s',
    (text) => expect(planIn(text)).toBeUndefined(),
  );

  it('does not scale a Deployment that somebody else made', async () => {
    await client.of(namespaces).create({ metadata: { name: NAMESPACE } });
    const { metadata, ...draft } = deploymentDraft('load-1', 0);
    await client.of(deployments).create({ ...draft, metadata: { ...metadata, labels: {} } });
    await startLoad({ nodes: 1, pods: 5 });
    expect(useLoad.getState()).toMatchObject({
      phase: 'failed',
      problem: 'The Deployment load/load-1 was not made by a load, and stays as it is. Remove it, then go on.',
    });
    expect((await client.of(deployments).get('load-1', NAMESPACE)).spec.replicas).toBe(0);
    await client.of(deployments).delete({ metadata: { name: 'load-1', namespace: NAMESPACE } });
    await endLoad();
    await removeNamespace();
  }, 60_000);

  it('does not wait for a node of its names that somebody else made', async () => {
    await client.of(nodes).create({ metadata: { name: nodeName(1) } });
    await startLoad({ nodes: 1, pods: 0 });
    expect(useLoad.getState().problem).toBe(
      'The Node load-node-1 was not made by a load, and stays as it is. Remove it, then go on.',
    );
    await endLoad();
    await client.of(nodes).delete({ metadata: { name: nodeName(1) } });
  }, 60_000);

  it('whose removal ends after its cluster was left does not end that of the next', async () => {
    const first = holding(asTransport(cluster), (_, method) => method === 'DELETE');
    openBy(cluster, first.slow);
    const late = endLoad();
    await first.asked;
    const second = holding(asTransport(cluster), () => true);
    openBy(cluster, second.slow);
    const begun = startLoad({ nodes: 7, pods: 0 });
    first.letGo();
    await late;
    expect(useLoad.getState()).toMatchObject({ phase: 'nodes', plan: { nodes: 7 } });
    stopLoad();
    second.letGo();
    await begun;
    await endLoad();
    expect(await left()).toEqual([0, 0, 0]);
  }, 60_000);
});

describe('a load and the cluster it is of', () => {
  let one: Cluster;
  let other: Cluster;
  beforeAll(async () => {
    [one, other] = await Promise.all([clusterFor('k8s.io'), clusterFor('k8s.io')]);
  });
  afterAll(() => Promise.all([one.stop(), other.stop()]));

  const lookBack = (): void => {
    const open = theCluster();
    const moment = { revision: 1, at: 0 } as never;
    const transport: Transport = () => Promise.reject(new Error('The past was asked.'));
    useSession.setState({
      session: { ...open, cluster: { ...open.cluster, transport }, past: { moment, live: open.cluster } },
    });
  };
  const idle = { phase: 'idle', plan: undefined, problem: undefined };

  it('is forgotten where another cluster opens, whether it ran or was stopped', async () => {
    openInPage(one, 'k8s.io');
    const begun = startLoad({ nodes: 1, pods: 0 });
    stopLoad();
    await begun;
    expect(useLoad.getState().phase).toBe('stopped');
    openInPage(other, 'k8s.io');
    await findLoad();
    expect(useLoad.getState()).toMatchObject(idle);
    expect(await survey(new Client({ transport: asTransport(other), names: namesOf('k8s.io') }))).toBeUndefined();
  });

  it('goes on while the page looks at the past, which is not asked', async () => {
    const { slow, asked, letGo } = holding(asTransport(one), (path, method) => method === 'POST' && /nodes/.test(path));
    openBy(one, slow);
    const begun = startLoad({ nodes: 1, pods: 0 });
    await asked;
    lookBack();
    expect(useLoad.getState()).toMatchObject({ phase: 'nodes', plan: { nodes: 1 } });
    letGo();
    stopLoad();
    await begun;
    expect(useLoad.getState()).toMatchObject({ phase: 'stopped', plan: { nodes: 1 } });
  });

  it('is neither looked for nor made nor removed in the past', async () => {
    openInPage(one, 'k8s.io');
    lookBack();
    await findLoad();
    await startLoad({ nodes: 1, pods: 0 });
    await endLoad();
    expect(useLoad.getState()).toMatchObject(idle);
  });

  test.each([
    { what: 'found', work: findLoad, held: (path: string) => path.includes('/nodes') },
    { what: 'removed', work: endLoad, held: (_: string, method: string) => method === 'DELETE' },
  ])('says nothing in the next cluster of what is $what late in the one that was left', async ({ work, held }) => {
    await keepPlan(new Client({ transport: asTransport(one), names: namesOf('k8s.io') }), { nodes: 1, pods: 0 });
    const first = holding(asTransport(one), held);
    openBy(one, first.slow);
    const late = work();
    await first.asked;
    const second = holding(asTransport(other), () => true);
    openBy(other, second.slow);
    const begun = startLoad({ nodes: 7, pods: 0 });
    first.letGo();
    await late.catch(() => undefined);
    expect(useLoad.getState()).toMatchObject({ phase: 'nodes', plan: { nodes: 7 }, nodes: { done: 0 } });
    stopLoad();
    second.letGo();
    await begun;
  });

  it('asks for nothing more when its removal is given up', async () => {
    const leaving = new AbortController();
    let requests = 0;
    const transport: Transport = () => {
      requests++;
      return Promise.reject(new Error('away'));
    };
    const client = new Client({ transport, names: namesOf('k8s.io') });
    const problems = { nodes: () => undefined, pods: () => undefined, problem: () => leaving.abort() };
    await expect(removeLoad(client, problems, leaving.signal)).rejects.toThrow(/abort/i);
    expect(requests).toBe(1);
  });
});
