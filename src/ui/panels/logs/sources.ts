/** Whose logs there are to read: the containers of pods, each as often as it was started. */
import type { ApiObject } from '../../../schema/index.ts';
import { asList, asNumber, asRecord, asText, at } from '../../stores/jsonValues.ts';

/** One start of a container. */
export interface LogSource {
  readonly key: string;
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

/** What somebody wants to see the logs of. */
export interface LogTarget {
  readonly title: string;
  readonly namespace: string;
  /** Either one pod or those that a selector finds. */
  readonly pod?: string;
  readonly labelSelector?: string;
}

const LISTS = [
  ['initContainers', 'initContainerStatuses'],
  ['containers', 'containerStatuses'],
  ['ephemeralContainers', 'ephemeralContainerStatuses'],
] as const;

/** The names of a pod's containers, those that run as long as it does first. */
export function containersOf(pod: ApiObject): readonly string[] {
  const names = (list: string): string[] => asList(at(pod, 'spec', list)).map((each) => asText(at(each, 'name')));
  return [...names('containers'), ...names('initContainers'), ...names('ephemeralContainers')];
}

/** The containers of pods that have a log. `previous` asks for the one before the last start. */
export function sourcesOf(pods: readonly ApiObject[], container: string, previous: boolean): readonly LogSource[] {
  return pods.flatMap((pod) => {
    const { name = '', namespace = '', uid = '' } = pod.metadata;
    const statuses = LISTS.flatMap(([, list]) => asList(at(pod, 'status', list)));
    return statuses.flatMap((status) => {
      const own = asText(at(status, 'name'));
      if (container !== '' && own !== container) return [];
      const id = startOf(status, previous);
      return id === '' ? [] : [{ key: `${uid}/${own}/${id}`, namespace, pod: name, container: own }];
    });
  });
}

/** What tells a container's starts from each other; empty where it has none. */
function startOf(status: unknown, previous: boolean): string {
  const restarts = asNumber(at(status, 'restartCount')) ?? 0;
  if (previous) return restarts > 0 ? `before ${restarts}` : '';
  const id = asText(at(status, 'containerID'));
  const state = asRecord(at(status, 'state'));
  if (Object.hasOwn(state, 'running') || Object.hasOwn(state, 'terminated')) return id || `start ${restarts}`;
  return id;
}

/** How a source is called among the others: by what tells them apart, which of pods is the end of their names. */
export function labelOf(source: LogSource, sources: readonly LogSource[]): string {
  const { pod, container } = source;
  const pods = [...new Set(sources.map((each) => each.pod))];
  const containers = new Set(sources.map((each) => each.container)).size > 1;
  const own = pods.length > 1 ? [pod.slice(sharedWords(pods))] : [];
  return [...own, ...(containers || own.length === 0 ? [container] : [])].join('/');
}

/** The length of the words, each with its dash, with which all names begin. */
function sharedWords(names: readonly string[]): number {
  const [first = ''] = names;
  let length = 0;
  for (let dash = first.indexOf('-'); dash >= 0; dash = first.indexOf('-', dash + 1))
    if (names.every((name) => name.startsWith(first.slice(0, dash + 1)))) length = dash + 1;
  return length;
}

/** A selector in the words of a query: `spec.selector` of a workload, or the labels of a Service. */
export function selectorText(selector: unknown): string {
  const isPlain = !['matchLabels', 'matchExpressions'].some((key) => Object.hasOwn(asRecord(selector), key));
  const labels = Object.entries(asRecord(isPlain ? selector : at(selector, 'matchLabels')));
  const expressions = isPlain ? [] : asList(at(selector, 'matchExpressions'));
  return [...labels.map(([key, value]) => `${key}=${asText(value)}`), ...expressions.map(expressionText)].join(',');
}

function expressionText(expression: unknown): string {
  const key = asText(at(expression, 'key'));
  const values = asList(at(expression, 'values')).map(asText).join(',');
  switch (asText(at(expression, 'operator'))) {
    case 'In':
      return `${key} in (${values})`;
    case 'NotIn':
      return `${key} notin (${values})`;
    case 'DoesNotExist':
      return `!${key}`;
    default:
      return key;
  }
}

/** What an object's logs are; undefined for kinds that have none. */
export function logTargetOf(object: ApiObject): LogTarget | undefined {
  const { name = '', namespace = '' } = object.metadata;
  const title = `${object.kind ?? ''} ${name}`;
  if (object.kind === 'Pod') return { title, namespace, pod: name };
  if (!WITH_PODS.has(object.kind ?? '')) return undefined;
  const labelSelector = selectorText(at(object, 'spec', 'selector'));
  return labelSelector === '' ? undefined : { title, namespace, labelSelector };
}

const WITH_PODS: ReadonlySet<string> = new Set([
  ...['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'Job', 'ReplicationController', 'Service'],
]);
