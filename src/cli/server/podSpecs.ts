/** The pod spec within an object: a pod's own, or that of the template of a workload. */
import type { ApiObject, objects } from '../../schema/index.ts';
import { getOwn, isObject } from '../../std/index.ts';

export type Container = NonNullable<objects.PodSpec['containers']>[number];
export type PodSpec = objects.PodSpec & { readonly containers: readonly Container[] };

const inTemplate: readonly string[] = ['spec', 'template', 'spec'];

/** Where the pod spec of a kind stands. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  Pod: ['spec'],
  ReplicationController: inTemplate,
  Deployment: inTemplate,
  DaemonSet: inTemplate,
  ReplicaSet: inTemplate,
  StatefulSet: inTemplate,
  Job: inTemplate,
  CronJob: ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
};

/** Undefined for kinds without one. */
export function podSpecOf(object: ApiObject): PodSpec | undefined {
  const place = getOwn(PLACES, object.kind ?? '');
  let value: unknown = place ? object : undefined;
  for (const field of place ?? []) value = isObject(value) ? getOwn(value, field) : undefined;
  if (!isObject(value)) return undefined;
  const { containers, ...spec } = value as Partial<objects.PodSpec>;
  return { ...spec, containers: containers ?? [] };
}

/** The object with another pod spec; unchanged if its kind has none. */
export function withPodSpec(object: ApiObject, spec: PodSpec): ApiObject {
  const place = getOwn(PLACES, object.kind ?? '');
  return place ? (replaced(object, place, spec) as ApiObject) : object;
}

function replaced(value: unknown, [field, ...rest]: readonly string[], spec: PodSpec): unknown {
  if (field === undefined) return spec;
  const fields = isObject(value) ? value : {};
  return { ...fields, [field]: replaced(getOwn(fields, field), rest, spec) };
}

/** The pod spec with its containers changed, init containers too. */
export function mapContainers(spec: PodSpec, change: (container: Container) => Container): PodSpec {
  return {
    ...spec,
    containers: spec.containers.map(change),
    ...(spec.initContainers ? { initContainers: spec.initContainers.map(change) } : {}),
  };
}
