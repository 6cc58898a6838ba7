/** The scale subresource: a Scale object with the current and desired number of replicas. */
import {
  field,
  hasReplicas,
  isReason,
  meta,
  scaleOf,
  status,
  withScale,
  type ApiObject,
  type Resource,
} from '../../schema/index.ts';
import type { Entry } from '../../storage/index.ts';
import type { Answer } from '../codec/answer.ts';
import type { ResourceContext } from '../registry/registry.ts';
import { getObject } from '../registry/read.ts';
import { project, type Projection } from './projection.ts';

export const scale = (context: ResourceContext, resource: Resource): Promise<Answer> =>
  project(context, resource, SCALE);

const SCALE: Projection = {
  /** The type is the same for every scaled resource. */
  type: ({ server }) => server.scheme.byKind({ group: 'autoscaling', version: 'v1', kind: 'Scale' }),
  current: async (context, resource) => context.server.views.of(await scaled(context, resource), resource.hub).object,
  of(resource, object) {
    if (saysReplicas(resource, object)) return scaleOf(resource, object);
    throw status.internalError(`the spec replicas field ${pathOf(resource)} does not exist`);
  },
  live(resource, object) {
    const live = scaleOf(resource, object);
    return saysReplicas(resource, object) ? live : { ...live, spec: { replicas: UNSAID } };
  },
  into(resource, object, wanted) {
    if (resource.custom && replicasOf(wanted) === UNSAID)
      throw status.badRequest(`the spec replicas field ${pathOf(resource)} cannot be empty`);
    // The replicas of a custom resource are checked with the object.
    if (!resource.custom) checkScale(wanted);
    return withScale(resource, object, wanted);
  },
  mode: 'object',
};

/** A custom resource may lack the field for the desired replicas; then it has no scale. */
const saysReplicas = (resource: Resource, object: ApiObject): boolean =>
  !resource.custom || hasReplicas(resource, object);

const pathOf = ({ scale: paths }: Resource): string => JSON.stringify(paths?.specReplicas);

/** Marks an unset number of replicas in the starting point of a change; a change has to set it. */
const UNSAID = -(2 ** 31);

const replicasOf = ({ spec }: ApiObject): number => (spec as { readonly replicas?: number }).replicas ?? 0;

/**
 * A missing built-in object is reported as its scale; in the reference, stateful sets and custom resources are reported
 * as themselves.
 */
async function scaled(context: ResourceContext, resource: Resource): Promise<Entry> {
  try {
    return await getObject(context, resource, context.info.name, context.query.get('resourceVersion') ?? '');
  } catch (error) {
    if (resource.custom || resource.gvr.resource === 'statefulsets' || !isReason(error, 'NotFound')) throw error;
    // The core group has no scales: a missing object is reported in the group that has them.
    throw status.notFound(
      { group: resource.gvr.group || 'autoscaling', resource: `${resource.gvr.resource}/scale` },
      context.info.name,
    );
  }
}

/** The metadata of a scale are valid, and its replicas are not negative. */
function checkScale(wanted: ApiObject): void {
  const replicas = replicasOf(wanted);
  const errors = [
    ...meta.validateObjectMeta(wanted.metadata, { namespaced: true, name: 'subdomain' }),
    ...(replicas < 0 ? [field.invalid('spec.replicas', replicas, 'must be greater than or equal to 0')] : []),
  ];
  if (errors.length > 0)
    throw status.invalid({ group: 'autoscaling', kind: 'Scale' }, wanted.metadata.name ?? '', errors);
}
