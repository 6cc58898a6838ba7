import { describe, expect, test } from 'vitest';
import { mergeDocuments } from '../../src/apiserver/extensions/remoteOpenApi.ts';
import type { OpenApiDocument } from '../../src/schema/index.ts';

const ref = (name: string): object => ({ $ref: `#/definitions/${name}` });
const uses = (name: string): object => ({ get: { responses: { 200: { schema: ref(name) } } } });
const string = { type: 'string' };

const own = {
  ...{ swagger: '2.0', info: { title: 'own', version: '1' } },
  paths: { '/api/': uses('Meta') },
  definitions: { Meta: { type: 'object', properties: { name: string } } },
} as unknown as OpenApiDocument;

const merge = (paths: object, definitions: object, prefix = '/apis/g/v1/'): { paths: object; definitions: object } =>
  mergeDocuments(own, [{ prefix, document: { paths, definitions } }]) as { paths: object; definitions: object };

describe('the document of another API server', () => {
  test('brings the paths of its version alone', () => {
    const { paths } = merge({ '/apis/g/v1/a': {}, '/apis/g/v2/a': {}, '/apis/g/': {}, '/api/': { bad: true } }, {});
    expect(Object.keys(paths)).toEqual(['/api/', '/apis/g/v1/a']);
    expect(paths).toMatchObject({ '/api/': uses('Meta') });
  });

  test('brings the definitions that they use, and those that these use', () => {
    const given = { A: { properties: { b: ref('B') } }, B: { items: ref('A') }, Unused: {} };
    const { definitions } = merge({ '/apis/g/v1/a': uses('A') }, given);
    expect(Object.keys(definitions)).toEqual(['A', 'B', 'Meta']);
  });

  test('shares a definition that is the same, and gives another one a number', () => {
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

  test('refers to what only the own document defines', () => {
    const { paths, definitions } = merge({ '/apis/g/v1/a': uses('Meta') }, {});
    expect(paths).toMatchObject({ '/apis/g/v1/a': uses('Meta') });
    expect(definitions).toEqual(own.definitions);
  });

  test.each([
    ['paths', { paths: [], definitions: {} }],
    ['nothing', {}],
    ['inherited names', JSON.parse('{"paths":{"/apis/g/v1/a":{"$ref":"#/definitions/constructor"}}}')],
    ['a prototype', JSON.parse('{"paths":{"/apis/g/v1/a":{"__proto__":{"x":1}}}}')],
  ])('may be wrong: %s', (_, document: Record<string, unknown>) => {
    const merged = mergeDocuments(own, [{ prefix: '/apis/g/v1/', document }]);
    expect(merged.definitions).toEqual(own.definitions);
    expect(({} as { x?: number }).x).toBeUndefined();
  });
});
