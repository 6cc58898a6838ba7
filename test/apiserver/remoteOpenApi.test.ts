import { describe, expect, test } from 'vitest';
import { mergeDocuments, withRemote } from '../../src/apiserver/extensions/remoteOpenApi.ts';
import type { OpenApiDocument } from '../../src/schema/index.ts';
import { realClock } from '../../src/std/index.ts';

const ref = (name: string): object => ({ $ref: `#/definitions/${name}` });
const uses = (name: string): object => ({ get: { responses: { 200: { schema: ref(name) } } } });
const string = { type: 'string' };

const own = {
  ...{ swagger: '2.0', info: { title: 'own', version: '1' } },
  paths: { '/api/': uses('Meta') },
  definitions: { Meta: { type: 'object', properties: { name: string } } },
  ...{ security: [], securityDefinitions: {} },
} as unknown as OpenApiDocument;

const merge = (paths: object, definitions: object, prefix = '/apis/g/v1/'): { paths: object; definitions: object } =>
  mergeDocuments(own, [{ prefix, document: { paths, definitions } }]) as { paths: object; definitions: object };

describe('the document of another API server', () => {
  test('adds only the paths of its version', () => {
    const { paths } = merge({ '/apis/g/v1/a': {}, '/apis/g/v2/a': {}, '/apis/g/': {}, '/api/': { bad: true } }, {});
    expect(Object.keys(paths)).toEqual(['/api/', '/apis/g/v1/a']);
    expect(paths).toMatchObject({ '/api/': uses('Meta') });
  });

  test('adds the definitions that they use, transitively', () => {
    const given = { A: { properties: { b: ref('B') } }, B: { items: ref('A') }, Unused: {} };
    const { definitions } = merge({ '/apis/g/v1/a': uses('A') }, given);
    expect(Object.keys(definitions)).toEqual(['A', 'B', 'Meta']);
  });

  test('shares an equal definition, and renames a different one', () => {
    const same = merge({ '/apis/g/v1/a': uses('Meta') }, { Meta: { type: 'object', properties: { name: string } } });
    expect(Object.keys(same.definitions)).toEqual(['Meta']);
    const other = merge({ '/apis/g/v1/a': uses('A') }, { A: { items: ref('Meta') }, Meta: { type: 'string' } });
    expect(other.definitions).toEqual({
      ...own.definitions,
      A: { items: ref('Meta_v2') },
      Meta_v2: { type: 'string' },
    });
    expect(other.paths).toMatchObject({ '/apis/g/v1/a': uses('A') });
  });

  test('assigns no name twice', () => {
    const given = {
      Meta: { type: 'string' },
      Meta_v2: { type: 'integer' },
      A: { allOf: [ref('Meta'), ref('Meta_v2')] },
    };
    const { definitions } = merge({ '/apis/g/v1/a': uses('A') }, given);
    expect(definitions).toEqual({
      ...own.definitions,
      A: { allOf: [ref('Meta_v3'), ref('Meta_v2')] },
      Meta_v2: { type: 'integer' },
      Meta_v3: { type: 'string' },
    });
  });

  test('shares no definition that refers to a different one', () => {
    const first = {
      prefix: '/apis/f/v1/',
      document: { paths: { '/apis/f/v1/a': uses('A') }, definitions: { A: ref('B'), B: string } },
    };
    const number = { type: 'integer' };
    const other = (prefix: string): typeof first => ({
      prefix,
      document: { paths: { [`${prefix}a`]: uses('A') }, definitions: { A: ref('B'), B: number } } as never,
    });
    const merged = mergeDocuments(own, [first, other('/apis/g/v1/'), other('/apis/h/v1/')]);
    expect(merged.definitions).toEqual({ ...own.definitions, A: ref('B'), B: string, A_v2: ref('B_v2'), B_v2: number });
    expect(merged.paths).toMatchObject({
      ...{ '/apis/f/v1/a': uses('A'), '/apis/g/v1/a': uses('A_v2'), '/apis/h/v1/a': uses('A_v2') },
    });
  });

  test('may refer to a definition of the own document', () => {
    const { paths, definitions } = merge({ '/apis/g/v1/a': uses('Meta') }, {});
    expect(paths).toMatchObject({ '/apis/g/v1/a': uses('Meta') });
    expect(definitions).toEqual(own.definitions);
  });

  test.each([
    ['paths', { paths: [], definitions: {} }],
    ['nothing', {}],
    ['inherited names', JSON.parse('{"paths":{"/apis/g/v1/a":{"$ref":"#/definitions/constructor"}}}')],
    ['a prototype', JSON.parse('{"paths":{"/apis/g/v1/a":{"__proto__":{"x":1}}}}')],
  ])('may be invalid: %s', (_, document: Record<string, unknown>) => {
    const merged = mergeDocuments(own, [{ prefix: '/apis/g/v1/', document }]);
    expect(merged.definitions).toEqual(own.definitions);
    expect(({} as { x?: number }).x).toBeUndefined();
  });
});

describe('of several servers', () => {
  const good = JSON.stringify({ paths: { '/apis/good/v1/a': uses('Good') }, definitions: { Good: string } });
  const deepSchema = `${'{"items":'.repeat(20_000)}{}${'}'.repeat(20_000)}`;
  const deep = `{"paths":{"/apis/bad/v1/a":${deepSchema}}}`;
  const unwritable = JSON.stringify({ paths: { '/apis/bad/v1/a': { get: { parameters: 7 } } } });

  const service = (group: string, spec: object = {}, uid = group, resourceVersion = '1'): object => ({
    metadata: { name: `v1.${group}`, uid, resourceVersion },
    spec: { group, version: 'v1', service: { name: group, namespace: 'x' }, ...spec },
  });

  /** What is told when the servers answer so. */
  function ask(says: Readonly<Record<string, string>>): (...services: readonly object[]) => Promise<OpenApiDocument> {
    const fetch = ({ url }: Request): Promise<Response> => {
      const text = says[new URL(url).hostname.split('.')[0] ?? ''];
      return Promise.resolve(text === undefined ? new Response('', { status: 503 }) : new Response(text));
    };
    const server = { storage: {}, clock: realClock(), fetch };
    return (...services) => withRemote({ server } as never, own, services as never);
  }

  test.each([
    ['nests very deep', deep],
    ['can’t be written', unwritable],
    ['is no JSON', '{'],
  ])('a server whose document %s is the only one omitted', async (_, bad) => {
    const { paths } = await ask({ good, bad })(service('bad'), service('good'));
    expect(Object.keys(paths)).toEqual(['/api/', '/apis/good/v1/a']);
  });

  test('a server that does not answer keeps its last document, but not for another server in its place', async () => {
    const says: Record<string, string> = { good };
    const told = ask(says);
    const paths = async (...given: Parameters<typeof service>): Promise<string[]> =>
      Object.keys((await told(service(...given))).paths);
    const both = ['/api/', '/apis/good/v1/a'];
    expect(await paths('good')).toEqual(both);
    delete says['good'];
    expect(await paths('good', {}, 'good', '2')).toEqual(both);
    expect(await paths('good', { caBundle: 'eA==' }, 'good', '3')).toEqual(['/api/']);
    says['good'] = good;
    expect(await paths('good', {}, 'good', '4')).toEqual(both);
    delete says['good'];
    expect(await paths('good', {}, 'another', '5')).toEqual(['/api/']);
  });
});
