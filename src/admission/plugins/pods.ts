/** Helpers for plugins that check pods. */
import type { Names } from '../../names/index.ts';
import { Path, type objects } from '../../schema/index.ts';
import type { AdmissionAttributes } from '../types.ts';

export type Pod = objects.Pod;
export type PodSpec = objects.PodSpec;

/** Whether a request is for pods and not for a subresource. */
export function isPod({ resource, subresource }: AdmissionAttributes): boolean {
  return resource.group === '' && resource.resource === 'pods' && subresource === '';
}

/** The pod of a request that satisfies `isPod`; a decoded pod always has a spec. */
export function podOf(attributes: AdmissionAttributes): Pod & { spec: PodSpec } {
  return attributes.object as Pod & { spec: PodSpec };
}

/** The pod before an update. */
export function oldPodOf(attributes: AdmissionAttributes): (Pod & { spec: PodSpec }) | undefined {
  return attributes.oldObject as (Pod & { spec: PodSpec }) | undefined;
}

/** Init containers and containers. */
export function containersOf(spec: PodSpec): objects.Container[] {
  return [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
}

/** Init containers and containers with their paths. */
export function containersWithPaths(spec: PodSpec): { readonly container: objects.Container; readonly path: Path }[] {
  return (['initContainers', 'containers'] as const).flatMap((list) =>
    (spec[list] ?? []).map((container, i) => ({ container, path: Path.of('spec', list).index(i) })),
  );
}

/** Whether the pod is a mirror of a static pod. */
export const isMirrorPod = ({ metadata }: Pod, names: Names): boolean =>
  metadata?.annotations?.[names.fill('{label}/config.mirror')] !== undefined;

/** Adds annotations to a pod. */
export function annotate(pod: Pod, annotations: Readonly<Record<string, string>>): void {
  pod.metadata = {
    ...(pod.metadata ?? { creationTimestamp: null }),
    annotations: { ...pod.metadata?.annotations, ...annotations },
  };
}
