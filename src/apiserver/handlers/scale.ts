/** The scale subresource: another kind's view of how many there are and should be. */
import {
  field,
  hasReplicas,
  isReason,
  scaleOf,
  status,
  withScale,
  type ApiObject,
  type Resource,
} from '../../schema/index.ts';
import type { Entry } from '../../storage/index.ts';
import type { Answer } from '../codec/respond.ts';
import type { RequestContext } from '../context.ts';
import { getObject } from '../registry/read.ts';
import { project, type Projection } from './projection.ts';

export const scale = (context: RequestContext, resource: Resource): Promise<Answer> =>
  project(context, resource, SCALE);

const SCALE: Projection = {
  /** Whatever is scaled. */
  type: ({ server }) => server.scheme.byKind({ group: 'autoscaling', version: 'v1', kind: 'Scale' }),
  current,
  of: scaleOf,
  into(resource, object, wanted) {
    checkScale(resource, wanted);
    return withScale(resource, object, wanted);
  },
  mode: 'object',
};

/** A custom resource may lack the field that says how many it wants; then it has no scale to show. */
async function current(context: RequestContext, resource: Resource): Promise<ApiObject> {
  const entry = await scaled(context, resource);
  const object = context.server.views.of(entry, resource.hub).object;
  if (resource.custom && !hasReplicas(resource, object)) {
    throw status.internalError(
      `the spec replicas field ${JSON.stringify(resource.scale?.specReplicas)} does not exist`,
    );
  }
  return object;
}

/** That a built-in kind isn't there is told of its scale. */
async function scaled(context: RequestContext, resource: Resource): Promise<Entry> {
  try {
    return await getObject(context, resource, context.info.name, context.query.get('resourceVersion') ?? '');
  } catch (error) {
    if (resource.custom || !isReason(error, 'NotFound')) throw error;
    // The core group has no scales: what is missing is told of the group that has them.
    throw status.notFound(
      { group: resource.gvr.group || 'autoscaling', resource: `${resource.gvr.resource}/scale` },
      context.info.name,
    );
  }
}

/** Nothing can be wanted fewer than no times. Of a custom resource this is told as its own mistake, at its own path. */
function checkScale(resource: Resource, wanted: ApiObject): void {
  const { replicas = 0 } = wanted['spec'] as { readonly replicas?: number };
  if (replicas >= 0) return;
  const path = resource.custom ? (resource.scale?.specReplicas ?? '') : 'spec.replicas';
  const kind = resource.custom ? resource.gvk : { group: 'autoscaling', kind: 'Scale' };
  throw status.invalid(kind, wanted.metadata.name ?? '', [
    field.invalid(path, replicas, 'must be greater than or equal to 0'),
  ]);
}
