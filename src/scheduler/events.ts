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
import type { Decisions } from './decisions.ts';
import { podInfoOf, selects } from './framework/podInfo.ts';
import type { QueueEvent } from './metrics.ts';
import type { Nominations } from './nominations.ts';
import type { SchedulingQueue } from './queue.ts';

export interface Watched {
  readonly informers: Informers;
  readonly cache: SchedulerCache;
  readonly queue: SchedulingQueue;
  readonly nominations: Nominations;
  readonly decisions: Decisions;
  /** Whether the pod names this scheduler. */
  readonly isOurs: (pod: Pod) => boolean;
}

/** Feeds the cache and the queue from watches, and moves pods that a change may help. */
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
  informers.of(storageClasses).on({
    // Claims of other classes are bound without the scheduler.
    added: ({ volumeBindingMode, metadata: { name = '' } }) =>
      volumeBindingMode === 'WaitForFirstConsumer' &&
      queue.moveAll(`storage class ${name} was added`, 'StorageClassAdd'),
  });
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
/** Occupies a node: it has one, and has not ended. */
const isPlaced = (pod: Pod): boolean => Boolean(pod.spec.nodeName) && !isOver(pod);

function watchPods({ informers, cache, queue, nominations, decisions, isOurs }: Watched): void {
  const waits = (pod: Pod): boolean => !pod.spec.nodeName && !isOver(pod) && isOurs(pod);
  const wakeThoseNear = (pod: Pod, what: string, event: QueueEvent): void => {
    const info = podInfoOf(pod);
    queue.moveAll(`pod ${keyOf(pod)} was ${what}`, event, (waiting) =>
      podInfoOf(waiting).requiredAffinity.some((term) => selects(term, info)),
    );
  };
  const leaveQueue = (pod: Pod): void => {
    queue.remove(pod);
    nominations.remove(pod);
  };
  const placed = (pod: Pod, before?: Pod): void => {
    cache.setPod(pod);
    if (before && isPlaced(before)) return wakeThoseNear(pod, 'changed', 'AssignedPodUpdate');
    leaveQueue(pod);
    wakeThoseNear(pod, 'placed', 'AssignedPodAdd');
  };
  const gone = (pod: Pod): void => {
    leaveQueue(pod);
    const hadRoom = isPlaced(pod) || cache.isAssumed(pod);
    cache.removePod(pod);
    if (hadRoom) queue.moveAll(`pod ${keyOf(pod)} left ${pod.spec.nodeName ?? 'its node'}`, 'AssignedPodDelete');
  };
  informers.of(pods).on({
    added: (pod) => {
      if (isPlaced(pod)) placed(pod);
      if (!waits(pod)) return;
      nominations.follow(pod);
      queue.add(pod);
    },
    changed: (pod, before) => {
      if (isPlaced(pod)) placed(pod, before);
      else if (isPlaced(before) || !waits(pod)) gone(before);
      else if (!cache.isAssumed(pod)) {
        nominations.follow(pod, before);
        queue.update(pod);
      }
    },
    deleted: (pod) => {
      gone(pod);
      decisions.forget(pod.metadata.uid);
    },
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
      const change = changeOf(node, old);
      if (change) queue.moveAll(`node ${node.metadata.name} was changed`, change);
    },
    deleted: (node) => cache.removeNode(node.metadata.name ?? ''),
  });
}

/**
 * The change of a node that may help a pod, with the reference's name. Nodes report every few seconds, and most reports
 * can't help.
 */
function changeOf(node: Node, old: Node): QueueEvent | undefined {
  if (!node.spec.unschedulable && old.spec.unschedulable) return 'NodeSpecUnschedulableChange';
  if (!deepEqual(node.status.allocatable, old.status.allocatable)) return 'NodeAllocatableChange';
  if (!deepEqual(node.metadata.labels, old.metadata.labels)) return 'NodeLabelChange';
  if (!deepEqual(node.spec.taints, old.spec.taints)) return 'NodeTaintChange';
  return deepEqual(conditionsOf(node), conditionsOf(old)) ? undefined : 'NodeConditionChange';
}

/** Conditions by type, without heartbeat times. */
const conditionsOf = ({ status }: Node): unknown =>
  Object.fromEntries((status.conditions ?? []).map(({ type, status: value }) => [type, value]));
