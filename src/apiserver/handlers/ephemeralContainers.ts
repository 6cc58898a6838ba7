/** The ephemeralcontainers subresource: containers added to a running pod for debugging. */
import type { ApiObject, Resource } from '../../schema/index.ts';
import { isObject } from '../../std/index.ts';
import type { Answer } from '../codec/answer.ts';
import type { ResourceContext } from '../registry/registry.ts';
import { getObject } from '../registry/read.ts';
import { project, type Projection } from './projection.ts';

export const ephemeralContainers = (context: ResourceContext, resource: Resource): Promise<Answer> =>
  project(context, resource, EPHEMERAL);

const EPHEMERAL: Projection = {
  type: ({ server }) => server.scheme.byKind({ group: '', version: 'v1', kind: 'EphemeralContainers' }),
  async current(context, resource) {
    const { info, query, server } = context;
    const entry = await getObject(context, resource, info.name, query.get('resourceVersion') ?? '');
    return server.views.of(entry, resource.hub).object;
  },
  of: (_resource, pod) => ({
    apiVersion: 'v1',
    kind: 'EphemeralContainers',
    metadata: { ...identityOf(pod.metadata), creationTimestamp: pod.metadata.creationTimestamp },
    ephemeralContainers: specOf(pod)['ephemeralContainers'] ?? [],
  }),
  into: (_resource, pod, { metadata, ephemeralContainers: wanted }) => ({
    ...pod,
    metadata: { ...pod.metadata, ...identityOf(metadata) },
    spec: { ...specOf(pod), ephemeralContainers: wanted },
  }),
  mode: 'ephemeralContainers',
};

/** The identity and revision of the pod. */
const IDENTITY = ['name', 'namespace', 'uid', 'resourceVersion'];

type Metadata = ApiObject['metadata'];

const identityOf = (metadata: Metadata): Partial<Metadata> =>
  Object.fromEntries(Object.entries(metadata).filter(([name]) => IDENTITY.includes(name)));

const specOf = ({ spec }: ApiObject): Readonly<Record<string, unknown>> => (isObject(spec) ? spec : {});
