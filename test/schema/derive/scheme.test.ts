import { describe, expect, test } from 'vitest';
import { namesOf } from '../../../src/names/index.ts';
import {
  columnsOf,
  createScheme,
  decodeProtobuf,
  discoveryDocument,
  encodeProtobuf,
  group,
  int32,
  kind,
  kinds,
  openApiDocument,
  opt,
  ptr,
  string,
  struct,
  type ApiObject,
} from '../../../src/schema/index.ts';
import { object } from '../../../src/schema/meta/object.ts';
import { must } from '../../../src/std/index.ts';
import { ownTime } from '../../fuzz/spent.ts';

const names = namesOf('cluster.io');
const pod = (fields: object) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, ...fields });

describe('a kind that one declaration adds', () => {
  const BreadSpec = struct('api.bakery.v1.BreadSpec', {
    grain: opt(1, string, { default: 'rye' }),
    slices: ptr(2, int32),
  });
  const Bread = object('api.bakery.v1.Bread', { spec: opt(2, BreadSpec) });
  const breads = kind(Bread, {
    group: group('bakery.{domain}', { versions: ['v1'], versionPriorities: { v1: 1 }, priority: 100 }),
    kind: 'Bread',
    resource: 'breads',
    namespaced: true,
    doc: 'Something to eat.',
    versions: [{ version: 'v1', type: Bread }],
  });
  const scheme = createScheme(names, [...kinds, breads]);
  const gv = { group: 'bakery.cluster.io', version: 'v1' };
  const resource = must(scheme.byResource({ ...gv, resource: 'breads' }), 'breads are served');
  const raw = {
    kind: 'Bread',
    apiVersion: 'bakery.cluster.io/v1',
    metadata: { name: 'b' },
    spec: { slices: 0 },
    crumbs: 7,
  };
  const bread = scheme.decode(resource.node, raw) as ApiObject;

  test('is decoded and defaulted', () => {
    scheme.applyDefaults(resource, bread);
    expect(bread).toEqual({
      ...raw,
      metadata: { name: 'b', creationTimestamp: null },
      spec: { slices: 0, grain: 'rye' },
      crumbs: undefined,
    });
  });

  test('has a place in storage, in discovery, in a Table', () => {
    expect(resource.prefix).toBe('/registry/bakery.cluster.io/breads/');
    expect(discoveryDocument(scheme, '/apis/bakery.cluster.io/v1')).toMatchObject({
      resources: [{ name: 'breads', kind: 'Bread' }],
    });
    expect(columnsOf(resource).map(({ name }) => name)).toEqual(['Name', 'Created At']);
  });

  test('has Protobuf, alone and in lists', () => {
    const list = {
      kind: 'BreadList',
      apiVersion: raw.apiVersion,
      metadata: { resourceVersion: '3' },
      items: [{ metadata: bread.metadata, spec: { slices: 2 } }],
    };
    expect(decodeProtobuf(scheme, encodeProtobuf(scheme, bread))).toMatchObject({ kind: 'Bread', spec: { slices: 0 } });
    expect(decodeProtobuf(scheme, encodeProtobuf(scheme, list))).toMatchObject({
      kind: 'BreadList',
      items: [{ spec: { slices: 2 } }],
    });
  });

  test('has a definition and paths in OpenAPI', () => {
    const { definitions, paths } = openApiDocument(scheme);
    expect(definitions['io.cluster.api.bakery.v1.Bread']).toMatchObject({
      description: 'Something to eat.',
      properties: { spec: {} },
    });
    expect(Object.keys(paths).filter((path) => path.endsWith('/breads'))).toHaveLength(4);
  });
});

describe('what is served', () => {
  const served = (runtimeConfig: string, apiVersion: string): boolean => {
    const [group = '', version = ''] = apiVersion.split('/');
    return createScheme(names, kinds, { runtimeConfig }).resources({ group, version }).length > 0;
  };

  test.each([
    ['', 'batch/v1beta1', true],
    ['', 'batch/v2alpha1', false],
    ['batch/v2alpha1', 'batch/v2alpha1', true],
    ['batch/v2alpha1=true', 'batch/v2alpha1', true],
    ['batch/v1beta1=false', 'batch/v1beta1', false],
    ['api/beta=false', 'batch/v1beta1', false],
    ['api/beta=false,batch/v1beta1=true', 'batch/v1beta1', true],
    ['api/all=false,api/ga=true', 'apps/v1', true],
    ['api/all=false', 'apps/v1', false],
    ['api/alpha=true', 'storage.cluster.io/v1alpha1', true],
  ])('with %j, %s: %s', (config, apiVersion, expected) => {
    expect(served(config, apiVersion)).toBe(expected);
  });

  test('changes with definitions that come and go', () => {
    const scheme = createScheme(names, kinds);
    const template = must(
      scheme.byResource({ group: '', version: 'v1', resource: 'configmaps' }),
      'config maps are served',
    );
    const gvr = { group: 'example.com', version: 'v1', resource: 'widgets' };
    const custom = {
      ...template,
      gvr,
      gvk: { group: 'example.com', version: 'v1', kind: 'Widget' },
      node: template.node,
    };
    const before = scheme.generation;
    scheme.addCustom([custom]);
    expect(scheme.byResource(gvr)).toBe(custom);
    expect(scheme.groups.at(-1)).toMatchObject({ name: 'example.com', versions: ['v1'] });
    scheme.removeCustom('example.com', 'widgets');
    expect(scheme.byResource(gvr)).toBeUndefined();
    expect(scheme.generation).toBeGreaterThan(before);
  });
});

describe('what cannot be decoded', () => {
  const scheme = createScheme(names, kinds);
  const node = must(scheme.typeOf({ group: '', version: 'v1', kind: 'Pod' }), 'pods are declared');

  test.each([
    ['a text for a list', { spec: { containers: 'c' } }, 'spec.containers'],
    ['a number for a text', { spec: { containers: [{ name: 7 }] } }, 'spec.containers[0].name'],
    ['a fraction for a whole number', { spec: { priority: 1.5 } }, 'spec.priority'],
    ['too large a number', { spec: { priority: 2 ** 31 } }, 'spec.priority'],
    ['no quantity', { spec: { overhead: { cpu: 'much' } } }, 'spec.overhead.cpu'],
    ['no time', { metadata: { deletionTimestamp: 'soon' } }, 'metadata.deletionTimestamp'],
    ['a list for an object', { spec: [] }, 'spec'],
  ])('%s', (_what, fields, where) => {
    expect(() => scheme.decode(node, pod(fields))).toThrow(`${where}: `);
  });

  test('null is the same as nothing', () => {
    const spec = { containers: [{ name: 'c', args: null, env: [null] }], nodeName: null, priority: null };
    expect(scheme.decode(node, pod({ spec }))).toEqual(
      scheme.decode(node, pod({ spec: { containers: [{ name: 'c', env: [{}] }] } })),
    );
  });

  test('a key called __proto__ is a key like any other', () => {
    const raw: unknown = JSON.parse('{"metadata":{"labels":{"__proto__":"x"}}}');
    expect(JSON.stringify(scheme.decode(node, raw))).toContain('"labels":{"__proto__":"x"}');
  });
});

test('making a scheme and the type of a pod takes no longer than a page can spare', () => {
  const started = ownTime();
  const scheme = createScheme(namesOf('k8s.io'), kinds);
  const node = must(scheme.typeOf({ group: '', version: 'v1', kind: 'Pod' }), 'pods are declared');
  scheme.decode(node, pod({ spec: { containers: [{ name: 'c' }] } }));
  expect(ownTime() - started).toBeLessThan(250);
});
