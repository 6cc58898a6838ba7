import {
  nameOf,
  namespaceOf,
  statefulSets,
  type Client,
  type ControllerRevision,
  type Draft,
  type PersistentVolumeClaim,
  type Pod,
  type StatefulSet,
} from '../../client/index.ts';
import type { Names } from '../../names/index.ts';
import type { objects } from '../../schema/index.ts';
import { getOwn } from '../../std/index.ts';
import { templateOf } from '../history/revisions.ts';
import { isRunningAndReady, podFromTemplate } from '../runtime/index.ts';

/** The identity of a stateful set's pods: ordinal, name, claims. */

export const REVISION_LABEL = 'controller-revision-hash';

/** The ordinal at the end of a pod's name; undefined if the pod is not named after the set. */
export function ordinalOf(pod: Pod, set: StatefulSet): number | undefined {
  const [, parent, ordinal] = /^(.*)-(\d+)$/.exec(nameOf(pod)) ?? [];
  return parent === set.metadata.name ? Number(ordinal) : undefined;
}

export const podName = (set: StatefulSet, ordinal: number): string => `${set.metadata.name}-${ordinal}`;

export const revisionOf = (pod: Pod): string => pod.metadata.labels?.[REVISION_LABEL] ?? '';

/** The label that selects a single pod of a set. */
const nameLabel = (names: Names): string => names.fill('statefulset.{label}/pod-name');

export const isTerminating = (pod: Pod): boolean => pod.metadata.deletionTimestamp !== undefined;

export const isHealthy = (pod: Pod): boolean => isRunningAndReady(pod) && !isTerminating(pod);

function claimName(template: PersistentVolumeClaimTemplate, set: StatefulSet, ordinal: number): string {
  return `${template.metadata?.name}-${podName(set, ordinal)}`;
}

type PersistentVolumeClaimTemplate = NonNullable<StatefulSet['spec']['volumeClaimTemplates']>[number];

/** The claims of one pod; they are kept when the pod is deleted. */
export function claimsOf(set: StatefulSet, ordinal: number): Draft<PersistentVolumeClaim>[] {
  return (set.spec.volumeClaimTemplates ?? []).map((template) => {
    const { labels, annotations } = template.metadata ?? {};
    const metadata = {
      name: claimName(template, set, ordinal),
      namespace: namespaceOf(set),
      labels: { ...labels, ...set.spec.selector?.matchLabels },
      ...(annotations ? { annotations } : {}),
    };
    return { metadata, ...(template.spec ? { spec: template.spec } : {}) };
  });
}

/**
 * The set as its controller writes it after it created a pod. As in the reference, the labels that a claim template has
 * then include those of the selector. The server does not store them with a status, but makes the controller their owner.
 */
export function withClaimLabels(set: StatefulSet): StatefulSet {
  const volumeClaimTemplates = set.spec.volumeClaimTemplates?.map((template) => {
    const { metadata } = template;
    if (!metadata?.labels) return template;
    return {
      ...template,
      metadata: { ...metadata, labels: { ...metadata.labels, ...set.spec.selector?.matchLabels } },
    };
  });
  return volumeClaimTemplates ? { ...set, spec: { ...set.spec, volumeClaimTemplates } } : set;
}

/** The pod with that ordinal from a revision of the set. */
export function podOf(set: StatefulSet, ordinal: number, revision: ControllerRevision, client: Client): Draft<Pod> {
  const { metadata, spec } = podFromTemplate(templateOf(revision), set, statefulSets, client);
  const name = podName(set, ordinal);
  const identity = { [nameLabel(client.names)]: name, [REVISION_LABEL]: nameOf(revision) };
  const volumes = [...claimVolumes(set, ordinal), ...otherVolumes(set, spec?.volumes)];
  return {
    metadata: { ...metadata, name, labels: { ...metadata?.labels, ...identity } },
    spec: {
      ...spec,
      hostname: name,
      subdomain: set.spec.serviceName ?? '',
      ...(volumes.length > 0 ? { volumes } : {}),
    },
  };
}

/** Whether a pod has its name label and the volumes of its claims. */
export function hasIdentity(set: StatefulSet, pod: Pod, ordinal: number, names: Names): boolean {
  const volumes = pod.spec.volumes ?? [];
  const isMounted = ({ name, persistentVolumeClaim }: Volume): boolean =>
    volumes.some((v) => v.name === name && v.persistentVolumeClaim?.claimName === persistentVolumeClaim?.claimName);
  return (
    getOwn(pod.metadata.labels, nameLabel(names)) === podName(set, ordinal) &&
    claimVolumes(set, ordinal).every(isMounted)
  );
}

/** A pod with its identity restored. */
export function withIdentity(set: StatefulSet, pod: Pod, ordinal: number, names: Names): Pod {
  const labels = { ...pod.metadata.labels, [nameLabel(names)]: podName(set, ordinal) };
  const metadata = { ...pod.metadata, labels };
  if (claimVolumes(set, ordinal).length === 0) return { ...pod, metadata };
  const volumes = [...claimVolumes(set, ordinal), ...otherVolumes(set, pod.spec.volumes)];
  return { ...pod, metadata, spec: { ...pod.spec, volumes } };
}

type Volume = objects.Volume;

/** The volumes for the claims of one pod. */
function claimVolumes(set: StatefulSet, ordinal: number): Volume[] {
  return (set.spec.volumeClaimTemplates ?? []).map((template) => ({
    name: template.metadata?.name ?? '',
    persistentVolumeClaim: { claimName: claimName(template, set, ordinal), readOnly: false },
  }));
}

/** The volumes that no claim of the set replaces. */
function otherVolumes<V extends { name?: string } | undefined>(set: StatefulSet, volumes: readonly V[] = []): V[] {
  const claimed = new Set((set.spec.volumeClaimTemplates ?? []).map((template) => template.metadata?.name ?? ''));
  return volumes.filter((volume) => !claimed.has(volume?.name ?? ''));
}
