/** What-if is what happens: random clusters are asked about a draft, the draft is applied through the API, and the running scheduler decides. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ClusterOptions } from '../../src/cluster/index.ts';
import type { Draft, Placement } from '../../src/scheduler/index.ts';
import { Bench, type Loose } from '../controllers/bench.ts';
import { sometimes } from './randomClusters.ts';

const ZONES = ['x', 'y'];
const APPS = ['web', 'db'];
const HOSTNAME = 'cluster.io/hostname';
const PODS = '/api/v1/namespaces/default/pods';
const CLAIMS = '/api/v1/namespaces/default/persistentvolumeclaims';
const BUDGETS = '/apis/policy/v1beta1/namespaces/default/poddisruptionbudgets';
const LOCAL = '/apis/storage.cluster.io/v1/storageclasses';

let bench: Bench;
let runs = 0;

async function start(options: Partial<ClusterOptions> = {}): Promise<void> {
  bench = await Bench.start(options, { fetch: extend });
  const local = { provisioner: 'cluster.io/no-provisioner', volumeBindingMode: 'WaitForFirstConsumer' };
  await bench.create(LOCAL, { metadata: { name: 'local' }, ...local });
  for (const value of [10, 100])
    await bench.create('/apis/scheduling.cluster.io/v1/priorityclasses', { metadata: { name: `p${value}` }, value });
}

/** A configuration of the scheduler with an extender that has a say in everything. */
const withExtender: Partial<ClusterOptions> = {
  scheduler: ['--config=scheduler.yaml'],
  files: {
    'scheduler.yaml': `apiVersion: kubescheduler.config.cluster.io/v1beta1
kind: KubeSchedulerConfiguration
extenders: [{urlPrefix: "http://extender.example", filterVerb: filter, prioritizeVerb: prioritize, weight: 20}]
`,
  },
};

/** The extender: web pods may not go to nodes of three cores, and it likes nodes whose names end with an even digit. */
async function extend(request: Request): Promise<Response> {
  const { Pod, Nodes } = (await request.json()) as Loose;
  const nodes: Loose[] = Nodes.items;
  if (request.url.endsWith('/prioritize'))
    return Response.json(
      nodes.map(({ metadata: { name } }) => ({ host: name, score: Number(name.at(-1)) % 2 === 0 ? 10 : 1 })),
    );
  const isRefused = ({ status }: Loose): boolean => Pod.metadata.labels.app === 'web' && status.allocatable.cpu === '3';
  const failed = nodes.filter(isRefused).map(({ metadata }) => [metadata.name, 'three cores'] as const);
  const items = nodes.filter((node) => !isRefused(node));
  return Response.json({ nodes: { items }, failedNodes: Object.fromEntries(failed) });
}

const selecting = (app: string): Loose => ({ labelSelector: { matchLabels: { app } } });
const key = fc.constantFrom('zone', HOSTNAME);

/** Rules that depend on other pods, on nodes, or on volumes. */
const rules = fc
  .record({
    near: sometimes(fc.tuple(fc.constantFrom(...APPS), key), 4),
    away: sometimes(fc.tuple(fc.constantFrom(...APPS), key), 4),
    likes: sometimes(fc.tuple(fc.constantFrom(...APPS), key), 4),
    spread: sometimes(fc.tuple(fc.constantFrom('DoNotSchedule', 'ScheduleAnyway'), key), 4),
    zone: sometimes(fc.constantFrom(...ZONES), 4),
    app: fc.constantFrom(...APPS),
  })
  .map(({ near, away, likes, spread, zone, app }): Loose => {
    const term = ([name, topologyKey]: [string, string]): Loose => ({ ...selecting(name), topologyKey });
    const required = 'requiredDuringSchedulingIgnoredDuringExecution';
    const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
    const spreading = spread && {
      maxSkew: 1,
      whenUnsatisfiable: spread[0],
      topologyKey: spread[1],
      ...selecting(app),
    };
    return {
      ...(zone && { nodeSelector: { zone } }),
      affinity: {
        podAffinity: {
          ...(near && { [required]: [term(near)] }),
          ...(likes && { [preferred]: [{ weight: 9, podAffinityTerm: term(likes) }] }),
        },
        podAntiAffinity: { ...(away && { [required]: [term(away)] }) },
      },
      ...(spreading && { topologySpreadConstraints: [spreading] }),
    };
  });

const cpu: fc.Arbitrary<string> = fc.constantFrom('500m', '1', '1500m');
const podWith = (...priorities: number[]) =>
  fc.record({ app: fc.constantFrom(...APPS), cpu, rules, priority: fc.constantFrom(...priorities) });
const somePod = podWith(0, 0, 10);
/** One for which others may have to go. */
const important = fc.constantFrom(...APPS).map((app): SomePod => ({ app, cpu: '2', rules: {}, priority: 100 }));
type SomePod = typeof somePod extends fc.Arbitrary<infer T> ? T : never;

const someNode = fc.record({
  zone: fc.constantFrom(...ZONES),
  cpu: fc.constantFrom<string[]>('2', '3', '4'),
  isTainted: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
  isClosed: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
  hasVolume: fc.boolean(),
  pods: fc.array(somePod, { maxLength: 3 }),
});

/** What a draft changes: one thing of those that people change. */
const change = fc.constantFrom('nothing', 'a label', 'a taint', 'a cordon', 'a new node', 'a pod less', 'a request');

const worlds = fc.record({
  nodes: fc.array(someNode, { minLength: 1, maxLength: 4 }),
  /** Another pod that came before, for which room may be made. */
  hasRival: fc.boolean(),
  asked: fc.oneof(podWith(0, 100), important, important),
  /** The pods of these apps must not be disrupted. */
  guarded: fc.uniqueArray(fc.constantFrom(...APPS), { maxLength: 2 }),
  needsVolume: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
  change,
  at: fc.nat(),
});
type SomeWorld = typeof worlds extends fc.Arbitrary<infer T> ? T : never;

const podOf = (name: string, pod: SomePod, more: Loose = {}): Loose => ({
  metadata: { name, labels: { app: pod.app } },
  spec: {
    containers: [{ name: 'c', image: 'nginx', resources: { requests: { cpu: pod.cpu } } }],
    ...(pod.priority > 0 && { priorityClassName: `p${pod.priority}` }),
    ...pod.rules,
    ...more,
  },
});

const nodeOf = (name: string, node: SomeWorld['nodes'][number]): Loose => {
  const sizes = { cpu: node.cpu, memory: '8Gi', pods: '10' };
  return {
    metadata: { name, labels: { zone: node.zone, [HOSTNAME]: name } },
    spec: {
      ...(node.isTainted && { taints: [{ key: 'busy', effect: 'NoSchedule' }] }),
      ...(node.isClosed && { unschedulable: true }),
    },
    status: { capacity: sizes, allocatable: sizes, conditions: [{ type: 'Ready', status: 'True' }] },
  };
};

const volumeOn = (name: string): Loose => ({
  metadata: { name: `on-${name}` },
  spec: {
    ...{ capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], storageClassName: 'local' },
    local: { path: '/disk' },
    nodeAffinity: {
      required: { nodeSelectorTerms: [{ matchExpressions: [{ key: HOSTNAME, operator: 'In', values: [name] }] }] },
    },
  },
});

/** A node's taints follow its conditions and its cordon: what is compared has to have settled. */
const isSettled = (node: Loose): boolean => {
  const keys: string[] = (node.spec?.taints ?? []).map((taint: Loose) => taint.key);
  const isMarked = keys.some((each) => each.endsWith('/unschedulable'));
  return !keys.some((each) => each.endsWith('/not-ready')) && isMarked === (node.spec?.unschedulable === true);
};

class World {
  readonly nodes: string[] = [];
  readonly #volumes: string[] = [];

  async make({ nodes, needsVolume, guarded }: SomeWorld): Promise<void> {
    runs += 1;
    for (const app of guarded)
      await bench.create(BUDGETS, {
        metadata: { name: app },
        spec: { maxUnavailable: 0, selector: { matchLabels: { app } } },
      });
    for (const [i, node] of nodes.entries()) await this.#makeNode(`n${runs}-${i}`, node);
    if (!needsVolume) return;
    const claim = {
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'local',
      resources: { requests: { storage: '1Gi' } },
    };
    await bench.create(CLAIMS, { metadata: { name: 'data' }, spec: claim });
  }

  async #makeNode(name: string, node: SomeWorld['nodes'][number]): Promise<void> {
    await this.addNode(nodeOf(name, node));
    if (node.hasVolume) {
      await bench.create('/api/v1/persistentvolumes', volumeOn(name));
      this.#volumes.push(`on-${name}`);
    }
    for (const [i, pod] of node.pods.entries())
      await bench.create(PODS, podOf(`${name}-${i}`, pod, { nodeName: name }));
  }

  async addNode(node: Loose): Promise<void> {
    await bench.create('/api/v1/nodes', node);
    this.nodes.push(node.metadata.name);
    await bench.until(`/api/v1/nodes/${node.metadata.name}`, isSettled);
  }

  async remove(): Promise<void> {
    for (const { metadata } of await bench.items(PODS))
      await bench.delete(`${PODS}/${metadata.name}`, { gracePeriodSeconds: 0 });
    for (const name of this.nodes) await bench.delete(`/api/v1/nodes/${name}`);
    for (const name of this.#volumes) await bench.delete(`/api/v1/persistentvolumes/${name}`);
    for (const { metadata } of await bench.items(BUDGETS)) await bench.delete(`${BUDGETS}/${metadata.name}`);
    await bench.delete(`${CLAIMS}/data`);
    await bench.gone(`${CLAIMS}/data`);
  }
}

/** A draft, and what a person does to make it true. */
interface Drafted {
  readonly draft: Draft;
  readonly apply: () => Promise<unknown>;
}

async function draftOf({ change: what, at }: SomeWorld, world: World, asked: Loose): Promise<Drafted> {
  const name = world.nodes[at % world.nodes.length] as string;
  const node = await bench.get(`/api/v1/nodes/${name}`);
  const changed = (changes: Loose): Drafted => ({
    draft: { nodes: [{ ...node, ...changes, spec: { ...node.spec, ...changes.spec } }] },
    apply: async () => {
      await bench.patch(`/api/v1/nodes/${name}`, changes);
      await bench.until(`/api/v1/nodes/${name}`, isSettled);
    },
  });
  const pods = await bench.items(PODS);
  const gone = pods[at % Math.max(1, pods.length)];
  if (what === 'a label')
    return changed({ metadata: { ...node.metadata, labels: { ...node.metadata.labels, zone: 'y' } } });
  if (what === 'a taint')
    return changed({ spec: { taints: [...(node.spec.taints ?? []), { key: 'new', effect: 'NoSchedule' }] } });
  if (what === 'a cordon' && !node.spec.unschedulable) return changed({ spec: { unschedulable: true } });
  if (what === 'a new node') {
    const added = nodeOf(`n${runs}-new`, {
      zone: 'x',
      cpu: '4',
      isTainted: false,
      isClosed: false,
      hasVolume: false,
      pods: [],
    });
    return { draft: { nodes: [added] }, apply: () => world.addNode(added) };
  }
  if (what === 'a pod less' && gone) {
    const path = `${PODS}/${gone.metadata.name}`;
    const draft = { withoutPods: [`${gone.metadata.namespace}/${gone.metadata.name}`] };
    return { draft, apply: () => bench.delete(path, { gracePeriodSeconds: 0 }) };
  }
  if (what === 'a request') {
    const [container] = asked.spec.containers;
    const containers = [{ ...container, resources: { requests: { cpu: '500m' } } }];
    return { draft: { pod: { ...asked, spec: { ...asked.spec, containers } } }, apply: () => Promise.resolve() };
  }
  return { draft: {}, apply: () => Promise.resolve() };
}

const verdictOf = (pod: Loose): Loose =>
  pod.spec.nodeName
    ? pod
    : pod.status.conditions?.find((c: Loose) => c.type === 'PodScheduled' && c.status === 'False');

/** Equal candidates for preemption are chosen among by the dice. */
function nominees({ preemption }: Placement): readonly (string | undefined)[] {
  const best = preemption?.candidates.find(({ node }) => node === preemption.node);
  if (!preemption || !best) return [undefined];
  const same = ({ compared }: typeof best): boolean => JSON.stringify(compared) === JSON.stringify(best.compared);
  return preemption.candidates.filter(same).map(({ node }) => node);
}

async function check(given: SomeWorld): Promise<string> {
  const world = new World();
  await world.make(given);
  if (given.hasRival) {
    await bench.create(PODS, podOf('rival', { app: 'db', cpu: '2', rules: {}, priority: 100 }));
    await bench.until(`${PODS}/rival`, (each) => verdictOf(each) !== undefined);
  }
  const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }];
  const body = podOf('asked', given.asked, given.needsVolume ? { volumes } : {});
  const asked = await bench.create(`${PODS}?dryRun=All`, body);
  const { draft, apply } = await draftOf(given, world, asked);
  await bench.advance(100);
  const questions = await bench.cluster.scheduling.questions();
  const told = await questions.explain({ pod: asked, draft });

  await apply();
  await bench.advance(100);
  const { containers } = (draft.pod ?? asked).spec as Loose;
  await bench.create(PODS, {
    ...body,
    spec: { ...body.spec, containers: [{ ...body.spec.containers[0], resources: containers[0].resources }] },
  });
  const pod = await bench.until(`${PODS}/asked`, (each) => verdictOf(each) !== undefined);
  if (pod.spec.nodeName) expect(told.winners).toContain(pod.spec.nodeName);
  else {
    expect(told.winners).toEqual([]);
    expect(verdictOf(pod).message).toBe(told.why);
    expect(nominees(told)).toContain(pod.status.nominatedNodeName);
  }
  const outcome = pod.spec.nodeName ? 'placed' : pod.status.nominatedNodeName ? 'preempts' : 'waits';
  await world.remove();
  return outcome;
}

/** So many random clusters; more where somebody has the time. */
const RUNS = Number(process.env['VITRINE_RUNS'] ?? 40);

describe.each([
  ['alone', {}],
  ['with an extender', withExtender],
])('what a draft says of a scheduler %s', (_, options) => {
  beforeAll(() => start(options));
  afterAll(() => bench.stop());

  test('is what the scheduler does once the draft is applied', { timeout: 6_000 * RUNS }, async () => {
    const outcomes = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(worlds, async (given) => {
        const outcome = await check(given);
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }),
      { seed: 20261122, numRuns: RUNS, endOnFailure: true },
    );
    // The random clusters are of every sort, or the property would say little.
    for (const outcome of ['placed', 'preempts', 'waits'])
      expect(outcomes.get(outcome) ?? 0, outcome).toBeGreaterThan(3);
  });
});
