/** Which pods of a node a drain evicts, and which keep it from beginning. */
import type { Names } from '../../names/index.ts';
import { controllerOf, type ApiObject, type objects } from '../../schema/index.ts';
import { getOwn } from '../../std/index.ts';

/** What the flags allow. */
export interface DrainOptions {
  readonly force: boolean;
  readonly ignoreDaemonSets: boolean;
  readonly deleteLocalData: boolean;
}

export interface Evictable {
  readonly pods: readonly ApiObject[];
  /** Why the drain can't begin: a reason, and the pods that it is about. */
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

type Pod = ApiObject & Partial<Pick<objects.Pod, 'spec' | 'status'>>;

/** What keeps a pod from just being evicted: `leave` it, evict it and `warn`, or `refuse` to drain. */
interface Obstacle {
  readonly act: 'leave' | 'warn' | 'refuse';
  readonly message: string;
}

/** Decides for each pod of a node whether a drain evicts it. */
export function evictablePods(pods: readonly ApiObject[], options: DrainOptions, names: Names): Evictable {
  const found = pods.map((pod) => ({ pod, obstacle: obstacleOf(pod, options, names) }));
  const messages = (acts: readonly Obstacle['act'][]): readonly string[] => {
    const byMessage = new Map<string, string[]>();
    for (const { pod, obstacle } of found)
      if (obstacle && obstacle.message !== '' && acts.includes(obstacle.act))
        byMessage.set(obstacle.message, [
          ...(byMessage.get(obstacle.message) ?? []),
          `${pod.metadata.namespace}/${pod.metadata.name}`,
        ]);
    return [...byMessage].map(([message, of]) => `${message}: ${of.join(', ')}`);
  };
  return {
    pods: found.filter(({ obstacle }) => !obstacle || obstacle.act === 'warn').map(({ pod }) => pod),
    problems: messages(['refuse']),
    warnings: messages(['warn', 'leave']),
  };
}

const MANAGERS = 'ReplicationController, ReplicaSet, Job, DaemonSet or StatefulSet';

/** The first one that refuses counts; of warnings, the last. */
function obstacleOf(pod: Pod, options: DrainOptions, names: Names): Obstacle | undefined {
  if (getOwn(pod.metadata.annotations, names.fill('{label}/config.mirror')) !== undefined)
    return { act: 'leave', message: '' };
  const owner = controllerOf(pod);
  if (['Succeeded', 'Failed'].includes(pod.status?.phase ?? '')) return undefined;
  if (owner?.kind === 'DaemonSet')
    return options.ignoreDaemonSets
      ? { act: 'leave', message: 'ignoring DaemonSet-managed Pods' }
      : { act: 'refuse', message: 'cannot delete DaemonSet-managed Pods (use --ignore-daemonsets to ignore)' };
  if (!options.deleteLocalData && pod.spec?.volumes?.some(({ emptyDir }) => emptyDir))
    return {
      act: 'refuse',
      message: 'cannot delete Pods with local storage (use --delete-emptydir-data to override)',
    };
  return owner ? undefined : unmanaged(options);
}

const unmanaged = ({ force }: DrainOptions): Obstacle =>
  force
    ? { act: 'warn', message: `deleting Pods not managed by ${MANAGERS}` }
    : { act: 'refuse', message: `cannot delete Pods not managed by ${MANAGERS} (use --force to override)` };
