/** What the loops of workloads say that they plan, and which objects they belong to where several could claim them. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  daemonSets,
  deployments,
  jobs,
  nodes,
  pods,
  replicaSets,
  type ResourceRef,
} from '../../../src/client/index.ts';
import { Lab, ownedBy, type Loose } from '../lab.ts';
import { minute } from '../plans/objects.ts';

let lab: Lab;
let told: Loose[];
beforeEach(() => {
  lab = new Lab();
  told = lab.listen('reconcile', 'request');
});
afterEach(() => lab.stop());

const labels = { app: 'web' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const selector = { matchLabels: labels };
const metadata = { name: 'web', namespace: 'ns', generation: 1 };
const plans = (): Loose[] =>
  told.splice(0).flatMap(({ what, key, plan }) => (what === 'planned' ? [{ key, plan }] : []));
/** Which keys were woken since the last call. */
const woken = async (): Promise<string[]> => {
  await lab.settle();
  return told.splice(0).flatMap(({ what, key, why }) => (what === 'woken' ? [`${key}: ${why}`] : []));
};
const ready = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: minute(0) }] };

const rolling = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
const deployment = (spec: Loose = {}, more: Loose = {}): Loose => ({
  ...{ metadata: { ...metadata, ...more.metadata }, status: { replicas: 0, ...more.status } },
  spec: { replicas: 2, selector, template, strategy: rolling, progressDeadlineSeconds: 600, ...spec },
});

describe('a plan is told', () => {
  test.each<[controller: string, ref: Loose, spec: Loose, plan: Loose[]]>([
    [
      'deployment',
      deployments,
      deployment().spec,
      [{ do: 'create', set: expect.stringMatching(/^web-/), replicas: 2 }],
    ],
    ['replicaset', replicaSets, { replicas: 2, selector, template }, [{ create: 2 }, { delete: [] }]],
    ['job', jobs, { parallelism: 2, completions: 2, selector, template }, [{ do: 'run', create: 2 }]],
    [
      'daemonset',
      daemonSets,
      { selector, template, updateStrategy: { type: 'OnDelete' } },
      [{ create: ['n'] }, { delete: [] }],
    ],
  ])('by the %s controller', async (controller, ref: ResourceRef, spec, plan) => {
    lab.server.put(nodes, { metadata: { name: 'n' }, spec: {}, status: {} });
    lab.server.put(ref, { metadata, spec, status: { replicas: 0 } });
    await lab.start([controller]);
    const [first] = plans();
    expect(first?.key).toBe('ns/web');
    expect(first?.plan).toMatchObject(plan);
  });

  test('by a replica set that has too many pods, with their names', async () => {
    const set = lab.server.put(replicaSets, {
      metadata,
      spec: { replicas: 0, selector, template },
      status: { replicas: 1 },
    });
    const ownerReferences = [ownedBy('ReplicaSet', set)];
    lab.server.put(pods, {
      metadata: { name: 'p', namespace: 'ns', labels, ownerReferences },
      spec: {},
      status: ready,
    });
    await lab.start(['replicaset']);
    expect(plans()[0]).toEqual({ key: 'ns/web', plan: [{ create: 0 }, { delete: ['ns/p'] }] });
  });

  test('by no set that has what it wants', async () => {
    lab.server.put(replicaSets, { metadata, spec: { replicas: 0, selector, template }, status: { replicas: 1 } });
    await lab.start(['replicaset']);
    expect(plans()).toEqual([]);
  });
});

describe('of pods that are too many', () => {
  test('those go whose node has more pods of all sets of the deployment', async () => {
    const reference = { ...ownedBy('Deployment', { metadata: { name: 'd', uid: 'uid-d' } }) };
    const other = { ...ownedBy('Deployment', { metadata: { name: 'e', uid: 'uid-e' } }) };
    const make = (name: string, owner: Loose, size: number): Loose =>
      lab.server.put(replicaSets, {
        metadata: { name, namespace: 'ns', ownerReferences: [owner] },
        spec: {
          replicas: size,
          selector: { matchLabels: { set: name } },
          template: { metadata: { labels: { set: name } } },
        },
        status: { replicas: 0 },
      });
    const place = (name: string, of: Loose, nodeName: string): void => {
      const own = {
        name,
        namespace: 'ns',
        labels: { set: of.metadata.name },
        ownerReferences: [ownedBy('ReplicaSet', of)],
      };
      lab.server.put(pods, { metadata: own, spec: { nodeName }, status: ready });
    };
    const [first, sibling, stranger] = [
      make('first', reference, 1),
      make('sibling', reference, 1),
      make('stranger', other, 2),
    ];
    place('p', first, 'n');
    place('q', first, 'm');
    place('r', sibling, 'm');
    for (const name of ['s', 't']) place(name, stranger, 'n');
    await lab.start(['replicaset']);
    expect((await lab.requests()).filter((each) => each.startsWith('DELETE'))).toEqual(['DELETE namespaces/ns/pods/q']);
  });
});

describe('an object without a controller wakes those that select it', () => {
  test.each<[controller: string, ref: Loose, spec: Loose]>([
    ['replicaset', replicaSets, { replicas: 0, template }],
    ['daemonset', daemonSets, { template, updateStrategy: { type: 'OnDelete' } }],
  ])('of the %s controller', async (controller, ref: ResourceRef, spec) => {
    for (const app of ['web', 'db'])
      lab.server.put(ref, {
        metadata: { ...metadata, name: app },
        spec: { ...spec, selector: { matchLabels: { app } } },
        status: { replicas: 0 },
      });
    await lab.start([controller]);
    told.length = 0;
    lab.server.put(pods, { metadata: { name: 'p', namespace: 'ns', labels }, spec: {}, status: ready });
    expect((await woken())[0]).toBe('ns/web: Pod ns/p added');
    lab.server.put(pods, { metadata: { name: 'q', namespace: 'ns' }, spec: {}, status: ready });
    expect(await woken()).toEqual([]);
  });

  test('of the deployment controller', async () => {
    for (const app of ['web', 'db'])
      lab.server.put(deployments, {
        ...deployment({
          replicas: 0,
          selector: { matchLabels: { app } },
          template: { ...template, metadata: { labels: { app } } },
        }),
        metadata: { ...metadata, name: app },
      });
    await lab.start(['deployment']);
    told.length = 0;
    const put = (name: string, own: Loose): void =>
      void lab.server.put(replicaSets, {
        metadata: { name, namespace: 'ns', ...own },
        spec: { replicas: 0, selector, template },
        status: { replicas: 0 },
      });
    put('free', { labels });
    expect((await woken())[0]).toBe('ns/web: ReplicaSet ns/free added');
    put('bare', {});
    expect(await woken()).toEqual([]);
  });
});

describe('a deployment', () => {
  const setOf = (): Loose => lab.server.list(replicaSets)[0];
  const conditions = (): string[] =>
    (lab.server.get(deployments, 'ns/web').status.conditions ?? []).map(
      ({ type, status, reason, message }: Loose) => `${type} ${status} ${reason}: ${message}`,
    );

  test.each<[strategy: string, wakes: boolean]>([
    ['Recreate', true],
    ['RollingUpdate', false],
  ])('with the strategy %s is woken by a pod that is deleted: %s', async (type, wakes) => {
    lab.server.put(deployments, deployment({ strategy: { type, rollingUpdate: rolling.rollingUpdate } }));
    await lab.start(['deployment']);
    const ownerReferences = [ownedBy('ReplicaSet', setOf())];
    lab.server.put(pods, {
      metadata: { name: 'p', namespace: 'ns', labels, ownerReferences },
      spec: {},
      status: ready,
    });
    lab.server.put(pods, { metadata: { name: 'stray', namespace: 'ns', labels }, spec: {}, status: ready });
    await woken();
    for (const name of ['p', 'stray']) lab.server.remove(pods, `ns/${name}`);
    expect(await woken()).toEqual(wakes ? ['ns/web: Pod ns/p deleted'] : []);
  });

  test('says which set it has made, and which it has found', async () => {
    lab.server.put(deployments, deployment());
    await lab.start(['deployment']);
    const { name } = setOf().metadata;
    expect(conditions()[0]).toBe(`Progressing True NewReplicaSetCreated: Created new replica set "${name}"`);
    expect((await lab.events())[0]).toBe(
      `Deployment ns/web: Normal ScalingReplicaSet Scaled up replica set ${name} to 2`,
    );
    lab.server.change(deployments, 'ns/web', { status: { conditions: null } });
    await lab.settle();
    expect(conditions()).toContain(`Progressing True FoundNewReplicaSet: Found new replica set "${name}"`);
  });

  test('without a deadline says nothing of its progress', async () => {
    lab.server.put(deployments, deployment({ progressDeadlineSeconds: 2147483647 }));
    lab.server.refuse('POST', /replicasets/, 403, 'Forbidden', 1);
    await lab.start(['deployment']);
    expect((await lab.requests()).filter((each) => each.startsWith('PUT'))).toEqual([]);
    await lab.pass(1);
    expect(conditions().filter((each) => each.startsWith('Progressing'))).toEqual([]);
  });

  test('of no pods makes its set without a word', async () => {
    lab.server.put(deployments, deployment({ replicas: 0 }));
    await lab.start(['deployment']);
    expect([lab.server.list(replicaSets).length, await lab.events()]).toEqual([1, []]);
  });

  test('tells of each change of size, and of no other change of a set', async () => {
    lab.server.put(deployments, deployment());
    await lab.start(['deployment']);
    const { name } = setOf().metadata;
    await lab.events();
    lab.server.change(deployments, 'ns/web', { spec: { replicas: 3 } });
    expect(await lab.events()).toEqual([
      `Deployment ns/web: Normal ScalingReplicaSet Scaled up replica set ${name} to 3`,
    ]);
    lab.server.change(deployments, 'ns/web', { spec: { replicas: 1 } });
    expect(await lab.events()).toEqual([
      `Deployment ns/web: Normal ScalingReplicaSet Scaled down replica set ${name} to 1`,
    ]);
    lab.server.change(deployments, 'ns/web', { spec: { minReadySeconds: 5 } });
    await lab.settle();
    expect([setOf().spec.minReadySeconds, await lab.events()]).toEqual([5, []]);
  });

  test('that goes back where there is nothing before says so', async () => {
    lab.server.put(
      deployments,
      deployment({}, { metadata: { annotations: { 'deprecated.deployment.rollback.to': '0' } } }),
    );
    await lab.start(['deployment']);
    expect((await lab.events())[0]).toBe(
      'Deployment ns/web: Warning DeploymentRollbackRevisionNotFound Unable to find last revision.',
    );
  });

  test('that is paused does not go back', async () => {
    const annotations = { 'deprecated.deployment.rollback.to': '0' };
    lab.server.put(deployments, deployment({ paused: true }, { metadata: { annotations } }));
    await lab.start(['deployment']);
    expect(lab.server.get(deployments, 'ns/web').metadata.annotations).toMatchObject(annotations);
  });

  test('that is gone when its status is written is left alone', async () => {
    lab.server.put(deployments, deployment());
    lab.server.refuse('PUT', /status$/, 404, 'NotFound', 1);
    await lab.start(['deployment']);
    expect(told.filter(({ what }) => what === 'failed')).toEqual([]);
    await lab.pass(1);
  });

  test('has the revision of its set, and keeps its other annotations', async () => {
    lab.server.put(deployments, deployment({}, { metadata: { annotations: { mine: 'x' } } }));
    await lab.start(['deployment']);
    expect(lab.server.get(deployments, 'ns/web').metadata.annotations).toEqual({
      ...{ mine: 'x', 'deployment.cluster.io/revision': '1' },
    });
  });
});
