import {
  statefulSets,
  type Client,
  type ControllerRevision,
  type Draft,
  type PersistentVolumeClaim,
  type Pod,
  type StatefulSet,
} from '../../client/index.ts';
import { templateOf } from '../history/revisions.ts';
import { isReady, podFromTemplate } from '../runtime/index.ts';

/** What makes the pods of a stateful set who they are: their number, their name, their claims. */

export const REVISION_LABEL = 'controller-revision-hash';

/** The number at the end of a pod's name; undefined where the pod isn't named after the set. */
export function ordinalOf(pod: Pod, set: StatefulSet): number | undefined {
  const [, parent, ordinal] = /^(.*)-(\d+)$/.exec(pod.metadata.name ?? '') ?? [];
  return parent === set.metadata.name ? Number(ordinal) : undefined;
}

export const podName = (set: StatefulSet, ordinal: number): string => `${set.metadata.name}-${ordinal}`;

export const revisionOf = (pod: Pod): string => pod.metadata.labels?.[REVISION_LABEL] ?? '';

export const isTerminating = (pod: Pod): boolean => pod.metadata.deletionTimestamp !== undefined;

export const isRunningAndReady = (pod: Pod): boolean => pod.status.phase === 'Running' && isReady(pod);

export const isHealthy = (pod: Pod): boolean => isRunningAndReady(pod) && !isTerminating(pod);

function claimName(template: PersistentVolumeClaimTemplate, set: StatefulSet, ordinal: number): string {
  return `${template.metadata?.name}-${podName(set, ordinal)}`;
}

type PersistentVolumeClaimTemplate = NonNullable<StatefulSet['spec']['volumeClaimTemplates']>[number];

/** The claims of one pod; they outlive it. */
export function claimsOf(set: StatefulSet, ordinal: number): Draft<PersistentVolumeClaim>[] {
  return (set.spec.volumeClaimTemplates ?? []).map((template) => {
    const { labels, annotations } = template.metadata ?? {};
    const metadata = {
      name: claimName(template, set, ordinal),
      namespace: set.metadata.namespace ?? '',
      labels: { ...labels, ...set.spec.selector?.matchLabels },
      ...(annotations ? { annotations } : {}),
    };
    return { metadata, ...(template.spec ? { spec: template.spec } : {}) };
  });
}

/** The pod of that number, as a revision of the set describes it. */
export function podOf(set: StatefulSet, ordinal: number, revision: ControllerRevision, client: Client): Draft<Pod> {
  const { metadata, spec } = podFromTemplate(templateOf(revision), set, statefulSets, client);
  const { generateName: _, ...kept } = metadata ?? {};
  const name = podName(set, ordinal);
  const identity = {
    [client.names.fill('statefulset.{label}/pod-name')]: name,
    [REVISION_LABEL]: revision.metadata.name ?? '',
  };
  const claims = (set.spec.volumeClaimTemplates ?? []).map((template) => ({
    name: template.metadata?.name ?? '',
    persistentVolumeClaim: { claimName: claimName(template, set, ordinal), readOnly: false },
  }));
  const isClaimed = (volume: string | undefined): boolean => claims.some((claim) => claim.name === volume);
  const others = (spec?.volumes ?? []).filter((volume) => !isClaimed(volume?.name));
  const volumes = [...claims, ...others];
  return {
    metadata: { ...kept, name, labels: { ...kept.labels, ...identity } },
    spec: {
      ...spec,
      hostname: name,
      subdomain: set.spec.serviceName ?? '',
      ...(volumes.length > 0 ? { volumes } : {}),
    },
  };
}
