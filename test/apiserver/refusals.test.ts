/** Which rules a write is checked by, how often and in which order: the fields that a refusal names. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { causes, openCluster, PATCHES, type TestClient } from './client.ts';

let client: TestClient;
beforeAll(async () => (client = await openCluster()));
afterAll(() => client.cluster.stop());

const bad = { 'bad key!': '1' };
const annotations = 'metadata.annotations';

describe('an event', () => {
  const EVENTS = '/apis/events.cluster.io';
  const event = (version: string, metadata: object = {}): object => ({
    ...{ apiVersion: `events.cluster.io/${version}`, kind: 'Event', metadata: { name: version, ...metadata } },
    ...{ eventTime: '2021-01-01T00:00:00.000000Z', reportingController: 'x.io/c', reportingInstance: 'i' },
    ...{ action: 'A', reason: 'R', type: 'Normal', regarding: { kind: 'Pod', name: 'p', namespace: 'default' } },
  });

  it.each([
    ['v1', [annotations, annotations, annotations]],
    ['v1beta1', [annotations, annotations]],
  ])('changed through %s has validated metadata %j', async (version, fields) => {
    const path = `${EVENTS}/${version}/namespaces/default/events`;
    await client.send('POST', path, event(version));
    const answer = await client.send('PUT', `${path}/${version}`, event(version, { annotations: bad }));
    expect(causes(answer)).toEqual(fields);
  });
});

describe('a write to the status', () => {
  const template = { spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' } };
  it.each<[string, object, readonly string[]]>([
    ['/apis/batch/v1/namespaces/default/jobs', { template }, [annotations, annotations, annotations]],
    [
      '/apis/batch/v1beta1/namespaces/default/cronjobs',
      { schedule: '@daily', jobTemplate: { spec: { template } } },
      // Cron jobs themselves do not look at it.
      [annotations, annotations],
    ],
  ])('of %s', async (path, spec, fields) => {
    await client.send('POST', path, { metadata: { name: 's' }, spec });
    const sent = { metadata: { annotations: bad } };
    expect(causes(await client.send('PATCH', `${path}/s/status`, sent, { 'content-type': PATCHES.merge }))).toEqual(
      fields,
    );
  });
});

it.each([
  ['/apis/coordination.cluster.io/v1/namespaces/default/leases', { spec: {} }, 201],
  ['/apis/node.cluster.io/v1/runtimeclasses', { handler: 'h' }, 201],
  ['/api/v1/namespaces/default/configmaps', {}, 422],
])('%s with a finalizer without a domain: %i', async (path, fields, code) => {
  const object = { ...fields, metadata: { name: 'f', finalizers: ['text'] } };
  expect((await client.send('POST', path, object)).code).toBe(code);
});

describe('a service', () => {
  const SERVICES = '/api/v1/namespaces/default/services';
  const service = (metadata: object, spec: object): object => ({
    metadata: { name: 's', ...metadata },
    spec: { ports: [{ port: 80 }], ...spec },
  });
  beforeAll(() => client.send('POST', SERVICES, service({}, {})));

  it('is validated before its revision is compared', async () => {
    const { body } = await client.send('GET', `${SERVICES}/s`);
    const clusterIP = body['spec']?.['clusterIP'];
    const put = (spec: object): ReturnType<TestClient['send']> =>
      client.send('PUT', `${SERVICES}/s`, service({ resourceVersion: '1' }, { clusterIP, ...spec }));
    expect((await put({})).code).toBe(409);
    expect(causes(await put({ externalTrafficPolicy: 'x' }))).toEqual(['spec.externalTrafficPolicy']);
    expect(causes(await client.send('PUT', `${SERVICES}/s`, service({}, { clusterIP })))).toEqual([
      'metadata.resourceVersion',
      'metadata.resourceVersion',
    ]);
  });

  it.each([
    // What only makes sense together is looked at once all else is right.
    [{ externalTrafficPolicy: 'Local' }, ['spec.externalTrafficPolicy']],
    [{ externalTrafficPolicy: 'Local', sessionAffinity: 'x' }, ['spec.sessionAffinity']],
    [{ type: 'LoadBalancer', healthCheckNodePort: 30000 }, ['spec.healthCheckNodePort']],
  ])('with %j names %j', async (spec, fields) => {
    expect(causes(await client.send('POST', `${SERVICES}?dryRun=All`, service({ name: 't' }, spec)))).toEqual(fields);
  });

  it('gets made-up node ports in a dry run', async () => {
    const ports = [80, 81].map((port) => ({ name: `p${port}`, port }));
    const answer = await client.send(
      'POST',
      `${SERVICES}?dryRun=All`,
      service({ name: 't' }, { type: 'NodePort', ports }),
    );
    expect(answer.body['spec']?.['ports']).toMatchObject([{ nodePort: 32769 }, { nodePort: 32770 }]);
  });
});

describe('an integer that overflows its type', () => {
  const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
  const over = 2 ** 31;
  beforeAll(() => client.send('POST', LEASES, { metadata: { name: 'i' }, spec: {} }));

  it.each([
    // What is read is refused; what is converted loses its high bits, and is checked then.
    ['merge', ['patch']],
    ['strategic', ['spec.leaseTransitions']],
    ['apply', ['spec.leaseTransitions']],
  ] as const)('in a patch of the form "%s" is reported at %j', async (form, fields) => {
    const lease = { apiVersion: 'coordination.cluster.io/v1', kind: 'Lease', spec: { leaseTransitions: over } };
    const type = { 'content-type': PATCHES[form] };
    const answer = await client.send('PATCH', `${LEASES}/i?${form === 'apply' ? 'fieldManager=m' : ''}`, lease, type);
    expect([answer.code, causes(answer)]).toEqual([422, fields]);
  });
});

describe('missing objects', () => {
  it.each([
    ['/api/v1/namespaces/default/services/none/status', 'services'],
    ['/apis/apps/v1/namespaces/default/deployments/none/scale', 'deployments/scale'],
    ['/apis/apps/v1/namespaces/default/statefulsets/none/scale', 'statefulsets'],
  ])('%s is reported as %s', async (path, resource) => {
    expect((await client.send('GET', path)).body['details']?.['kind']).toBe(resource);
  });

  it('are reported before a configuration is validated, except where the status could create them', async () => {
    const apply = async (resource: string, kind: string, apiVersion: string, metadata: object): Promise<number> => {
      const path = `${apiVersion === 'v1' ? '/api' : '/apis'}/${apiVersion}/namespaces/default/${resource}/none/status`;
      const configured = { apiVersion, kind, metadata: { name: 'none', ...metadata } };
      return (await client.send('PATCH', `${path}?fieldManager=m`, configured, { 'content-type': PATCHES.apply })).code;
    };
    expect(await apply('services', 'Service', 'v1', { managedFields: [] })).toBe(400);
    expect(await apply('services', 'Service', 'v1', {})).toBe(422);
    expect(await apply('deployments', 'Deployment', 'apps/v1', { managedFields: [] })).toBe(404);
  });

  it.each([
    ['POST', '/api/v1/namespaces/default/pods/none/binding', { metadata: { name: 'none' }, target: { name: 'n' } }],
    ['PUT', '/apis/apps/v1/namespaces/default/deployments/none', { metadata: { name: 'none' } }],
  ])('%s %s is a 404', async (method, path, body) => {
    expect((await client.send(method, path, body)).code).toBe(404);
  });
});

it.each([
  ['application/json', true],
  // The router lets only known types and any type through to the handler that warns.
  ['application/xml', false],
  ['text/*', false],
])('a deprecated version accepted as %s: a warning is %s', async (accept, warns) => {
  const answer = await client.send('GET', '/apis/storage.cluster.io/v1beta1/csinodes', undefined, { accept });
  expect(answer.warning !== null).toBe(warns);
});

describe('a definition', () => {
  const DEFINITIONS = '/apis/apiextensions.cluster.io';
  const definition = (version: string, schema: object, versions = ['v1']): object => ({
    ...{ apiVersion: `apiextensions.cluster.io/${version}`, kind: 'CustomResourceDefinition' },
    metadata: { name: 'widgets.example.com' },
    spec: {
      ...{ group: 'example.com', scope: 'Namespaced', names: { plural: 'widgets', kind: 'Widget' } },
      ...(version === 'v1beta1' && { preserveUnknownFields: false }),
      versions: versions.map((name) => ({
        ...{ name, served: true, storage: true },
        schema: { openAPIV3Schema: { type: 'object', properties: { a: { type: 'string', ...schema } } } },
      })),
    },
  });
  const AT = 'spec.validation.openAPIV3Schema.properties[a]';
  const IN_FIRST = 'spec.versions[0].schema.openAPIV3Schema.properties[a]';

  it.each<[string, object, string[], string[]]>([
    ['v1', {}, ['v1', 'v1'], ['spec.versions', 'spec.versions', 'status.storedVersions']],
    // A scalar where a schema or a list belongs is read as an empty list.
    ['v1', { dependencies: { x: 'y' } }, ['v1'], [`${AT}.dependencies`]],
    ['v1', { items: 'x', id: 'y' }, ['v1'], [`${AT}.id`]],
    ['v1beta1', { dependencies: {} }, ['v1'], [`${IN_FIRST}.dependencies`, 'spec.versions']],
    ['v1', { enum: ['x', null], id: 'y' }, ['v1'], ['spec.versions']],
  ])('in %s with %j and versions %j names %j', async (version, schema, versions, fields) => {
    const path = `${DEFINITIONS}/${version}/customresourcedefinitions?dryRun=All`;
    expect(causes(await client.send('POST', path, definition(version, schema, versions)))).toEqual(fields);
  });
});

it('a user named twice in a binding is listed once', async () => {
  const RBAC = '/apis/rbac.authorization.cluster.io/v1/namespaces/default';
  const rules = [{ apiGroups: ['a.b'], resources: ['c'], verbs: ['get'] }];
  await client.send('POST', `${RBAC}/roles`, { metadata: { name: 'r' }, rules });
  const groups = ['dev', 'system:authenticated'];
  await client.send('POST', `${RBAC}/rolebindings`, {
    metadata: { name: 'b' },
    roleRef: { apiGroup: 'rbac.authorization.cluster.io', kind: 'Role', name: 'r' },
    subjects: groups.map((name) => ({ kind: 'Group', name, apiGroup: 'rbac.authorization.cluster.io' })),
  });
  const review = await client.send(
    'POST',
    '/apis/authorization.cluster.io/v1/selfsubjectrulesreviews',
    { spec: { namespace: 'default' } },
    { authorization: 'Bearer alicetoken' },
  );
  const listed = review.body['status']?.['resourceRules'] as unknown as readonly { apiGroups: readonly string[] }[];
  expect(listed.filter(({ apiGroups }) => apiGroups.includes('a.b'))).toHaveLength(1);
});

describe('a strategic patch of the wrong type', () => {
  const path = '/api/v1/namespaces/default/configmaps';
  beforeAll(() => client.send('POST', path, { metadata: { name: 'typed' } }));

  it.each([
    [{ metadata: { labels: 'x' } }, 'map[metadata:map[labels:x]]', 'cannot restore map from string'],
    [{ metadata: 1, data: null }, 'map[data:<nil> metadata:1]', 'cannot restore struct from: int64'],
    [{ metadata: { finalizers: { a: [1, true] } } }, 'map[metadata:map[finalizers:map[a:[1 true]]]]', 'slice from map'],
  ])('%j is reported as Go prints it', async (patch, value, why) => {
    const answer = await client.send('PATCH', `${path}/typed`, patch, { 'content-type': PATCHES.strategic });
    expect([answer.code, causes(answer)]).toEqual([422, ['patch']]);
    expect(answer.body['message']).toContain(`Invalid value: ${JSON.stringify(value)}`);
    expect(answer.body['message']).toContain(why);
  });
});

it.each([
  [{}, 200],
  [{ lastState: { terminated: { exitCode: 1 } } }, 200, 'previous'],
  [{}, 400, 'previous'],
])('the log of a container with the status %j is answered with %i %s', async (fields, code, option = 'follow') => {
  const path = '/api/v1/namespaces/default/pods';
  const name = `log-${code}-${option}`;
  await client.send('POST', path.replace('pods', 'serviceaccounts'), { metadata: { name: 'default' } });
  const containers = [{ name: 'c', image: 'i' }];
  const spec = { nodeName: 'none', automountServiceAccountToken: false, containers };
  expect((await client.send('POST', path, { metadata: { name }, spec })).code).toBe(201);
  const container = { name: 'c', image: 'i', imageID: '', ready: true, restartCount: 1, ...fields };
  const status = { containerStatuses: [container] };
  await client.send('PATCH', `${path}/${name}/status`, { status }, { 'content-type': PATCHES.merge });
  const query = option === 'previous' ? '?previous=true' : '';
  expect((await client.send('GET', `${path}/${name}/log${query}`)).code).toBe(code);
});

describe('a PUT in a missing namespace', () => {
  const nowhere = '/api/v1/namespaces/nowhere';
  it.each([
    ['configmaps/a', 'ConfigMap', 'configmaps'],
    ['services/a', 'Service', 'services'],
    // A PUT could create these, so it is about the namespace.
    ['endpoints/a', 'Endpoints', 'namespaces'],
  ])('of %s reports %s missing in %s', async (path, kind, missing) => {
    const answer = await client.send('PUT', `${nowhere}/${path}`, { apiVersion: 'v1', kind, metadata: { name: 'a' } });
    expect([answer.code, answer.body.details?.kind]).toEqual([404, missing]);
  });
});

it('makes a service without an address by a PUT of its status', async () => {
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'by-status' },
    spec: { ports: [{ port: 1 }] },
  };
  const path = '/api/v1/namespaces/default/services/by-status/status';
  const made = await client.send('PUT', path, service);
  expect([made.code, made.body.spec?.clusterIP]).toEqual([201, undefined]);
  expect((await client.send('PUT', path, service)).code).toBe(200);
});

it('validates log options before it looks for the pod', async () => {
  const logs = (query: string) => client.send('GET', `/api/v1/namespaces/default/pods/none/log?${query}`);
  expect(causes(await logs('limitBytes=0'))).toEqual(['limitBytes']);
  expect((await logs('limitBytes=1')).code).toBe(404);
});

describe('in a missing namespace', () => {
  it.each([
    ['configmaps', 'ConfigMap', { name: 'a', namespace: 'other' }],
    ['pods/a/binding', 'Binding', { name: 'another' }],
    ['pods/a/binding', 'Binding', {}],
    ['pods/a/eviction', 'Eviction', { name: 'another' }],
  ])('a POST to %s is refused before the %s is validated', async (path, kind, metadata) => {
    const sent = { apiVersion: kind === 'Eviction' ? 'policy/v1beta1' : 'v1', kind, metadata };
    const answer = await client.send('POST', `/api/v1/namespaces/nowhere/${path}`, sent);
    expect([answer.code, answer.body.details?.kind]).toEqual([404, 'namespaces']);
    expect((await client.send('POST', `/api/v1/namespaces/default/${path}`, sent)).code).toBe(400);
  });
});

it('treats null for kind and version as missing', async () => {
  const sent = { apiVersion: null, kind: null, metadata: { name: 'nulls' } };
  expect((await client.send('POST', '/api/v1/namespaces/default/configmaps', sent)).code).toBe(201);
  const options = { apiVersion: 'nope/v1', kind: '' };
  expect((await client.send('DELETE', '/api/v1/namespaces/default/configmaps/none', options)).code).toBe(404);
});

describe('a DELETE without a body', () => {
  it.each([
    ['resourceVersion=1', 409],
    ['uid=another', 409],
    ['resourceVersion=&uid=', 200],
  ])('reads preconditions from the query: %s is answered with %i', async (query, code) => {
    const path = '/api/v1/namespaces/default/configmaps';
    await client.send('POST', path, { metadata: { name: 'held' } });
    expect((await client.send('DELETE', `${path}/held?${query}`)).code).toBe(code);
  });
});

describe('objects without a Table', () => {
  const table = 'application/json;as=Table;v=v1;g=meta.cluster.io';
  it.each([
    ['GET', '/apis/apps/v1/namespaces/default/deployments/none/scale'],
    ['GET', '/api/v1/namespaces/default/status'],
    ['POST', '/api/v1/namespaces/default/serviceaccounts/none/token'],
    ['POST', '/api/v1/namespaces/default/pods/none/eviction'],
  ])('are refused before they are looked up: %s %s', async (method, path) => {
    expect((await client.send(method, path, undefined, { accept: table })).code).toBe(406);
  });

  it('are shown in the next encoding that the client accepts', async () => {
    const answer = await client.send('GET', '/api/v1/namespaces/default/status', undefined, {
      accept: `${table},application/json`,
    });
    expect([answer.code, answer.body.kind]).toEqual([200, 'Namespace']);
  });
});

it('refuses Gt in a label selector: only node affinity has it', async () => {
  const selector = { matchExpressions: [{ key: 'a', operator: 'Gt', values: ['1'] }] };
  const template = { metadata: { labels: { x: 'y' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const sent = { metadata: { name: 'x' }, spec: { selector, template } };
  const answer = await client.send('POST', '/apis/apps/v1/namespaces/default/deployments', sent);
  expect(causes(answer)).toEqual(['spec.selector.matchExpressions[0].operator', 'spec.selector']);
});

it('sorts structural schema errors by text', async () => {
  const a = { 'x-cluster-embedded-resource': true };
  const openAPIV3Schema = { properties: { spec: { properties: { a } } } };
  const spec = { versions: [{ schema: { openAPIV3Schema } }] };
  const answer = await client.send('POST', '/apis/apiextensions.cluster.io/v1/customresourcedefinitions', { spec });
  const schema = 'spec.validation.openAPIV3Schema';
  expect(causes(answer).filter((field) => String(field).startsWith(schema))).toEqual([
    `${schema}.properties[spec].properties[a].properties`,
    `${schema}.properties[spec].properties[a].type`,
    `${schema}.properties[spec].type`,
    `${schema}.type`,
  ]);
});

it('writes a volume claim with the first update although nothing changes, and not with the second', async () => {
  const path = '/api/v1/namespaces/default/persistentvolumeclaims';
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  const made = await client.send('POST', path, { metadata: { name: 'c' }, spec });
  expect(made.body['status']).toMatchObject({ phase: 'Pending' });
  const touch = async (): Promise<unknown> =>
    (await client.send('PATCH', `${path}/c`, {}, { 'content-type': PATCHES.merge })).body.metadata?.resourceVersion;
  const first = await touch();
  expect(first).not.toBe(made.body.metadata?.resourceVersion);
  expect(await touch()).toBe(first);
});

it('exports no scale, whether or not it exists', async () => {
  expect((await client.send('GET', '/apis/apps/v1/namespaces/default/deployments/none/scale?export=true')).code).toBe(
    400,
  );
});

it('lists every error of resourceVersionMatch', async () => {
  const query = 'watch=x&resourceVersion=0&resourceVersionMatch=Exact';
  const answer = await client.send('GET', `/api/v1/namespaces/default/configmaps?${query}`);
  expect(causes(answer)).toEqual(['resourceVersionMatch', 'resourceVersionMatch']);
});
