/** The load scenario: what it plans, how it tells its pace, and what it does to a cluster. */
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { Client, deployments, namespaces, nodes, pods } from '../../src/client/index.ts';
import { createCluster, type Cluster } from '../../src/cluster/index.ts';
import { namesOf } from '../../src/names/index.ts';
import { durationText, rateOf, secondsLeft, withSample } from '../../src/ui/load/pace.ts';
import { deploymentDraft, NAMESPACE, presets, problemWith, replicasOf, SELECTOR } from '../../src/ui/load/plan.ts';
import { makeNodes, makePods, removeLoad, survey, type LoadFollower } from '../../src/ui/load/run.ts';
import { endLoad, findLoad, startLoad, stopLoad, useLoad } from '../../src/ui/load/load.ts';
import { administratorFiles, administratorFlags, asTransport, openInPage } from './transport.ts';

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

  it('makes nodes with addresses of their own, and pods that run on them; then removes both', async () => {
    const signal = new AbortController().signal;
    await makeNodes(client, plan, silent, signal);
    const made = (await client.of(nodes).list({ labelSelector: SELECTOR })).items;
    expect(new Set(made.map(({ spec }) => spec.podCIDR)).size).toBe(3);
    expect(new Set(made.map(({ status }) => status.addresses?.[0]?.address)).size).toBe(3);
    const counts: number[] = [];
    await makePods(client, plan, { ...silent, pods: ({ done }) => counts.push(done) }, signal);
    expect(counts.at(-1)).toBe(25);
    const running = (await client.of(pods).list({ namespace: NAMESPACE })).items;
    expect(running.filter(({ status }) => status.phase === 'Running')).toHaveLength(25);
    expect(await survey(client)).toEqual(plan);
    await removeLoad(client, silent);
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
    useLoad.setState({ phase: 'idle', plan: undefined });
    await findLoad();
    expect(useLoad.getState()).toMatchObject({ phase: 'stopped', plan: { nodes: 3, pods: 30 } });
    await endLoad();
    expect(useLoad.getState()).toMatchObject({ phase: 'idle', plan: undefined });
    expect(await left()).toEqual([0, 0, 0]);
  }, 60_000);

  it('leaves a namespace of the same name alone that somebody else made', async () => {
    await client.of(namespaces).create({ metadata: { name: NAMESPACE } });
    await client.of(deployments).create(deploymentDraft(1, 0));
    await removeLoad(client, silent);
    expect(await left()).toEqual([0, 0, 0]);
    expect((await client.of(namespaces).get(NAMESPACE)).metadata.deletionTimestamp).toBeUndefined();
  });
});
