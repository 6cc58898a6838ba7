import type { Node, PersistentVolume, PersistentVolumeClaim, Pod } from '../../../src/client/index.ts';
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

/** Workloads: each is of one kind of constraints, and has a service. */
const APPS = 24;
const MANY_APPS = 312;

const services = Array.from({ length: MANY_APPS }, (_, i) => ({
  metadata: {},
  spec: { selector: { app: `app-${i}` } },
}));

/** Pod `p-7` claims `data-7`, which is bound to `pv-7`: a volume of a storage driver, in one of the zones. */
const VOLUMES = 5000;
const claims = new Map<string, PersistentVolumeClaim>();
const volumes = new Map<string, PersistentVolume>();
for (let i = 0; i < VOLUMES; i++) {
  const annotations = { [names.fill('pv.{label}/bind-completed')]: 'yes' };
  claims.set(`data-${i}`, {
    metadata: { name: `data-${i}`, namespace: 'default', annotations },
    spec: { volumeName: `pv-${i}` },
  } as unknown as PersistentVolumeClaim);
  const zone = { key: ZONE, operator: 'In', values: [`zone-${i % 3}`] };
  volumes.set(`pv-${i}`, {
    metadata: { name: `pv-${i}`, labels: { [ZONE]: `zone-${i % 3}` } },
    spec: {
      csi: { driver: 'csi.bench', volumeHandle: `volume-${i}` },
      nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [zone] }] } },
    },
  } as unknown as PersistentVolume);
}

const listers = {
  names,
  claim: (_: string, name: string) => claims.get(name),
  volume: (name: string) => volumes.get(name),
  volumesOfClass: () => [],
  assumed: new AssumedVolumes(),
  storageClass: () => undefined,
  csiNode: () => undefined,
  servicesFor: () => services,
  replicationControllersFor: () => [],
  replicaSetsFor: () => [],
  statefulSetsFor: () => [],
} as unknown as Listers;

function nodeNumbered(i: number): Node {
  const name = `node-${i}`;
  const taints = i % 10 === 0 ? [{ key: 'special', value: 'yes', effect: 'NoSchedule' }] : [];
  const labels = { [HOST]: name, [ZONE]: `zone-${i % 3}`, disk: i % 2 === 0 ? 'ssd' : 'hdd' };
  const status = { allocatable: { cpu: '32', memory: '64Gi', pods: '110', 'attachable-volumes-csi-csi.bench': '20' } };
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
    { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: `data-${i % VOLUMES}` } }] },
  ];
  return kinds[i % kinds.length] as Partial<Pod['spec']>;
}

export function podNumbered(i: number, isMixed: boolean, priority = 0, apps = APPS): Pod {
  const app = `app-${i % apps}`;
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

/** Milliseconds of CPU since `before`: what else the machine does meanwhile doesn't count. */
function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Places pods one after the other; returns milliseconds of CPU. */
export function placeAll(cache: SchedulerCache, pods: readonly Pod[]): number {
  const started = process.cpuUsage();
  let start = 0;
  for (const pod of pods) {
    const cycle = cycleFor(cache, pod);
    const { feasible, asked } = runFilters(cycle, { plugins, nominatedOn: () => [] }, start);
    start = (start + asked) % cycle.snapshot.list.length;
    const [best = 0] = highest(scoreNodes(plugins, cycle, feasible).totals);
    cache.assume(pod, (feasible[best] as NodeInfo).name);
  }
  return cpuSince(started);
}

/** Pods that are there already have numbers of their own. */
const FIRST_THERE = MANY_APPS * 1000;

/** A cluster whose nodes have `each` mixed pods already. */
function clusterWith(nodes: number, each: number): SchedulerCache {
  const cache = clusterOf(nodes);
  for (let i = 0; i < nodes * each; i++)
    cache.assume(podNumbered(FIRST_THERE + i, true, 0, MANY_APPS), `node-${i % nodes}`);
  return cache;
}

function throughput(nodes: number, pods: number, isMixed: boolean, aim: number, before = 0): Row {
  const there = before > 0 ? ` that have ${before} each` : '';
  return {
    name: `scheduling ${pods} ${isMixed ? 'mixed' : 'plain'} pods on ${nodes} nodes${there}`,
    aim: `≥ ${aim} pods/s`,
    run: () => {
      const all = Array.from({ length: pods }, (_, i) => podNumbered(i, isMixed));
      const rates = [1, 2, 3].map(() => rate(pods, placeAll(clusterWith(nodes, before), all)));
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
      const started = process.cpuUsage();
      const cycle = cycleFor(cache, pod);
      const nominatedOn = () => [];
      const { filters, rejections } = runFilters(cycle, { plugins, nominatedOn }, 0);
      const question = { pod, snapshot: cycle.snapshot, filters, rejections, budgets: [], nominatedOn };
      if (!pickCandidate(findCandidates({ ...question, args: DEFAULT_PREEMPTION_ARGS, offset: () => 0 })))
        throw new Error('there are pods to preempt');
      return cpuSince(started);
    });
    const subject = median(times);
    return Promise.resolve({ subject: `${thousands(subject)} ms`, reference: '100 ms', ratio: 100 / subject });
  },
};

export const schedulingRows: readonly Row[] = [
  throughput(1000, 3000, false, 1000),
  throughput(1000, 3000, true, 1000),
  throughput(1000, 1000, true, 1000, 30),
  throughput(5000, 1000, true, 300),
  throughput(5000, 1000, true, 300, 30),
  preemption,
];
