import { getOwn } from '../../std/index.ts';
import {
  daemonSets,
  nameOf,
  type Client,
  type DaemonSet,
  type Draft,
  type Node,
  type Pod,
} from '../../client/index.ts';
import type { Names } from '../../names/index.ts';
import { matchesNodeSelector, tolerates, type objects } from '../../schema/index.ts';
import { podFromTemplate } from '../runtime/index.ts';

/** The nodes on which a daemon set's pods belong, and how each pod is tied to its node. */

type Toleration = objects.Toleration;

export const HASH_LABEL = 'controller-revision-hash';
const GENERATION_LABEL = 'pod-template-generation';
const GENERATION_ANNOTATION = 'deprecated.daemonset.template.generation';

/** Daemons stay on unhealthy nodes, and are created on unschedulable ones. */
function ownTolerations(spec: objects.PodSpec | undefined, names: Names): Toleration[] {
  const exists = (taint: string, effect: string): Toleration => ({
    key: names.fill(`node.{label}/${taint}`),
    operator: 'Exists',
    effect,
  });
  return [
    exists('not-ready', 'NoExecute'),
    exists('unreachable', 'NoExecute'),
    exists('disk-pressure', 'NoSchedule'),
    exists('memory-pressure', 'NoSchedule'),
    exists('pid-pressure', 'NoSchedule'),
    exists('unschedulable', 'NoSchedule'),
    ...(spec?.hostNetwork ? [exists('network-unavailable', 'NoSchedule')] : []),
  ];
}

function allTolerations(set: DaemonSet, names: Names): Toleration[] {
  const stated = set.spec.template.spec?.tolerations ?? [];
  const isStated = (own: Toleration): boolean =>
    stated.some(
      (t) =>
        t.key === own.key &&
        t.effect === own.effect &&
        t.operator === own.operator &&
        (t.value ?? '') === '' &&
        t.tolerationSeconds === undefined,
    );
  return [...stated, ...ownTolerations(set.spec.template.spec, names).filter((own) => !isStated(own))];
}

export interface Fit {
  /** Whether a pod should be created on the node. */
  readonly run: boolean;
  /** Whether an existing pod may stay. */
  readonly stay: boolean;
}

/** Whether a daemon of the set belongs on a node. */
export function fits(set: DaemonSet, node: Node, names: Names): Fit {
  const spec = set.spec.template.spec;
  const name = nameOf(node);
  const labels = node.metadata.labels ?? {};
  if (spec?.nodeName && spec.nodeName !== name) return { run: false, stay: false };
  const selected = Object.entries(spec?.nodeSelector ?? {}).every(([key, value]) => getOwn(labels, key) === value);
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (!selected || (required && !matchesNodeSelector(required, { name, labels }))) return { run: false, stay: false };
  const tolerations = allTolerations(set, names);
  const untolerated = (node.spec.taints ?? []).filter(
    (taint) => taint.effect !== 'PreferNoSchedule' && !tolerations.some((t) => tolerates(t, taint)),
  );
  return { run: untolerated.length === 0, stay: !untolerated.some((taint) => taint.effect === 'NoExecute') };
}

/** The node of a daemon, or its target node. */
export function nodeOf(pod: Pod): string | undefined {
  if (pod.spec.nodeName) return pod.spec.nodeName;
  const terms =
    pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const fields = terms.flatMap((term) => term.matchFields ?? []);
  return fields.find((field) => field.key === 'metadata.name' && field.operator === 'In')?.values?.[0];
}

/** The daemon for one node: its affinity lets the scheduler place it only there. */
export function podFor(set: DaemonSet, node: string, hash: string, client: Client): Draft<Pod> {
  const { metadata, spec } = podFromTemplate(set.spec.template, set, daemonSets, client);
  const generation = set.metadata.annotations?.[GENERATION_ANNOTATION];
  const labels = {
    ...metadata?.labels,
    [HASH_LABEL]: hash,
    ...(generation === undefined ? {} : { [GENERATION_LABEL]: generation }),
  };
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [node] }];
  const nodeAffinity = {
    ...set.spec.template.spec?.affinity?.nodeAffinity,
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields }] },
  };
  const affinity = { ...set.spec.template.spec?.affinity, nodeAffinity };
  return {
    metadata: { ...metadata, labels },
    spec: { ...spec, affinity, tolerations: allTolerations(set, client.names) },
  };
}

/** Whether a daemon belongs to the revision with that hash. */
export function isCurrent(pod: Pod, hash: string): boolean {
  return pod.metadata.labels?.[HASH_LABEL] === hash;
}
