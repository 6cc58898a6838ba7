import type { Node, Pod } from '../../client/index.ts';
import { quantityOf, type objects } from '../../schema/index.ts';
import { getOwn } from '../../std/index.ts';
import { mapText, subscript } from './variables.ts';

/** Data about a pod on its node, besides its object. */
export interface Whereabouts {
  readonly pod: Pod;
  readonly podIP: string;
  readonly hostIP: string;
  readonly allocatable: NonNullable<Node['status']['allocatable']>;
}

/** The value of a field of the pod for variables and files; undefined if the field does not exist. */
export function fieldValue(path: string, { pod, podIP, hostIP }: Whereabouts): string | undefined {
  const { metadata, spec } = pod;
  const entry = subscript(path);
  if (entry)
    return getOwn((entry.map === 'metadata.labels' ? metadata.labels : metadata.annotations) ?? {}, entry.key) ?? '';
  switch (path) {
    case 'metadata.name':
      return metadata.name;
    case 'metadata.namespace':
      return metadata.namespace;
    case 'metadata.uid':
      return metadata.uid;
    case 'metadata.labels':
      return mapText(metadata.labels);
    case 'metadata.annotations':
      return mapText(metadata.annotations);
    case 'spec.nodeName':
      return spec.nodeName ?? '';
    case 'spec.serviceAccountName':
      return spec.serviceAccountName ?? '';
    case 'status.hostIP':
      return hostIP;
    case 'status.podIP':
    case 'status.podIPs':
      return podIP;
    default:
      return undefined;
  }
}

/** A container's limit or request in divisors, rounded up; a missing limit is the node's allocatable amount. */
export function resourceValue(
  reference: objects.ResourceFieldSelector,
  containers: readonly objects.Container[],
  { allocatable }: Whereabouts,
  own: string,
): string {
  const container = containers.find(({ name }) => name === (reference.containerName || own));
  const [kind, name = ''] = splitResource(reference.resource);
  const { limits = {}, requests = {} } = container?.resources ?? {};
  const limit = getOwn(limits, name) ?? getOwn(allocatable, name);
  const text = kind === 'limits' ? limit : (getOwn(requests, name) ?? (kind === 'requests' ? '0' : limit));
  const divisor = quantityOf(reference.divisor && reference.divisor !== '0' ? reference.divisor : '1');
  const value = quantityOf(text);
  if (name === 'cpu') return String(Math.ceil(value.milliValue() / divisor.milliValue()));
  return String(Math.ceil(value.value() / divisor.value()));
}

function splitResource(resource: string): [string, string | undefined] {
  const dot = resource.indexOf('.');
  return [resource.slice(0, dot), resource.slice(dot + 1)];
}
