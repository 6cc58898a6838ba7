import { describe, expect, test } from 'vitest';
import type { Pod, PodDisruptionBudget } from '../../src/client/index.ts';
import { podInfoOf, type NodeInfo } from '../../src/scheduler/framework/nodeInfo.ts';
import { Snapshot } from '../../src/scheduler/framework/snapshot.ts';
import { runFilters } from '../../src/scheduler/place.ts';
import { plugins } from '../../src/scheduler/plugins/index.ts';
import {
  DEFAULT_PREEMPTION_ARGS,
  findCandidates,
  mayPreempt,
  pickCandidate,
  type Candidate,
  type PreemptionArgs,
} from '../../src/scheduler/preemption.ts';
import { cycle, node, pod, withPods } from './objects.ts';

const urgent = pod('urgent', { requests: { cpu: '2' }, spec: { priority: 100 } });

interface Small {
  readonly cpu?: string;
  readonly labels?: Record<string, string>;
  readonly started?: string;
  readonly deleted?: boolean;
}

/** A pod of low priority. */
function small(name: string, priority: number, { cpu = '2', labels = {}, started, deleted }: Small = {}): Pod {
  const made = pod(name, { requests: { cpu }, labels, spec: { priority }, status: { startTime: started } as never });
  return deleted ? { ...made, metadata: { ...made.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } } : made;
}

function budget(app: string, disruptionsAllowed: number, more: object = {}): PodDisruptionBudget {
  return {
    metadata: { name: app, namespace: 'ns' },
    spec: { selector: { matchLabels: { app } } },
    status: { disruptionsAllowed, ...more },
  } as unknown as PodDisruptionBudget;
}

interface Situation {
  readonly wanted?: Pod;
  readonly nodes: readonly NodeInfo[];
  readonly budgets?: readonly PodDisruptionBudget[];
  readonly nominated?: Readonly<Record<string, readonly Pod[]>>;
  readonly args?: PreemptionArgs;
  readonly offset?: number;
}

function candidates({
  wanted = urgent,
  nodes,
  budgets = [],
  nominated = {},
  args,
  offset = 0,
}: Situation): Candidate[] {
  const now = cycle(wanted, nodes);
  const nominatedOn = (name: string) => (nominated[name] ?? []).map(podInfoOf);
  const { filters, rejections } = runFilters(now, { plugins, nominatedOn }, 0);
  const question = { pod: wanted, snapshot: now.snapshot, filters, rejections, budgets, nominatedOn };
  return findCandidates({ ...question, args: args ?? DEFAULT_PREEMPTION_ARGS, offset: () => offset });
}

/** `node: victims`, as the situation ends. */
function chosen(situation: Situation): string {
  const candidate = pickCandidate(candidates(situation))?.candidate;
  return candidate ? describeOne(candidate) : 'none';
}

const describeOne = ({ node: name, victims, violations }: Candidate): string =>
  `${name}: ${victims.map(({ metadata }) => metadata.name).join(' ')}${violations > 0 ? ` (${violations} protected)` : ''}`;

const on = (name: string, ...pods: Pod[]): NodeInfo => withPods(node(name), ...pods);
const app = (name: string): Small => ({ labels: { app: name } });
const soon = '2026-01-01T10:00:00Z';
const later = '2026-01-01T11:00:00Z';

describe('preemption chooses', () => {
  test.each<{ title: string; ends: string } & Situation>([
    {
      title: 'no more victims than it needs, the least important',
      nodes: [on('a', small('low', 1), small('lower', 0))],
      ends: 'a: lower',
    },
    {
      title: 'of equal priority the pod that started last',
      nodes: [on('a', small('old', 1, { started: soon }), small('new', 1, { started: later }))],
      ends: 'a: new',
    },
    {
      title: 'a pod that has not started before one that has',
      nodes: [on('a', small('old', 1, { started: soon }), small('unstarted', 1))],
      ends: 'a: unstarted',
    },
    {
      title: 'nobody of equal or higher priority',
      nodes: [on('a', small('same', 100), small('higher', 200))],
      ends: 'none',
    },
    {
      title: 'nobody where all victims together do not make enough room',
      nodes: [on('a', small('x', 200, { cpu: '3' }), small('low', 1, { cpu: '1' }))],
      ends: 'none',
    },
    {
      title: 'nobody where other pods have nothing to do with it',
      wanted: pod('urgent', { spec: { priority: 100, nodeSelector: { a: 'b' } } }),
      nodes: [on('a', small('low', 1))],
      ends: 'none',
    },
    {
      title: 'every victim that is needed',
      nodes: [on('a', small('x', 1, { cpu: '1500m' }), small('y', 2, { cpu: '1500m' }), small('z', 3, { cpu: '1' }))],
      ends: 'a: y x',
    },
    {
      title: 'the node whose most important victim matters least',
      nodes: [on('a', small('five', 5, { cpu: '4' })), on('b', small('three', 3, { cpu: '4' }))],
      ends: 'b: three',
    },
    {
      title: 'then the node with the lowest sum of priorities',
      nodes: [
        on('a', small('x', 3, { cpu: '2500m' }), small('y', 3, { cpu: '1500m' })),
        on('b', small('u', 3, { cpu: '2500m' }), small('v', 1, { cpu: '1500m' })),
      ].map((n) => n),
      wanted: pod('urgent', { requests: { cpu: '3' }, spec: { priority: 100 } }),
      ends: 'b: u v',
    },
    {
      title: 'then the node with fewer victims, also of negative priority',
      nodes: [
        on('a', small('x', -5, { cpu: '2' }), small('y', -5, { cpu: '2' })),
        on('b', small('z', -5, { cpu: '4' })),
      ],
      wanted: pod('urgent', { requests: { cpu: '3' }, spec: { priority: 100 } }),
      ends: 'b: z',
    },
    {
      title: 'then the node whose victim started later',
      nodes: [
        on('a', small('x', 1, { cpu: '4', started: soon })),
        on('b', small('y', 1, { cpu: '4', started: later })),
      ],
      ends: 'b: y',
    },
    {
      title: 'then the first node',
      nodes: [on('a', small('x', 1, { cpu: '4' })), on('b', small('y', 1, { cpu: '4' }))],
      ends: 'a: x',
    },
    {
      title: 'a node on which no budget is violated before lower priority',
      nodes: [on('a', small('kept', 0, { cpu: '4', ...app('kept') })), on('b', small('free', 50, { cpu: '4' }))],
      budgets: [budget('kept', 0)],
      ends: 'b: free',
    },
    {
      title: 'a protected pod where it must',
      nodes: [on('a', small('kept', 0, { cpu: '4', ...app('kept') }))],
      budgets: [budget('kept', 0)],
      ends: 'a: kept (1 protected)',
    },
    {
      title: 'the unprotected of two',
      nodes: [on('a', small('kept', 0, app('kept')), small('free', 50))],
      budgets: [budget('kept', 0)],
      ends: 'a: free',
    },
    {
      title: 'of equals that have not started the one that came first',
      nodes: [on('a', small('first', 0, { cpu: '2' }), small('second', 0, { cpu: '2' }))],
      wanted: pod('urgent', { requests: { cpu: '2' }, spec: { priority: 100 } }),
      ends: 'a: first',
    },
    {
      title: 'as many protected pods as their budget allows',
      nodes: [on('a', small('one', 0, { cpu: '2', ...app('kept') }), small('two', 0, { cpu: '2', ...app('kept') }))],
      wanted: pod('urgent', { requests: { cpu: '4' }, spec: { priority: 100 } }),
      budgets: [budget('kept', 1)],
      ends: 'a: one two (1 protected)',
    },
    {
      title: 'a pod that its budget counts as disrupted already',
      nodes: [on('a', small('kept', 0, { cpu: '4', ...app('kept') }))],
      budgets: [budget('kept', 0, { disruptedPods: { kept: soon } })],
      ends: 'a: kept',
    },
    {
      title: 'pods of other namespaces whatever a budget says',
      nodes: [
        on('a', {
          ...small('kept', 0, { cpu: '4', ...app('kept') }),
          metadata: { name: 'kept', namespace: 'other', uid: 'u', labels: { app: 'kept' }, creationTimestamp: null },
        } as Pod),
      ],
      budgets: [budget('kept', 0)],
      ends: 'a: kept',
    },
    {
      title: 'more victims where a nominated pod takes room too',
      nodes: [on('a', small('x', 2), small('y', 1))],
      nominated: { a: [pod('first', { requests: { cpu: '2' }, spec: { priority: 100 } })] },
      ends: 'a: x y',
    },
    {
      title: 'the pod whose anti-affinity is in the way',
      wanted: pod('urgent', { labels: { app: 'web' }, spec: { priority: 100 } }),
      nodes: [
        on(
          'a',
          pod('shy', {
            spec: {
              priority: 1,
              affinity: {
                podAntiAffinity: {
                  requiredDuringSchedulingIgnoredDuringExecution: [
                    { labelSelector: { matchLabels: { app: 'web' } }, topologyKey: 'cluster.io/hostname' },
                  ],
                },
              },
            },
          }),
          small('calm', 0),
        ),
      ],
      ends: 'a: shy',
    },
  ])('$title', ({ ends, ...situation }) => {
    expect(chosen(situation)).toBe(ends);
  });

  test('says which criterion decided', () => {
    const found = candidates({
      nodes: [on('a', small('five', 5, { cpu: '4' })), on('b', small('three', 3, { cpu: '4' }))],
    });
    expect(pickCandidate(found)?.decidedBy).toBe('lowest priority of the most important victim');
    expect(pickCandidate(found.slice(0, 1))?.decidedBy).toBeUndefined();
  });

  test('looks no further than enough candidates, beginning at the offset', () => {
    const nodes = ['a', 'b', 'c', 'd'].map((name) => on(name, small(`on-${name}`, 1, { cpu: '4' })));
    const args = { minCandidateNodesPercentage: 0, minCandidateNodesAbsolute: 2 };
    expect(candidates({ nodes, args, offset: 3 }).map(describeOne)).toEqual(['d: on-d', 'a: on-a']);
  });

  test('goes on looking while all candidates violate a budget, and puts those that violate none first', () => {
    const kept = (name: string) => on(name, small(`on-${name}`, 1, { cpu: '4', ...app('kept') }));
    const nodes = [kept('a'), kept('b'), kept('c'), on('d', small('free', 1, { cpu: '4' }))];
    const args = { minCandidateNodesPercentage: 0, minCandidateNodesAbsolute: 1 };
    const found = candidates({ nodes, args, budgets: [budget('kept', 0)] });
    expect(found.map(({ node: name }) => name)).toEqual(['d', 'a', 'b', 'c']);
  });
});

describe('a pod may preempt', () => {
  const nominated = (spec: object = {}): Pod =>
    pod('p', { spec: { priority: 10, ...spec }, status: { nominatedNodeName: 'a' } });
  const hopeless = [{ node: 'a', plugin: 'x', refusal: { reasons: [], resolvable: false } }];

  test.each([
    { title: 'where nothing speaks against it', wanted: pod('p', { spec: { priority: 10 } }), may: true },
    {
      title: 'unless it says that it never does',
      wanted: pod('p', { spec: { preemptionPolicy: 'Never' } }),
      may: false,
    },
    { title: 'again where its victims are gone', wanted: nominated(), may: true },
    {
      title: 'not while its victims are leaving',
      wanted: nominated(),
      pods: [small('v', 1, { deleted: true })],
      may: false,
    },
    {
      title: 'although a more important pod is leaving',
      wanted: nominated(),
      pods: [small('v', 11, { deleted: true })],
      may: true,
    },
    {
      title: 'where its nominated node has become hopeless',
      wanted: nominated(),
      pods: [small('v', 1, { deleted: true })],
      rejections: hopeless,
      may: true,
    },
  ])('$title', ({ wanted, pods = [], rejections = [], may }) => {
    expect(mayPreempt(wanted, new Snapshot([on('a', ...pods)]), rejections)).toBe(may);
  });
});
