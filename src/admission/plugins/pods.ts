/** What plugins that look at pods share. */
import type { Names } from '../../names/index.ts';
import { Path, type objects } from '../../schema/index.ts';
import type { AdmissionAttributes } from '../types.ts';

export type Pod = objects.Pod;
export type PodSpec = objects.PodSpec;

/** Whether a request is about pods themselves, not about one of their subresources. */
export function isPod({ resource, subresource }: AdmissionAttributes): boolean {
  return resource.group === '' && resource.resource === 'pods' && subresource === '';
}

/** The pod of a request that `isPod`; its spec is always there once it is decoded. */
export function podOf(attributes: AdmissionAttributes): Pod & { spec: PodSpec } {
  return attributes.object as Pod & { spec: PodSpec };
}

/** The pod as it was before an update. */
export function oldPodOf(attributes: AdmissionAttributes): (Pod & { spec: PodSpec }) | undefined {
  return attributes.oldObject as (Pod & { spec: PodSpec }) | undefined;
}

/** Init containers and containers. */
export function containersOf(spec: PodSpec): objects.Container[] {
  return [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
}

/** Init containers and containers, each with where it stands. */
export function containersWithPaths(spec: PodSpec): { readonly container: objects.Container; readonly path: Path }[] {
  return (['initContainers', 'containers'] as const).flatMap((list) =>
    (spec[list] ?? []).map((container, i) => ({ container, path: Path.of('spec', list).index(i) })),
  );
}

/** Whether this pod only mirrors one that its node runs by itself. */
export const isMirrorPod = ({ metadata }: Pod, names: Names): boolean =>
  metadata?.annotations?.[names.fill('{label}/config.mirror')] !== undefined;

/** Adds annotations to a pod. */
export function annotate(pod: Pod, annotations: Readonly<Record<string, string>>): void {
  pod.metadata = {
    ...(pod.metadata ?? { creationTimestamp: null }),
    annotations: { ...pod.metadata?.annotations, ...annotations },
  };
}
