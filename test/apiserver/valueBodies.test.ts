/** Components hand the API server values, everybody else texts: both mean the same. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { JsonBody, type JsonRequestInit } from '../../src/std/index.ts';
import { openCluster, PATCHES, type TestClient } from './client.ts';

let api: TestClient;
beforeAll(async () => {
  api = await openCluster({ clock: 'manual', controllerManager: ['--controllers=-*'] });
  await api.send('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  await api.send('POST', '/apis/apiextensions.cluster.io/v1/customresourcedefinitions', definition);
});
afterAll(() => api.cluster.stop());

const schema = { openAPIV3Schema: { type: 'object', 'x-preserve-unknown-fields': true } };
const definition = {
  metadata: { name: 'notes.test.io' },
  spec: {
    ...{ group: 'test.io', scope: 'Namespaced', names: { kind: 'Note', plural: 'notes' } },
    versions: [{ name: 'v1', served: true, storage: true, schema }],
  },
};

const word = fc.constantFrom('a', 'b', 'c', 'é', '__proto__', '');
const value = fc.oneof(word, fc.integer({ min: -3, max: 70_000 }), fc.double({ noNaN: true }), fc.constant(null));
const texts = fc.dictionary(word, fc.oneof({ weight: 5, arbitrary: word }, value));
const container = fc.record(
  {
    name: word,
    image: word,
    command: fc.array(word),
    ports: fc.array(fc.record({ containerPort: value })),
    env: texts,
  },
  { requiredKeys: ['name'] },
);
const metadata = fc.record({ labels: texts, annotations: texts, finalizers: fc.array(word) }, { requiredKeys: [] });
const spec = fc.record(
  { containers: fc.array(container), nodeSelector: texts, restartPolicy: word },
  { requiredKeys: [] },
);

const configMap = fc.record({ metadata, data: texts, immutable: fc.boolean() }, { requiredKeys: [] });
const pod = fc.record({ metadata, spec }, { requiredKeys: [] });
const note = fc.record({ metadata, spec: fc.dictionary(word, fc.oneof(value, texts, fc.array(texts))) });

const kinds = [
  { path: '/api/v1/namespaces/default/configmaps', object: { data: { a: 'b' } }, change: configMap },
  {
    path: '/api/v1/namespaces/default/pods',
    object: { spec: { containers: [{ name: 'a', image: 'i', ports: [{ containerPort: 80 }] }] } },
    change: pod,
  },
  {
    path: '/apis/test.io/v1/namespaces/default/notes',
    object: { apiVersion: 'test.io/v1', kind: 'Note', spec: { a: { b: ['c'] } } },
    change: note,
  },
];

type Way = (body: object) => JsonRequestInit;
const asText: Way = (body) => ({ body: JSON.stringify(body) });
const asValue: Way = (body) => {
  const json = JsonBody.of(body);
  return json ? { json } : asText(body);
};

async function send(way: Way, method: string, path: string, body: object, type: string): Promise<unknown> {
  const headers = { accept: 'application/json', 'content-type': type };
  const init: RequestInit = { method, headers, ...way(body) };
  const answer = await api.cluster.transportAs('admin')(path, init);
  return withoutIdentity(await answer.json());
}

/** What differs between two objects that were made in the same way. */
function withoutIdentity(answer: unknown): unknown {
  return JSON.parse(
    JSON.stringify(answer, (key, item: unknown) =>
      key === 'uid' || key === 'resourceVersion' ? undefined : typeof item === 'string' ? nameless(item) : item,
    ),
  );
}
const nameless = (text: string): string => text.replace(/(text|value)-\d+/g, 'NAME');

let count = 0;

test.each(kinds)('objects at $path are created, replaced and patched alike', async ({ path, object, change }) => {
  const patch = fc.record({ form: fc.constantFrom('strategic', 'merge', 'json', 'apply' as const), change });
  const run = async (
    way: Way,
    name: string,
    created: object,
    patches: readonly { form: keyof typeof PATCHES; change: object }[],
  ) => {
    const named = (body: object): object => ({
      ...body,
      metadata: { ...('metadata' in body ? (body.metadata as object) : {}), name },
    });
    const answers = [await send(way, 'POST', path, named(created), 'application/json')];
    answers.push(await send(way, 'POST', path, named(object), 'application/json'));
    for (const { form, change: body } of patches) {
      const sent =
        form === 'json' ? [{ op: 'add', path: '/metadata/annotations', value: body }] : named({ ...object, ...body });
      answers.push(await send(way, 'PATCH', `${path}/${name}`, sent, PATCHES[form]));
    }
    answers.push(await send(way, 'PUT', `${path}/${name}`, named({ ...object, ...created }), 'application/json'));
    return answers;
  };
  await fc.assert(
    fc.asyncProperty(change, fc.array(patch, { maxLength: 3 }), async (created, patches) => {
      const id = ++count;
      const values = await run(asValue, `value-${id}`, created, patches);
      expect(values).toEqual(await run(asText, `text-${id}`, created, patches));
    }),
    { numRuns: 60 },
  );
});
