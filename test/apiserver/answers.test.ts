/** How answers are written: the order of keys, the layout of failures, and what is said where no form is accepted. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCluster, type TestClient } from './client.ts';

let client: TestClient;
beforeAll(async () => (client = await openCluster()));
afterAll(() => client.cluster.stop());

const TABLE = 'application/json;as=Table;g=meta.cluster.io;v=v1';
const get = (path: string, accept: string) => client.send('GET', path, undefined, { accept });

describe('an error', () => {
  const PODS = '/api/v1/namespaces/default/pods';
  it.each([
    ['application/json', `${PODS}/none`, 404, false],
    ['application/*', `${PODS}/none`, 406, false],
    ['text/html,application/*', `${PODS}/none`, 406, false],
    [TABLE, `${PODS}/none`, 404, true],
    [TABLE, `${PODS}?fieldSelector=x=1&pretty=false`, 400, true],
    ['text/html', PODS, 406, true],
    ['application/json;as=PartialObjectMetadata;g=meta.cluster.io;v=v1', PODS, 406, true],
  ])('for a client that accepts %s: %s is %i, indented: %s', async (accept, path, code, isLaidOut) => {
    const { text, ...answer } = await get(path, accept);
    expect([answer.code, answer.type]).toEqual([code, 'application/json']);
    const plain: unknown = JSON.parse(text);
    expect(text).toBe(isLaidOut ? JSON.stringify(plain, undefined, 2) : `${JSON.stringify(plain)}\n`);
  });

  it.each([
    ['/api/v1/namespaces', 'text/html', { message: '406: Not Acceptable', details: {} }],
    ['/version', 'text/html', { message: '406: Not Acceptable', details: {} }],
    [
      '/apis',
      'text/html',
      {
        message:
          'only the following media types are accepted: application/json, application/yaml, application/vnd.cluster.protobuf',
      },
    ],
    [
      '/api/v1/namespaces?watch=1',
      'application/yaml',
      {
        message:
          'only the following media types are accepted: application/json;stream=watch, application/vnd.cluster.protobuf;stream=watch',
      },
    ],
  ])('%s as %s: %o', async (path, accept, expected) => {
    const { code, text, type } = await get(path, accept);
    expect(code).toBe(406);
    const flat = text.replace(/\n +/g, ' ');
    expect(flat).toContain(expected.message);
    if (type === 'application/json') expect('details' in (JSON.parse(text) as object)).toBe('details' in expected);
  });
});

describe('a custom object', () => {
  const THINGS = '/apis/x.io/v1/namespaces/default/things';
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const definition = {
    metadata: { name: 'things.x.io' },
    spec: {
      ...{ group: 'x.io', scope: 'Namespaced', names: { plural: 'things', kind: 'Thing' } },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
  const thing = {
    kind: 'Thing',
    apiVersion: 'x.io/v1',
    spec: { b: [{ z: 1, a: 2 }], a: { y: 1, x: { d: 1, c: 2 } } },
    metadata: { name: 't', labels: { b: '1', a: '2' } },
  };

  /** The text with all keys in alphabetical order. */
  function sorted(text: string): string {
    const inOrder = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(inOrder);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, each]) => [key, inOrder(each)]),
      );
    };
    return JSON.stringify(inOrder(JSON.parse(text)));
  }

  it('has sorted keys at every level, also in lists', async () => {
    await client.send('POST', '/apis/apiextensions.cluster.io/v1/customresourcedefinitions', definition);
    await expect.poll(async () => (await client.send('GET', THINGS)).code).toBe(200);
    const made = await client.send('POST', THINGS, thing);
    const changed = await client.send(
      'PATCH',
      `${THINGS}/t`,
      { spec: { aa: { b: 1, a: 1 } } },
      {
        'content-type': 'application/merge-patch+json',
      },
    );
    const answers = [made, changed, await client.send('GET', `${THINGS}/t`), await client.send('GET', THINGS)];
    for (const { text, code } of answers) {
      expect(code).toBeLessThan(202);
      expect(text).toBe(`${sorted(text)}\n`);
    }
    expect(answers[3]?.text).toMatch(
      /^\{"apiVersion":"x.io\/v1","items":\[\{"apiVersion":.*\}\],"kind":"ThingList","metadata":\{"continue":"",/,
    );
  });

  it('has sorted keys in indented lists too', async () => {
    const { text } = await client.send('GET', `${THINGS}?pretty=1`);
    expect(text).toMatch(/^\{\n *"apiVersion"/);
    expect(JSON.stringify(JSON.parse(text))).toBe(sorted(text));
  });

  it('has sorted keys when nothing is stored: in dry runs, and in an update that completes its deletion', async () => {
    const path = `${THINGS}/ending`;
    const merge = { 'content-type': 'application/merge-patch+json' };
    const ending = { ...thing, metadata: { name: 'ending', finalizers: ['x.io/wait'] } };
    const answers = [await client.send('POST', `${THINGS}?dryRun=All`, ending)];
    await client.send('POST', THINGS, ending);
    answers.push(await client.send('PATCH', `${path}?dryRun=All`, { spec: { aa: { b: 1, a: 1 } } }, merge));
    answers.push(await client.send('DELETE', `${path}?dryRun=All`));
    await client.send('DELETE', path);
    answers.push(
      await client.send('PATCH', path, { spec: { aa: { b: 1, a: 1 } }, metadata: { finalizers: null } }, merge),
    );
    for (const { text, code } of answers) {
      expect(code).toBeLessThan(202);
      expect(text).toBe(`${sorted(text)}\n`);
    }
  });

  it.each(['as=Table', 'as=PartialObjectMetadata'])('has partial metadata in the declared order: %s', async (as) => {
    const { text } = await get(`${THINGS}/t`, `application/json;${as};g=meta.cluster.io;v=v1`);
    const order = [
      '"name":"t"',
      '"namespace"',
      '"uid"',
      '"generation"',
      '"labels"',
      '"managedFields"',
      '"operation"',
      '"fieldsV1"',
    ];
    const metadata = text.slice(text.indexOf('"metadata":{"name":"t"'));
    const places = order.map((field) => metadata.indexOf(field));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(Math.min(...places)).toBeGreaterThan(-1);
  });

  it('has sorted keys in DELETED events too', async () => {
    const { body } = await client.send('GET', THINGS);
    const revision = String(body['metadata']?.['resourceVersion']);
    await client.send('DELETE', `${THINGS}/t`);
    const { text } = await client.send('GET', `${THINGS}?watch=1&timeoutSeconds=1&resourceVersion=${revision}`);
    const object = /"object":(.*)\}\n/.exec(text)?.[1] ?? '';
    expect(text).toContain('{"type":"DELETED"');
    expect(object).toBe(sorted(object));
  });

  it('is an empty list if there are no objects', async () => {
    const { text } = await client.send('GET', THINGS);
    expect(text).toMatch(/^\{"apiVersion":"x.io\/v1","items":\[\],"kind":"ThingList","metadata":\{.*\}\}\n$/);
  });
});
