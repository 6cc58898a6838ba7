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

/** What one trait of a pod means for it: `leave` it, evict it and `warn`, or `refuse` to drain. */
interface Trait {
  readonly act: 'leave' | 'warn' | 'refuse';
  readonly message: string;
}

/** Decides for each pod of a node whether a drain evicts it. */
export function evictablePods(pods: readonly ApiObject[], options: DrainOptions, names: Names): Evictable {
  const found = pods.map((pod) => ({ pod, traits: traitsOf(pod, options, names) }));
  const messages = (acts: readonly Trait['act'][]): readonly string[] => {
    const byMessage = new Map<string, string[]>();
    for (const { pod, traits } of found)
      for (const { act, message } of traits)
        if (message !== '' && acts.includes(act))
          byMessage.set(message, [...(byMessage.get(message) ?? []), `${pod.metadata.namespace}/${pod.metadata.name}`]);
    return [...byMessage].map(([message, of]) => `${message}: ${of.join(', ')}`);
  };
  return {
    pods: found.filter(({ traits }) => traits.every(({ act }) => act === 'warn')).map(({ pod }) => pod),
    problems: messages(['refuse']),
    warnings: messages(['warn', 'leave']),
  };
}

const MANAGERS = 'ReplicationController, ReplicaSet, Job, DaemonSet or StatefulSet';

function traitsOf(pod: Pod, options: DrainOptions, names: Names): readonly Trait[] {
  if (getOwn(pod.metadata.annotations, names.fill('{label}/config.mirror')) !== undefined)
    return [{ act: 'leave', message: '' }];
  const owner = controllerOf(pod);
  const ended = ['Succeeded', 'Failed'].includes(pod.status?.phase ?? '');
  if (owner?.kind === 'DaemonSet' && !ended)
    return [
      options.ignoreDaemonSets
        ? { act: 'leave', message: 'ignoring DaemonSet-managed Pods' }
        : { act: 'refuse', message: 'cannot delete DaemonSet-managed Pods (use --ignore-daemonsets to ignore)' },
    ];
  if (ended) return [];
  return [
    ...(pod.spec?.volumes?.some(({ emptyDir }) => emptyDir) ? [localData(options)] : []),
    ...(owner ? [] : [unmanaged(options)]),
  ];
}

const localData = ({ deleteLocalData }: DrainOptions): Trait =>
  deleteLocalData
    ? { act: 'warn', message: 'deleting Pods with local storage' }
    : { act: 'refuse', message: 'cannot delete Pods with local storage (use --delete-emptydir-data to override)' };

const unmanaged = ({ force }: DrainOptions): Trait =>
  force
    ? { act: 'warn', message: `deleting Pods not managed by ${MANAGERS}` }
    : { act: 'refuse', message: `cannot delete Pods not managed by ${MANAGERS} (use --force to override)` };
