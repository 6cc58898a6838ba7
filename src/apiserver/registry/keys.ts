/** The storage keys of objects. */
import { status, type Resource } from '../../schema/index.ts';

/** The key of one object: `/registry/apps/deployments/<namespace>/<name>`. */
export function objectKey(resource: Resource, namespace: string, name: string): string {
  return resource.namespaced ? `${resource.prefix}${namespace}/${name}` : `${resource.prefix}${name}`;
}

/** The key of the object that a request names; throws 400 for an invalid name. */
export function namedKey(resource: Resource, namespace: string, name: string): string {
  if (/[%/]/.test(name) || name === '.' || name === '..')
    throw status.badRequest(
      `Name parameter invalid: ${JSON.stringify(name)}: it may not contain '/' or '%', nor be '.' or '..'`,
    );
  return objectKey(resource, namespace, name);
}

/**
 * The key range of a collection, in one namespace or (if empty) in all: from `start` (inclusive) to `end` (exclusive).
 */
export function collectionRange(resource: Resource, namespace: string): { start: string; end: string } {
  const start = resource.namespaced && namespace !== '' ? `${resource.prefix}${namespace}/` : resource.prefix;
  return { start, end: rangeEnd(start) };
}

/** The first key after all that start with `prefix`; prefixes end with a slash, whose successor is `0`. */
function rangeEnd(prefix: string): string {
  return `${prefix.slice(0, -1)}0`;
}
