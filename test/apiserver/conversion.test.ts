/** Custom resources whose versions a webhook converts. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { must } from '../../src/std/index.ts';
import { bench, service, type Answer, type Bench, type Handler, type Loose, type Review } from '../webhooks/support.ts';

let b: Bench;
beforeAll(async () => {
  b = await bench();
});
afterAll(() => b.cluster.stop());
beforeEach(() => {
  b.handlers.asked.length = 0;
});

interface Tool {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Record<string, string> };
  readonly spec: { readonly host?: string; readonly port?: string; readonly hostPort?: string };
}

/** v1 has host and port apart, v2 has them in one. */
function converted(object: Tool, desiredAPIVersion: unknown): Tool {
  const { host = '', port = '', hostPort = '', ...rest } = object.spec;
  const [head = '', tail = ''] = hostPort.split(':');
  const spec = String(desiredAPIVersion).endsWith('/v1')
    ? { ...rest, host: head, port: tail }
    : { ...rest, hostPort: `${host}:${port}` };
  return { ...object, apiVersion: String(desiredAPIVersion), spec };
}

const convert: Handler = ({ request }) =>
  (request['objects'] as Tool[]).map((object) => converted(object, request['desiredAPIVersion']));

const text = { type: 'string' };
const schemaOf = (properties: object): object => ({
  openAPIV3Schema: {
    type: 'object',
    properties: {
      spec: { type: 'object', properties: { ...properties, replicas: { type: 'integer' } } },
      status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    },
  },
});
const SUBRESOURCES = {
  status: {},
  scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
};

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
let count = 0;

interface Tools {
  readonly definition: string;
  path(version: string): string;
  tool(version: string, name: string, spec: object): object;
}

/** A definition of tools, stored as v2, whose webhook is this handler. */
async function define(handler: Handler, webhook: object = {}): Promise<Tools> {
  const name = `tools${++count}`;
  const group = 'example.com';
  const address = `convert-${name}`;
  await b.write(address, handler);
  const answer = await b.send('POST', DEFINITIONS, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${name}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: name, kind: `Tool${count}` },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: false,
          subresources: SUBRESOURCES,
          schema: schemaOf({ host: text, port: text }),
        },
        { name: 'v2', served: true, storage: true, subresources: SUBRESOURCES, schema: schemaOf({ hostPort: text }) },
      ],
      conversion: {
        strategy: 'Webhook',
        webhook: {
          conversionReviewVersions: ['v1', 'v1beta1'],
          clientConfig: { service: { namespace: 'default', name: address }, caBundle: b.caBundle },
          ...webhook,
        },
      },
    },
  });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  const path = (version: string): string => `/apis/${group}/${version}/namespaces/default/${name}`;
  await expect.poll(async () => (await b.send('GET', path('v1'))).status, { interval: 5 }).toBe(200);
  const kind = `Tool${count}`;
  return {
    definition: `${DEFINITIONS}/${name}.${group}`,
    path,
    tool: (version, name, spec) => ({ apiVersion: `${group}/${version}`, kind, metadata: { name }, spec }),
  };
}

const reviews = (): readonly Review[] => b.handlers.asked.map(({ review }) => review);
const sent = (review: Review): readonly Tool[] => review.request['objects'] as Tool[];

describe('conversion by a webhook', () => {
  test('a review lists the objects and the desired version', async () => {
    const { path, tool } = await define(convert);
    const created = await b.send('POST', path('v1'), tool('v1', 'a', { host: 'h', port: '1' }));
    expect(created).toMatchObject({
      status: 201,
      body: { apiVersion: 'example.com/v1', spec: { host: 'h', port: '1' } },
    });
    const [write, read] = reviews();
    expect(write).toMatchObject({
      kind: 'ConversionReview',
      apiVersion: 'apiextensions.k8s.io/v1',
      request: {
        desiredAPIVersion: 'example.com/v2',
        objects: [{ apiVersion: 'example.com/v1', spec: { host: 'h' } }],
      },
    });
    expect(write?.request.uid).toMatch(/^[0-9a-f-]{36}$/);
    expect(sent(write as Review)[0]?.metadata).not.toHaveProperty('resourceVersion');
    expect(read?.request).toMatchObject({
      desiredAPIVersion: 'example.com/v1',
      objects: [{ spec: { hostPort: 'h:1' } }],
    });
    expect(reviews()).toHaveLength(2);
    expect((await b.send('GET', `${path('v2')}/a`)).body.spec).toEqual({ hostPort: 'h:1' });
    await b.send('GET', `${path('v1')}/a`);
    expect(reviews()).toHaveLength(2);
  });

  test('a list converts all its objects with one call', async () => {
    const { path, tool } = await define(convert);
    for (const name of ['a', 'b', 'c']) await b.send('POST', path('v2'), tool('v2', name, { hostPort: `${name}:1` }));
    expect(reviews()).toHaveLength(0);
    const lists = await Promise.all([b.send('GET', path('v1')), b.send('GET', path('v1'))]);
    expect(lists.map(({ body }) => (body.items as unknown as Tool[]).map(({ spec }) => spec.host))).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
    ]);
    expect(reviews().map((review) => sent(review).length)).toEqual([3]);
    await b.send('POST', path('v2'), tool('v2', 'd', { hostPort: 'd:1' }));
    const page = await b.send('GET', `${path('v1')}?labelSelector=x!=y&limit=4`);
    expect(page.body.items).toHaveLength(4);
    expect(reviews().map((review) => sent(review).length)).toEqual([3, 1]);
  });

  test('selectors use the labels that the webhook returns', async () => {
    const { path, tool } = await define((review) =>
      (convert(review, { path: '', headers: {} }) as Tool[]).map((object) => ({
        ...object,
        metadata: { ...object.metadata, labels: { made: 'yes' }, resourceVersion: '7', finalizers: ['x/y'] },
      })),
    );
    await b.send('POST', path('v2'), tool('v2', 'a', { hostPort: 'h:1' }));
    const selected = await b.send('GET', `${path('v1')}?labelSelector=made=yes`);
    expect(selected.body.items).toHaveLength(1);
    expect(selected.body.items?.[0]?.metadata).not.toHaveProperty('finalizers');
    expect((await b.send('GET', `${path('v2')}?labelSelector=made=yes`)).body.items).toHaveLength(0);
  });

  test('updates, patches and subresources work in either version', async () => {
    const { path, tool } = await define(convert);
    await b.send('POST', path('v2'), tool('v2', 'a', { hostPort: 'h:1', replicas: 1 }));
    const type = 'application/merge-patch+json';
    const patched = await b.send('PATCH', `${path('v1')}/a`, { spec: { port: '2' } }, type);
    expect(patched.body.spec).toEqual({ host: 'h', port: '2', replicas: 1 });
    expect((await b.send('GET', `${path('v2')}/a`)).body.spec).toEqual({ hostPort: 'h:2', replicas: 1 });
    const status = await b.send('PATCH', `${path('v1')}/a/status`, { status: { replicas: 1 } }, type);
    expect(status.body).toMatchObject({ spec: { host: 'h', port: '2' }, status: { replicas: 1 } });
    const scaled = await b.send('PATCH', `${path('v1')}/a/scale`, { spec: { replicas: 5 } }, type);
    expect(scaled.body).toMatchObject({ kind: 'Scale', spec: { replicas: 5 }, status: { replicas: 1 } });
    const { body } = await b.send('GET', `${path('v2')}/a`);
    expect(body).toMatchObject({ spec: { hostPort: 'h:2', replicas: 5 }, metadata: { generation: 3 } });
    const same = await b.send('PUT', `${path('v1')}/a`, tool('v1', 'a', { host: 'h', port: '2', replicas: 5 }));
    expect(same.status).toBe(422);
    const gone = await b.send('DELETE', `${path('v1')}/a`);
    expect(gone.body.status).toBe('Success');
  });

  test('a dry run is converted like a stored object', async () => {
    const { path, tool } = await define(convert);
    const dry = await b.send('POST', `${path('v1')}?dryRun=All`, tool('v1', 'a', { host: 'h', port: '1' }));
    expect(dry).toMatchObject({ status: 201, body: { spec: { host: 'h', port: '1' } } });
    expect(reviews()).not.toHaveLength(0);
  });

  test('apply knows fields in the versions of their owners', async () => {
    const { path, tool } = await define(convert);
    const apply = (version: string, spec: object, manager: string): Promise<Answer> =>
      b.send(
        'PATCH',
        `${path(version)}/a?fieldManager=${manager}`,
        tool(version, 'a', spec),
        'application/apply-patch+yaml',
      );
    expect((await apply('v1', { host: 'h', port: '1' }, 'one')).status).toBe(201);
    const conflict = await apply('v2', { hostPort: 'other:1' }, 'two');
    expect(conflict).toMatchObject({ status: 409, body: { details: { causes: [{ field: '.spec.host' }] } } });
    const { body } = await apply('v2', { hostPort: 'h:1' }, 'two');
    const owners = body.metadata?.managedFields as unknown as { manager: string; fieldsV1: unknown }[];
    expect(owners.map(({ manager, fieldsV1 }) => [manager, fieldsV1])).toEqual([
      ['one', { 'f:spec': { 'f:host': {}, 'f:port': {} } }],
      ['two', { 'f:spec': { 'f:hostPort': {} } }],
    ]);
  });

  test('watchers get events in their own version, in order, converted once', async () => {
    const { path, tool } = await define(convert);
    await b.send('POST', path('v2'), tool('v2', 'a', { hostPort: 'a:1' }));
    const watches = await Promise.all([1, 2].map(() => b.as(`${path('v1')}?watch=1`)));
    b.handlers.asked.length = 0;
    for (const port of [2, 3, 4])
      await b.send('PUT', `${path('v2')}/a`, {
        ...tool('v2', 'a', { hostPort: `a:${port}` }),
        metadata: {
          name: 'a',
          resourceVersion: (await b.send('GET', `${path('v2')}/a`)).body.metadata?.resourceVersion,
        },
      });
    await b.send('DELETE', `${path('v2')}/a`);
    for (const response of watches)
      expect(await lines(response, 5)).toEqual(['ADDED 1', 'MODIFIED 2', 'MODIFIED 3', 'MODIFIED 4', 'DELETED 4']);
    expect(reviews().flatMap(sent)).toHaveLength(3);
  });

  test('a watch whose conversion fails reports the error and ends', async () => {
    let works = true;
    const { path, tool } = await define((review, about) => {
      if (works) return convert(review, about);
      return { result: { status: 'Failure', message: 'out of order' } };
    });
    const response = await b.as(`${path('v1')}?watch=1`);
    works = false;
    await b.send('POST', path('v2'), tool('v2', 'a', { hostPort: 'a:1' }));
    const [event] = (await response.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Loose);
    expect(event).toMatchObject({ type: 'ERROR', object: { code: 500, status: 'Failure' } });
    const refused = await b.send('GET', `${path('v1')}?watch=1`);
    expect(refused.status).toBe(500);
  });

  test('objects are stored again in the new storage version', async () => {
    const { definition, path, tool } = await define(convert);
    await b.send('POST', path('v2'), tool('v2', 'a', { hostPort: 'h:1' }));
    const versions = (await b.send('GET', definition)).body.spec?.versions as unknown as { storage: boolean }[];
    const moved = versions.map((version) => ({ ...version, storage: !version.storage }));
    await b.send('PATCH', definition, { spec: { versions: moved } }, 'application/merge-patch+json');
    expect((await b.send('GET', definition)).body.status?.storedVersions).toEqual(['v2', 'v1']);
    const before = (await b.send('GET', `${path('v2')}/a`)).body;
    await expect.poll(() => stored('a'), { interval: 5 }).toBe('example.com/v2');
    // A write that changes nothing but the version in which the object lies is a write.
    await expect
      .poll(async () => (await b.send('PUT', `${path('v2')}/a`, before)).body.metadata?.resourceVersion, {
        interval: 5,
      })
      .not.toBe(before.metadata?.resourceVersion);
    expect(stored('a')).toBe('example.com/v1');
    expect((await b.send('GET', `${path('v2')}/a`)).body.spec).toEqual({ hostPort: 'h:1' });
  });

  test('deleting a definition deletes its objects, even if the webhook is broken', async () => {
    const { definition, path, tool } = await define(() => ({ result: { status: 'Failure', message: 'no' } }));
    await b.send('POST', path('v2'), tool('v2', 'a', { hostPort: 'h:1' }));
    await b.send('DELETE', definition);
    await expect.poll(async () => (await b.send('GET', definition)).status, { interval: 5 }).toBe(404);
  });

  test('a definition whose objects a webhook protects retries with a delay', async () => {
    let works = true;
    const { definition, path, tool } = await define((review, about) =>
      works ? convert(review, about) : { result: { status: 'Failure', message: 'out of order' } },
    );
    await b.send('POST', path('v2'), tool('v2', 'a', { hostPort: 'h:1' }));
    const versions = (await b.send('GET', definition)).body.spec?.versions as unknown as { storage: boolean }[];
    const moved = versions.map((version) => ({ ...version, storage: !version.storage }));
    await b.send('PATCH', definition, { spec: { versions: moved } }, 'application/merge-patch+json');
    works = false;
    b.handlers.asked.length = 0;
    await b.send('DELETE', definition);
    const why = async (): Promise<unknown> =>
      ((await b.send('GET', definition)).body.status?.conditions as unknown as { type: string; reason: string }[]).find(
        ({ type }) => type === 'Terminating',
      )?.reason;
    await expect.poll(why, { interval: 5 }).toBe('InstanceDeletionFailed');
    for (let turn = 0; turn < 500; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(reviews().length).toBeLessThanOrEqual(2);
    expect(await why()).toBe('InstanceDeletionFailed');
    works = true;
    await b.cluster.clock.step(5_000);
    await expect.poll(async () => (await b.send('GET', definition)).status, { interval: 5 }).toBe(404);
  });

  test('admission webhooks get the version that they request', async () => {
    const { path, tool } = await define(convert);
    await b.write(`look-${count}`, () => true);
    await b.send('POST', '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: `look-${count}` },
      webhooks: [
        {
          name: 'look.example.com',
          clientConfig: { service: { namespace: 'default', name: `look-${count}` }, caBundle: b.caBundle },
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          rules: [{ operations: ['*'], apiGroups: ['example.com'], apiVersions: ['v1'], resources: [`tools${count}`] }],
        },
      ],
    });
    const { status } = await b.send('POST', path('v2'), tool('v2', 'a', { hostPort: 'h:1' }));
    expect(status).toBe(201);
    const asked = reviews().find(({ kind }) => kind === 'AdmissionReview');
    expect(asked?.request).toMatchObject({
      kind: { version: 'v1' },
      requestKind: { version: 'v2' },
      object: { apiVersion: 'example.com/v1', spec: { host: 'h', port: '1' } },
    });
  });

  test('conversion metrics', async () => {
    const { path, tool } = await define(convert);
    await b.send('POST', path('v1'), tool('v1', 'a', { host: 'h', port: '1' }));
    const metrics = await (await b.as('/metrics')).text();
    expect(metrics).toContain(
      `apiserver_crd_webhook_conversion_duration_seconds_count{crd_name="tools${count}.example.com",from_version="example.com/v1",to_version="example.com/v2",succeeded="true"} 1`,
    );
  });
});

const stored = (name: string): unknown => {
  const prefix = `/registry/example.com/tools${count}/default/${name}`;
  return (JSON.parse(b.cluster.storage.get(prefix)?.value ?? '{}') as Tool).apiVersion;
};

/** The first so many events: their types, and the port of the object. */
async function lines(response: Response, wanted: number): Promise<readonly string[]> {
  const reader = must(response.body, 'a watch streams').pipeThrough(new TextDecoderStream()).getReader();
  let content = '';
  while (content.split('\n').length <= wanted) content += (await reader.read()).value ?? '';
  await reader.cancel();
  return content
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; object: Tool })
    .map(({ type, object }) => `${type} ${object.spec.port}`);
}

describe('invalid answers of a webhook', () => {
  const success = { status: 'Success' };
  const all = (review: Review): Tool[] => convert(review, { path: '', headers: {} }) as Tool[];
  const one = (review: Review, change: (tool: Tool) => unknown): unknown => all(review).map(change);
  const cases: readonly [string, Handler, string][] = [
    ['a failure', () => ({ result: { status: 'Failure', message: 'why not' } }), 'failed: why not'],
    ['a failure without a word', () => ({ result: {} }), "failed: response.result.status was '', not 'Success'"],
    [
      'another uid',
      (r) => ({ response: { uid: 'x', result: success, convertedObjects: all(r) } }),
      'failed: expected response.uid="',
    ],
    [
      'no response',
      (r) => ({ apiVersion: r.apiVersion, kind: r.kind, response: null }),
      'failed: no response provided',
    ],
    [
      'another kind',
      (r) => ({ apiVersion: 'v1', kind: 'Pod', response: { uid: r.request.uid } }),
      'failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got v1, Kind=Pod',
    ],
    ['too few', () => [], 'returned 0 objects, expected 1'],
    ['too many', (r) => [...all(r), ...all(r)], 'returned 2 objects, expected 1'],
    [
      'another version',
      (r) => one(r, (o) => ({ ...o, apiVersion: 'example.com/v3' })),
      'returned invalid object: invalid groupVersion (expected example.com/v1, received example.com/v3)',
    ],
    ['another kind of object', (r) => one(r, (o) => ({ ...o, kind: 'Pot' })), 'returned invalid object: invalid kind'],
    [
      'another name',
      (r) => one(r, (o) => ({ ...o, metadata: { ...o.metadata, name: 'x' } })),
      'returned invalid object: must have the same name: a != x',
    ],
    [
      'another uid of the object',
      (r) => one(r, (o) => ({ ...o, metadata: { ...o.metadata, uid: 'x' } })),
      'returned invalid object: must have the same UID',
    ],
    [
      'no metadata',
      (r) => one(r, ({ metadata: _, ...o }) => o),
      'returned invalid object: must have the same name: a != ',
    ],
    [
      'labels that are none',
      (r) => one(r, (o) => ({ ...o, metadata: { ...o.metadata, labels: { 'a b': 'c' } } })),
      'returned invalid metadata: metadata.labels: ',
    ],
    [
      'labels that are no texts',
      (r) => one(r, (o) => ({ ...o, metadata: { ...o.metadata, labels: { a: 1 } } })),
      'returned invalid metadata: metadata.labels[a] must be a string',
    ],
  ];

  test.each(cases)('%s', async (_name, handler, message) => {
    const { path, tool } = await define(handler);
    await b.send('POST', path('v2'), tool('v2', 'a', { hostPort: 'h:1' }));
    const { status, body } = await b.send('GET', `${path('v1')}/a`);
    expect(status).toBe(500);
    expect(body).not.toHaveProperty('reason');
    expect(String(body.message)).toContain(`conversion webhook for example.com/v2, Kind=Tool${count} ${message}`);
    expect((await b.send('GET', path('v1'))).status).toBe(500);
    expect((await b.send('PATCH', `${path('v1')}/a`, {}, 'application/merge-patch+json')).status).toBe(500);
    expect((await b.send('DELETE', `${path('v1')}/a`)).status).toBe(500);
  });

  test('the older review is validated less strictly', async () => {
    const { path, tool } = await define(
      (r) => ({
        apiVersion: r.apiVersion,
        kind: r.kind,
        response: { result: success, uid: 'x', convertedObjects: all(r) },
      }),
      { conversionReviewVersions: ['v7', 'v1beta1', 'v1'] },
    );
    await b.send('POST', path('v2'), tool('v2', 'a', { hostPort: 'h:1' }));
    expect((await b.send('GET', `${path('v1')}/a`)).body.spec).toEqual({ host: 'h', port: '1' });
    expect(reviews().map(({ apiVersion }) => apiVersion)).toEqual(['apiextensions.k8s.io/v1beta1']);
  });

  test('no answer, or one after the timeout', async () => {
    await b.send('POST', '/api/v1/namespaces/default/services', service('nobody'));
    const clientConfig = { service: { namespace: 'default', name: 'nobody', path: '/c' }, caBundle: b.caBundle };
    const { path, tool } = await define(convert, { clientConfig });
    const { body } = await b.send('POST', path('v1'), tool('v1', 'a', { host: 'h', port: '1' }));
    expect(body.message).toMatch(
      /^conversion webhook for example.com\/v1, Kind=Tool\d+ failed: Post "https:\/\/nobody.default.svc:443\/c\?timeout=30s": dial tcp .*: connect: connection refused$/,
    );
  });
});
