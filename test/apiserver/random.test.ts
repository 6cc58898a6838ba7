import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Cluster } from '../../src/cluster/index.ts';
import { createCluster } from '../../src/cluster/index.ts';
import { recordedOptions } from '../conformance/scenarios.ts';

/** How many requests are thrown; `SEED` and `RUNS` in the environment throw others. */
const runs = Number(process.env['RUNS'] ?? 1000);
const seed = Number(process.env['SEED'] ?? 20);

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

const random = fc.record({
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

const requests = fc.oneof({ weight: 19, arbitrary: random }, { weight: 1, arbitrary: sound });

type Thrown = typeof requests extends fc.Arbitrary<infer T> ? T : never;

/**
 * A fault of ours, an exception that nobody expected, is answered as InternalError. The reference's own 500s, for a client's
 * mistake that it recognizes but has no better code for, carry no reason; they are recorded so and kept.
 */
const isFault = (status: number, text: string): boolean => status >= 500 && text.includes('InternalError');

/** A Status; where no path is served, the list of those that are. */
const isRefusal = (body: { kind?: string; paths?: unknown }): boolean =>
  body.kind === 'Status' || Array.isArray(body.paths);

describe('random requests', () => {
  let cluster: Cluster;
  const rejections: unknown[] = [];
  const onRejection = (reason: unknown): number => rejections.push(reason);

  beforeAll(async () => {
    process.on('unhandledRejection', onRejection);
    cluster = await createCluster(recordedOptions('k8s.io'));
  });

  afterAll(async () => {
    await cluster.stop();
    process.off('unhandledRejection', onRejection);
  });

  const send = async ({ method, path, query, type, accept, body }: Thrown): Promise<number> => {
    const headers = { authorization: 'Bearer admintoken', 'content-type': type, accept };
    const search = new URLSearchParams(query).toString();
    const url = `http://random.test${path}${search ? `${path.includes('?') ? '&' : '?'}${search}` : ''}`;
    const withBody = method !== 'GET' && method !== 'HEAD';
    const response = await cluster.fetch(new Request(url, { method, headers, ...(withBody && { body }) }));
    const text = await response.text();
    expect(isFault(response.status, text), `${method} ${url}: ${response.status} ${text.slice(0, 300)}`).toBe(false);
    if (response.status >= 400 && text.startsWith('{')) expect(JSON.parse(text)).toSatisfy(isRefusal);
    return response.status;
  };

  test('are answered, never with a fault of the server', { timeout: 120_000 }, async () => {
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(requests, async (request) => void statuses.add(await send(request))),
      { numRuns: runs, seed },
    );
    expect(rejections).toEqual([]);
    // Every kind of refusal was met, so the requests were not all turned away at the door.
    expect([...statuses]).toEqual(expect.arrayContaining([200, 201, 400, 404, 405, 415, 422]));
  });

  test('leave it working', async () => {
    const response = await cluster.fetch(new Request('http://random.test/readyz'));
    expect(response.status).toBe(200);
  });
});
