/** Requests of any kind: paths, parameters, headers and bodies that may have nothing to do with each other. */
import fc from 'fast-check';
import type { RequestInput } from './input.ts';

const word = fc.constantFrom(
  'default',
  'a',
  'b',
  'pods',
  'configmaps',
  'v1',
  'apps',
  'status',
  'x'.repeat(300),
  '%2e%2e',
  'ä',
  '',
);
const collections = fc.constantFrom(
  '/api/v1/pods',
  '/api/v1/namespaces/default/pods',
  '/api/v1/namespaces/default/configmaps',
  '/api/v1/namespaces/default/secrets',
  '/api/v1/namespaces/default/services',
  '/api/v1/namespaces/default/events',
  '/api/v1/namespaces',
  '/api/v1/nodes',
  '/api/v1/persistentvolumes',
  '/apis/apps/v1/namespaces/default/deployments',
  '/apis/apps/v1/namespaces/default/statefulsets',
  '/apis/batch/v1/namespaces/default/jobs',
  '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings',
  '/apis/networking.k8s.io/v1/namespaces/default/ingresses',
  '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
  '/apis/certificates.k8s.io/v1/certificatesigningrequests',
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
);
const paths = fc.oneof(
  { weight: 3, arbitrary: collections },
  { weight: 4, arbitrary: fc.tuple(collections, word).map((parts) => parts.join('/')) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(collections, word, fc.constantFrom('status', 'scale', 'log', 'eviction', 'binding', 'x'))
      .map((parts) => parts.join('/')),
  },
  { weight: 1, arbitrary: fc.array(word, { maxLength: 6 }).map((parts) => `/${parts.join('/')}`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '/api',
      '/apis',
      '/version',
      '/healthz',
      '/livez/x',
      '/readyz?verbose',
      '/metrics',
      '/openapi/v2',
    ),
  },
);

const values = fc.constantFrom(
  '',
  '0',
  '1',
  '-1',
  'true',
  'x',
  'a=b',
  'a in (b,c)',
  '!a',
  'metadata.name=a',
  'a==b,',
  '99999999999999999999',
  'All',
  'Exact',
  'NotOlderThan',
  'Foreground',
);
const queries = fc.dictionary(
  fc.constantFrom(
    'labelSelector',
    'fieldSelector',
    'limit',
    'continue',
    'resourceVersion',
    'resourceVersionMatch',
    'dryRun',
    'fieldManager',
    'force',
    'pretty',
    'propagationPolicy',
    'gracePeriodSeconds',
    'orphanDependents',
  ),
  values,
  { maxKeys: 3 },
);

const scalars = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer(),
  fc.double(),
  fc.string(),
  fc.constantFrom('a', '1Gi', '100%', '2020-01-01T00:00:00Z'),
);
const fields = fc.constantFrom(
  'metadata',
  'spec',
  'status',
  'name',
  'namespace',
  'labels',
  'annotations',
  'data',
  'kind',
  'apiVersion',
  'containers',
  'template',
  'selector',
  'rules',
  'finalizers',
  'ownerReferences',
  'managedFields',
  'replicas',
  '$patch',
  '$retainKeys',
);
const { document } = fc.letrec<{ document: unknown }>((tie) => ({
  document: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    scalars,
    fc.array(tie('document'), { maxLength: 3 }),
    fc.dictionary(fields, tie('document'), { maxKeys: 5 }),
  ),
}));
const objects = fc.record(
  {
    apiVersion: fc.constantFrom('v1', 'apps/v1', 'batch/v1', 'nonsense', ''),
    kind: fc.constantFrom('Pod', 'ConfigMap', 'Deployment', 'Namespace', 'Secret', 'Job', 'Role', 'Nonsense'),
    metadata: fc.record(
      { name: fc.oneof(word, document), labels: document, finalizers: document, generateName: word },
      { requiredKeys: [] },
    ),
    spec: document,
    data: document,
  },
  { requiredKeys: [] },
);
const operations = fc.array(
  fc.record({
    op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test', 'x'),
    path: fc.constantFrom(
      '',
      '/',
      '/metadata/labels',
      '/metadata/labels/a',
      '/data/x',
      '/spec/containers/0',
      '/spec/containers/-',
      '/metadata',
      '/a~',
    ),
    from: fc.constantFrom('/metadata', '/data', '/x'),
    value: document,
  }),
  { maxLength: 4 },
);
const bodies = fc.oneof(
  objects.map((value) => JSON.stringify(value)),
  document.map((value) => JSON.stringify(value)),
  operations.map((value) => JSON.stringify(value)),
  fc.string(),
  fc.constantFrom('{', '[', 'a: [', '&a [*a, *a]', '---\n---\n', '{"a":'.repeat(2000), '\u0000', 'k8s\u0000garbage'),
);

/** Requests that are in order, so that the others meet objects and not only an empty cluster. */
const sound = fc.constantFrom('ConfigMap', 'Secret').map((kind) => ({
  method: 'POST',
  path: `/api/v1/namespaces/default/${kind.toLowerCase()}s`,
  query: {},
  type: 'application/json',
  accept: 'application/json',
  body: JSON.stringify({ apiVersion: 'v1', kind, metadata: { generateName: 'sound-' } }),
}));

const unrelated = fc.record({
  method: fc.constantFrom('GET', 'GET', 'POST', 'PUT', 'PATCH', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'),
  path: paths,
  query: queries,
  type: fc.constantFrom(
    'application/json',
    'application/yaml',
    'application/json-patch+json',
    'application/merge-patch+json',
    'application/strategic-merge-patch+json',
    'application/apply-patch+yaml',
    'application/vnd.kubernetes.protobuf',
    'text/plain',
    'x',
  ),
  accept: fc.constantFrom(
    'application/json',
    'application/yaml',
    '*/*',
    'application/json;as=Table;v=v1;g=meta.k8s.io',
    'application/vnd.kubernetes.protobuf',
    'image/png',
    ';;',
  ),
  body: bodies,
});

interface Parts {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly type: string;
  readonly accept: string;
  readonly body: string;
}

function toInput({ method, path, query, type, accept, body }: Parts): RequestInput {
  const search = new URLSearchParams(query).toString();
  const withBody = method !== 'GET' && method !== 'HEAD';
  return {
    method,
    path: `${path}${search ? `${path.includes('?') ? '&' : '?'}${search}` : ''}`,
    headers: [
      ['content-type', type],
      ['accept', accept],
    ],
    ...(withBody && { body }),
  };
}

export const requests: fc.Arbitrary<RequestInput> = fc
  .oneof<fc.MaybeWeightedArbitrary<Parts>[]>({ weight: 19, arbitrary: unrelated }, { weight: 1, arbitrary: sound })
  .map(toInput);
