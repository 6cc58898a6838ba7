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
import type { Answer } from '../codec/answer.ts';
import type { ResourceContext } from '../registry/registry.ts';
import { getObject } from '../registry/read.ts';
import { project, type Projection } from './projection.ts';

export const scale = (context: ResourceContext, resource: Resource): Promise<Answer> =>
  project(context, resource, SCALE);

const SCALE: Projection = {
  /** Whatever is scaled. */
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
    checkScale(resource, wanted);
    return withScale(resource, object, wanted);
  },
  mode: 'object',
};

/** A custom resource may lack the field that says how many it wants; then it has no scale to show. */
const saysReplicas = (resource: Resource, object: ApiObject): boolean =>
  !resource.custom || hasReplicas(resource, object);

const pathOf = ({ scale: paths }: Resource): string => JSON.stringify(paths?.specReplicas);

/** What a change starts from where nothing was said; who changes it has to say something. */
const UNSAID = -(2 ** 31);

const replicasOf = ({ spec }: ApiObject): number => (spec as { readonly replicas?: number }).replicas ?? 0;

/** A built-in object that is not there is reported as its scale; the reference's stateful sets and custom resources say what they are. */
async function scaled(context: ResourceContext, resource: Resource): Promise<Entry> {
  try {
    return await getObject(context, resource, context.info.name, context.query.get('resourceVersion') ?? '');
  } catch (error) {
    if (resource.custom || resource.gvr.resource === 'statefulsets' || !isReason(error, 'NotFound')) throw error;
    // The core group has no scales: what is missing is told of the group that has them.
    throw status.notFound(
      { group: resource.gvr.group || 'autoscaling', resource: `${resource.gvr.resource}/scale` },
      context.info.name,
    );
  }
}

/** Nothing can be wanted fewer than no times. Of a custom resource this is told as its own mistake, at its own path. */
function checkScale(resource: Resource, wanted: ApiObject): void {
  const replicas = replicasOf(wanted);
  if (replicas >= 0) return;
  const path = resource.custom ? (resource.scale?.specReplicas ?? '') : 'spec.replicas';
  const kind = resource.custom ? resource.gvk : { group: 'autoscaling', kind: 'Scale' };
  throw status.invalid(kind, wanted.metadata.name ?? '', [
    field.invalid(path, replicas, 'must be greater than or equal to 0'),
  ]);
}
