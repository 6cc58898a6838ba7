/** Where objects live in storage. */
import { status, type Resource } from '../../schema/index.ts';

/** The key of one object: `/registry/apps/deployments/<namespace>/<name>`. */
export function objectKey(resource: Resource, namespace: string, name: string): string {
  return resource.namespaced ? `${resource.prefix}${namespace}/${name}` : `${resource.prefix}${name}`;
}

/** The key of the object that a request names; throws 400 for a name that no object can have. */
export function namedKey(resource: Resource, namespace: string, name: string): string {
  if (/[%/]/.test(name) || name === '.' || name === '..')
    throw status.badRequest(
      `Name parameter invalid: ${JSON.stringify(name)}: it may not contain '/' or '%', nor be '.' or '..'`,
    );
  return objectKey(resource, namespace, name);
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
