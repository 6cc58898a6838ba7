/** Numbers as the reference's decoder reads them: which texts an integer field takes, and what becomes of large ones. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openCluster, PATCHES, type TestClient } from './client.ts';

const TEMPLATES = '/api/v1/namespaces/default/podtemplates';
const GADGETS = '/apis/example.com/v1/namespaces/default/gadgets';

let client: TestClient;
beforeAll(async () => {
  client = await openCluster();
  const names = { plural: 'gadgets', singular: 'gadget', kind: 'Gadget', listKind: 'GadgetList' };
  const spec = {
    type: 'object',
    properties: { count: { type: 'integer' }, share: { type: 'number' }, port: { type: 'string' } },
  };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  await client.send('POST', '/apis/apiextensions.cluster.io/v1/customresourcedefinitions', {
    apiVersion: 'apiextensions.cluster.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'gadgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names,
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  });
  await client.cluster.clock.step(1000);
  await client.send('POST', TEMPLATES, pod('patched', '30'));
});
afterAll(() => client.cluster.stop());

const pod = (name: string, grace: string): string =>
  `{"apiVersion":"v1","kind":"PodTemplate","metadata":{"name":"${name}","annotations":{"a":"1.0 2e5 12345678901234567890"}},` +
  `"template":{"spec":{"terminationGracePeriodSeconds":${grace},"containers":[{"name":"c","image":"i"}]}}}`;

/** Which texts the field `terminationGracePeriodSeconds` takes, as what, and which of them come with a warning. */
const rows: readonly (readonly [text: string, code: number, kept: string | undefined, warned: boolean])[] = [
  ['30', 201, '30', false],
  ['30.0', 400, undefined, false],
  ['3e1', 400, undefined, false],
  ['30.5', 400, undefined, false],
  ['9007199254740992', 201, '9007199254740992', false],
  ['9007199254740993', 201, '9007199254740992', true],
  ['9223372036854775807', 201, '9223372036854775000', true],
  ['9223372036854775808', 400, undefined, false],
  ['-9223372036854775809', 400, undefined, false],
  ['1e400', 400, undefined, false],
];

describe('an integer field in JSON', () => {
  test.each(rows)('%s: %i, kept as %s', async (text, code, kept, warned) => {
    const name = `p${text.replaceAll(/[^0-9a-z]/g, '-')}x`;
    const answer = await client.send('POST', TEMPLATES, pod(name, text));
    expect(answer.code).toBe(code);
    if (kept !== undefined) expect(answer.text).toContain(`"terminationGracePeriodSeconds":${kept},`);
    expect(answer.warning !== null).toBe(warned);
  });

  test('the error names the field', async () => {
    const { text } = await client.send('POST', TEMPLATES, pod('named', '30.0'));
    expect(text).toContain('template.spec.terminationGracePeriodSeconds: 30.0 is not an integer');
  });

  test('an int-or-string field does not accept a fraction either', async () => {
    const ports = '[{"port":80,"targetPort":80.0}]';
    const body = `{"apiVersion":"v1","kind":"Service","metadata":{"name":"s"},"spec":{"ports":${ports}}}`;
    expect((await client.send('POST', '/api/v1/namespaces/default/services', body)).code).toBe(400);
  });

  test('numbers in YAML are parsed by value', async () => {
    const body = `{apiVersion: v1, kind: PodTemplate, metadata: {name: yaml}, template: {spec: {terminationGracePeriodSeconds: 30.0, containers: [{name: c, image: i}]}}}`;
    const answer = await client.send('POST', TEMPLATES, body, { 'content-type': 'application/yaml' });
    expect(answer.text).toContain('"terminationGracePeriodSeconds":30,');
  });
});

describe('an integer field in a patch', () => {
  const merge = (text: string): string => `{"template":{"spec":{"activeDeadlineSeconds":${text}}}}`;
  const json = (text: string): string => `[{"op":"add","path":"/template/spec/activeDeadlineSeconds","value":${text}}]`;
  // A strategic patch and an apply convert values, where the others read texts.
  test.each<[what: string, type: string, body: (text: string) => string, text: string, code: number]>([
    ['merge: 30.0', PATCHES.merge, merge, '30.0', 422],
    ['merge: 30', PATCHES.merge, merge, '30', 200],
    ['json: 3e1', PATCHES.json, json, '3e1', 422],
    ['json: 29', PATCHES.json, json, '29', 200],
    ['strategic: 28.0', PATCHES.strategic, merge, '28.0', 200],
  ])('%s', async (_name, type, body, text, code) => {
    const answer = await client.send('PATCH', `${TEMPLATES}/patched`, body(text), { 'content-type': type });
    expect(answer.code).toBe(code);
    if (code === 200) expect(answer.body['template']?.['spec']?.['activeDeadlineSeconds']).toBe(Number(text));
  });
});

describe('an integer of a custom resource', () => {
  const gadget = (name: string, count: string): string =>
    `{"apiVersion":"example.com/v1","kind":"Gadget","metadata":{"name":"${name}"},"spec":{"count":${count},"share":0.5}}`;
  test.each([
    ['30', 201, 30, false],
    ['30.0', 201, 30, false],
    ['3e1', 201, 30, false],
    ['30.5', 422, undefined, false],
    ['12345678901234567890', 422, undefined, false],
    ['9007199254740993', 201, 9007199254740992, true],
  ])('%s: %i', async (text, code, kept, warned) => {
    const answer = await client.send('POST', GADGETS, gadget(`g${text.replace('.', '-')}`, text));
    expect(answer.code).toBe(code);
    if (kept !== undefined) expect(answer.body['spec']?.['count']).toBe(kept);
    expect(answer.warning !== null).toBe(warned);
  });
});
