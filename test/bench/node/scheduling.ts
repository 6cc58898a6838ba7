import type { Node, Pod } from '../../../src/client/index.ts';
import { namesOf } from '../../../src/names/index.ts';
import { AssumedVolumes } from '../../../src/scheduler/assumedVolumes.ts';
import { SchedulerCache } from '../../../src/scheduler/cache.ts';
import { podInfoOf, type NodeInfo } from '../../../src/scheduler/framework/nodeInfo.ts';
import type { Cycle, Listers } from '../../../src/scheduler/framework/plugin.ts';
import { highest, scoreNodes } from '../../../src/scheduler/framework/run.ts';
import { runFilters } from '../../../src/scheduler/place.ts';
import { plugins } from '../../../src/scheduler/plugins/index.ts';
import { DEFAULT_PREEMPTION_ARGS, findCandidates, pickCandidate } from '../../../src/scheduler/preemption.ts';
import { median, perSecond, rate, thousands, type Row } from '../row.ts';

const names = namesOf('k8s.io');
const ZONE = 'topology.kubernetes.io/zone';
const HOST = 'kubernetes.io/hostname';

const services = Array.from({ length: 20 }, (_, i) => ({ metadata: {}, spec: { selector: { app: `app-${i}` } } }));

const listers = {
  names,
  claim: () => undefined,
  volume: () => undefined,
  volumesOfClass: () => [],
  assumed: new AssumedVolumes(),
  storageClass: () => undefined,
  csiNode: () => undefined,
  servicesIn: () => services,
  replicationControllersIn: () => [],
  replicaSetsIn: () => [],
  statefulSetsIn: () => [],
} as unknown as Listers;

function nodeNumbered(i: number): Node {
  const name = `node-${i}`;
  const taints = i % 10 === 0 ? [{ key: 'special', value: 'yes', effect: 'NoSchedule' }] : [];
  const labels = { [HOST]: name, [ZONE]: `zone-${i % 3}`, disk: i % 2 === 0 ? 'ssd' : 'hdd' };
  const status = { allocatable: { cpu: '32', memory: '64Gi', pods: '110' } };
  return { metadata: { name, labels }, spec: { taints }, status } as unknown as Node;
}

/** What every other pod asks for besides CPU and memory; nothing where the load is plain. */
function constraintsOf(i: number, app: string): Partial<Pod['spec']> {
  const labelSelector = { matchLabels: { app } };
  const kinds: readonly object[] = [
    {},
    {
      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: ZONE, whenUnsatisfiable: 'DoNotSchedule', labelSelector }],
    },
    {
      affinity: {
        podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector, topologyKey: HOST }] },
      },
    },
    { nodeSelector: { disk: 'ssd' }, tolerations: [{ key: 'special', operator: 'Exists' }] },
    {
      affinity: {
        podAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 10, podAffinityTerm: { labelSelector, topologyKey: ZONE } },
          ],
        },
      },
    },
  ];
  return kinds[i % kinds.length] as Partial<Pod['spec']>;
}

export function podNumbered(i: number, isMixed: boolean, priority = 0): Pod {
  const app = `app-${i % 20}`;
  const containers = [{ name: 'c', image: 'nginx', resources: { requests: { cpu: '100m', memory: '128Mi' } } }];
  return {
    metadata: { name: `p-${i}`, namespace: 'default', uid: `uid-${i}`, labels: { app } },
    spec: { containers, priority, ...(isMixed && constraintsOf(i, app)) },
    status: {},
  } as unknown as Pod;
}

export function clusterOf(nodes: number): SchedulerCache {
  const cache = new SchedulerCache(names);
  for (let i = 0; i < nodes; i++) cache.setNode(nodeNumbered(i));
  return cache;
}

const cycleFor = (cache: SchedulerCache, pod: Pod): Cycle => ({
  ...{ pod, listers },
  info: podInfoOf(pod),
  snapshot: cache.snapshot(),
});

/** Places pods one after the other; returns milliseconds. */
export function placeAll(cache: SchedulerCache, pods: readonly Pod[]): number {
  const started = performance.now();
  let start = 0;
  for (const pod of pods) {
    const cycle = cycleFor(cache, pod);
    const { feasible, asked } = runFilters(cycle, { plugins, nominatedOn: () => [] }, start);
    start = (start + asked) % cycle.snapshot.nodes.length;
    const [best = 0] = highest(scoreNodes(plugins, cycle, feasible).totals);
    cache.assume(pod, (feasible[best] as NodeInfo).name);
  }
  return performance.now() - started;
}

function throughput(nodes: number, pods: number, isMixed: boolean, aim: number): Row {
  return {
    name: `scheduling ${pods} ${isMixed ? 'mixed' : 'plain'} pods on ${nodes} nodes`,
    aim: `≥ ${aim} pods/s`,
    run: () => {
      const all = Array.from({ length: pods }, (_, i) => podNumbered(i, isMixed));
      const rates = [1, 2, 3].map(() => rate(pods, placeAll(clusterOf(nodes), all)));
      const subject = median(rates);
      return Promise.resolve({ subject: perSecond(subject, 'pods'), reference: `${aim} pods/s`, ratio: subject / aim });
    },
  };
}

/** Full nodes, each with thirty pods that would have to go. */
function fullCluster(nodes: number): SchedulerCache {
  const cache = clusterOf(nodes);
  for (let i = 0; i < nodes * 30; i++) {
    const pod = podNumbered(i, false, i % 5);
    const containers = [{ name: 'c', resources: { requests: { cpu: '1', memory: '1Gi' } } }];
    cache.assume({ ...pod, spec: { ...pod.spec, containers } } as unknown as Pod, `node-${i % nodes}`);
  }
  return cache;
}

const preemption: Row = {
  name: 'preemption on 1000 nodes',
  aim: '≤ 100 ms',
  run: () => {
    const cache = fullCluster(1000);
    const base = podNumbered(-1, false, 100);
    const containers = [{ name: 'c', resources: { requests: { cpu: '8', memory: '8Gi' } } }];
    const pod = { ...base, spec: { ...base.spec, containers } } as unknown as Pod;
    const times = [1, 2, 3, 4, 5].map(() => {
      const started = performance.now();
      const cycle = cycleFor(cache, pod);
      const nominatedOn = () => [];
      const { filters, rejections } = runFilters(cycle, { plugins, nominatedOn }, 0);
      const question = { pod, snapshot: cycle.snapshot, filters, rejections, budgets: [], nominatedOn };
      if (!pickCandidate(findCandidates({ ...question, args: DEFAULT_PREEMPTION_ARGS, offset: () => 0 })))
        throw new Error('there are pods to preempt');
      return performance.now() - started;
    });
    const subject = median(times);
    return Promise.resolve({ subject: `${thousands(subject)} ms`, reference: '100 ms', ratio: 100 / subject });
  },
};

export const schedulingRows: readonly Row[] = [
  throughput(1000, 3000, false, 1000),
  throughput(1000, 3000, true, 1000),
  throughput(5000, 1000, true, 300),
  preemption,
];
