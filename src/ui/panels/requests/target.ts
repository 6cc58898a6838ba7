/** Which object a request is about. */
import type { OpenedRequest } from '../../stores/requests.ts';
import { asText, at } from '../../stores/jsonValues.ts';
import { findResource, useResources, type ObjectRef, type Resource } from '../../stores/resources.ts';

/** The object of a request among what the server serves; undefined where it is about none. */
export function targetOf({ stages }: OpenedRequest, resources: readonly Resource[]): ObjectRef | undefined {
  const attributes = stages.findLast((stage) => stage.stage === 'authorization')?.attributes;
  const get = (field: string): string => asText(at(attributes, field));
  const resource = findResource(resources, get('group') || 'core', get('resource'));
  const object = stages.findLast((stage) => stage.stage === 'object')?.object;
  const key = stages.findLast((stage) => stage.stage === 'stored')?.key;
  const name = get('name') || asText(at(object, 'metadata', 'name')) || (key?.split('/').at(-1) ?? '');
  if (!resource || name === '') return undefined;
  return { resource, namespace: resource.namespaced ? get('namespace') : '', name };
}

export function useTarget(request: OpenedRequest): ObjectRef | undefined {
  const resources = useResources((state) => state.resources);
  return targetOf(request, resources);
}
