import {
  csiNodes,
  keyOf,
  nodes,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  services,
  storageClasses,
  type Informers,
  type Node,
  type Pod,
} from '../client/index.ts';
import { deepEqual } from '../std/index.ts';
import type { SchedulerCache } from './cache.ts';
import { podInfoOf, selects } from './framework/nodeInfo.ts';
import type { QueueEvent } from './metrics.ts';
import type { SchedulingQueue } from './queue.ts';

export interface Watched {
  readonly informers: Informers;
  readonly cache: SchedulerCache;
  readonly queue: SchedulingQueue;
  /** Whether this scheduler is the one that a pod asks for. */
  readonly isOurs: (pod: Pod) => boolean;
  /** A pod has its node, or is gone. */
  readonly settled: (pod: Pod) => void;
}

/** Feeds the cache and the queue from the watches, and wakes pods that a change may help. */
export function watchCluster(watched: Watched): void {
  watchPods(watched);
  watchNodes(watched);
  const { informers, queue } = watched;
  const wake = (what: string, event: QueueEvent) => (): void => queue.moveAll(what, event);
  informers
    .of(persistentVolumes)
    .on({ added: wake('a volume was added', 'PvAdd'), changed: wake('a volume was changed', 'PvUpdate') });
  informers
    .of(persistentVolumeClaims)
    .on({ added: wake('a claim was added', 'PvcAdd'), changed: wake('a claim was changed', 'PvcUpdate') });
  informers.of(storageClasses).on({ added: wake('a storage class was added', 'StorageClassAdd') });
  informers.of(csiNodes).on({
    added: wake('a storage driver was added', 'CSINodeAdd'),
    changed: wake('a storage driver was changed', 'CSINodeUpdate'),
  });
  const service = (event: QueueEvent): (() => void) => wake('a service was changed', event);
  informers
    .of(services)
    .on({ added: service('ServiceAdd'), changed: service('ServiceUpdate'), deleted: service('ServiceDelete') });
}

const isOver = (pod: Pod): boolean => pod.status.phase === 'Succeeded' || pod.status.phase === 'Failed';
/** Takes room on a node: it has one, and has not ended. */
const isPlaced = (pod: Pod): boolean => Boolean(pod.spec.nodeName) && !isOver(pod);

function watchPods(watched: Watched): void {
  const { informers, cache, queue, isOurs, settled } = watched;
  const waits = (pod: Pod): boolean => !pod.spec.nodeName && !isOver(pod) && isOurs(pod);
  const placed = (pod: Pod): void => {
    cache.setPod(pod);
    settled(pod);
    queue.remove(pod);
    queue.moveAll(`pod ${keyOf(pod)} was placed`, 'AssignedPodAdd', (waiting) =>
      podInfoOf(waiting).requiredAffinity.some((term) => selects(term, pod)),
    );
  };
  const gone = (pod: Pod): void => {
    settled(pod);
    queue.remove(pod);
    const hadRoom = isPlaced(pod) || cache.isAssumed(pod);
    cache.removePod(pod);
    if (hadRoom) queue.moveAll(`pod ${keyOf(pod)} left ${pod.spec.nodeName ?? 'its node'}`, 'AssignedPodDelete');
  };
  informers.of(pods).on({
    added: (pod) => (isPlaced(pod) ? placed(pod) : waits(pod) ? queue.add(pod) : undefined),
    changed: (pod, old) => {
      if (isPlaced(pod)) placed(pod);
      else if (isPlaced(old)) gone(old);
      else if (waits(pod) && !cache.isAssumed(pod)) queue.update(pod);
    },
    deleted: gone,
  });
}

function watchNodes({ informers, cache, queue }: Watched): void {
  informers.of(nodes).on({
    added: (node) => {
      cache.setNode(node);
      queue.moveAll(`node ${node.metadata.name} was added`, 'NodeAdd');
    },
    changed: (node, old) => {
      cache.setNode(node);
      if (mattersToScheduling(node, old)) queue.moveAll(`node ${node.metadata.name} was changed`, changeOf(node, old));
    },
    deleted: (node) => cache.removeNode(node.metadata.name ?? ''),
  });
}

/** Nodes report every few seconds; only some of it can help a pod. */
function mattersToScheduling(node: Node, old: Node): boolean {
  const relevant = ({ metadata, spec, status }: Node): unknown => {
    const conditions = (status.conditions ?? []).map(({ type, status: value }) => [type, value]);
    return [
      spec.unschedulable ?? false,
      spec.taints ?? [],
      metadata.labels ?? {},
      status.allocatable ?? {},
      conditions,
    ];
  };
  return !deepEqual(relevant(node), relevant(old));
}

/** The first thing that is different, as the reference names it. */
function changeOf(node: Node, old: Node): QueueEvent {
  if (node.spec.unschedulable !== old.spec.unschedulable) return 'NodeSpecUnschedulableChange';
  if (!deepEqual(node.status.allocatable, old.status.allocatable)) return 'NodeAllocatableChange';
  if (!deepEqual(node.metadata.labels, old.metadata.labels)) return 'NodeLabelChange';
  return deepEqual(node.spec.taints, old.spec.taints) ? 'NodeConditionChange' : 'NodeTaintChange';
}
