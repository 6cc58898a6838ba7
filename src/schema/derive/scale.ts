/** The Scale view of an object, and the way back: paths into the hub version, from the kind's declaration. */
import type { ApiObject } from '../define/kind.ts';
import { selectorOfLabels, selectorOfObject, type LabelSelector } from '../values/index.ts';
import { isObject, getOwn, setOwn } from '../../std/index.ts';
import type { Resource } from './scheme.ts';

const segments = (path: string): string[] => path.replace(/^\./, '').split('.');

function at(object: unknown, path: string): unknown {
  return segments(path).reduce<unknown>((value, name) => (isObject(value) ? getOwn(value, name) : undefined), object);
}

/** The object's Scale, in autoscaling/v1. `object` is in the hub version. */
export function scaleOf(resource: Resource, object: ApiObject): ApiObject {
  const { scale } = resource;
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const selector = scale?.selector === undefined ? '' : selectorText(at(object, scale.selector));
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: {
      ...(name ? { name } : {}),
      ...(namespace ? { namespace } : {}),
      ...(uid ? { uid } : {}),
      ...(resourceVersion ? { resourceVersion } : {}),
      creationTimestamp,
    },
    spec: { replicas: numberAt(object, scale?.specReplicas) },
    status: { replicas: numberAt(object, scale?.statusReplicas), ...(selector === '' ? {} : { selector }) },
  };
}

/** Whether the object has a number of replicas: a custom resource may lack it. */
export function hasReplicas(resource: Resource, object: ApiObject): boolean {
  return resource.scale !== undefined && typeof at(object, resource.scale.specReplicas) === 'number';
}

function numberAt(object: ApiObject, path: string | undefined): number {
  const value = path === undefined ? undefined : at(object, path);
  return typeof value === 'number' ? value : 0;
}

/** A selector's text: custom resources keep the text itself, others an object or plain labels. */
function selectorText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!isObject(value)) return '';
  const isSelector =
    'matchLabels' in value || 'matchExpressions' in value || Object.values(value).some((v) => typeof v !== 'string');
  return isSelector
    ? selectorOfObject(value as LabelSelector).toString()
    : selectorOfLabels(value as Record<string, string>).toString();
}

/** `object` with the number (and the revision) that `scale` asks for. Mutates and returns it. */
export function withScale(resource: Resource, object: ApiObject, scale: ApiObject): ApiObject {
  const path = segments(resource.scale?.specReplicas ?? 'spec.replicas');
  const last = path.pop() ?? 'replicas';
  let target: Record<string, unknown> = object;
  for (const name of path) {
    const next = getOwn(target, name);
    const inner = isObject(next) ? next : {};
    setOwn(target, name, inner);
    target = inner;
  }
  const replicas = at(scale, 'spec.replicas');
  setOwn(target, last, typeof replicas === 'number' ? replicas : 0);
  if (scale.metadata.resourceVersion) object.metadata.resourceVersion = scale.metadata.resourceVersion;
  if (scale.metadata.uid) object.metadata.uid = scale.metadata.uid;
  return object;
}
