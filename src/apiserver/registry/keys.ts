/** Where objects live in storage. */
import type { Resource } from '../../schema/index.ts';

/** The key of one object: `/registry/apps/deployments/<namespace>/<name>`. */
export function objectKey(resource: Resource, namespace: string, name: string): string {
  return resource.namespaced ? `${resource.prefix}${namespace}/${name}` : `${resource.prefix}${name}`;
}

/** The keys of a collection, in one namespace or (empty) in all: from `start` up to but without `end`. */
export function collectionRange(resource: Resource, namespace: string): { start: string; end: string } {
  const start = resource.namespaced && namespace !== '' ? `${resource.prefix}${namespace}/` : resource.prefix;
  return { start, end: rangeEnd(start) };
}

/** The first key behind all that begin with `prefix`; our prefixes end in a slash, whose successor is `0`. */
function rangeEnd(prefix: string): string {
  return `${prefix.slice(0, -1)}0`;
}
