/** A kind that one declaration adds, in a running cluster: no other line of code knows it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cluster } from '../../src/cluster/index.ts';
import { createCluster } from '../../src/cluster/index.ts';
import {
  createScheme,
  decodeProtobuf,
  encodeProtobuf,
  group,
  int32,
  kind,
  kinds,
  list,
  opt,
  ptr,
  string,
  struct,
  type ApiObject,
} from '../../src/schema/index.ts';
import { object } from '../../src/schema/meta/object.ts';
import { recordedOptions, tokens } from '../conformance/scenarios.ts';

const Topping = struct('api.bakery.v1.Topping', { name: opt(1, string), grams: ptr(2, int32) });
const BreadSpec = struct('api.bakery.v1.BreadSpec', {
  grain: opt(1, string, { default: 'rye' }),
  slices: ptr(2, int32),
  toppings: opt(3, list(Topping), { list: 'map', keys: ['name'], mergeKey: 'name', strategy: 'merge' }),
});
const Bread = object('api.bakery.v1.Bread', { spec: opt(2, BreadSpec) });
const breads = kind(Bread, {
  group: group('bakery.{domain}', { versions: ['v1'], versionPriorities: { v1: 1 }, priority: 100 }),
  kind: 'Bread',
  resource: 'breads',
  shortNames: ['br'],
  namespaced: true,
  doc: 'Something to eat.',
  versions: [{ version: 'v1', type: Bread }],
  rules: { generation: true },
  columns: [
    { name: 'Name', type: 'string', format: 'name', doc: 'Its name.', cell: ({ metadata }) => metadata.name },
    { name: 'Grain', type: 'string', doc: 'What it is made of.', cell: ({ spec }) => spec.grain },
  ],
});

const BREADS = '/apis/bakery.cluster.io/v1/namespaces/default/breads';
const bread = (name: string, spec: object = {}): object => ({
  apiVersion: 'bakery.cluster.io/v1',
  kind: 'Bread',
  metadata: { name },
  spec,
});

describe('a made-up kind', () => {
  let cluster: Cluster;
  beforeAll(async () => (cluster = await createCluster(recordedOptions('cluster.io'), { kinds: [breads] })));
  afterAll(() => cluster.stop());

  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const text = body instanceof Uint8Array ? body.slice() : JSON.stringify(body);
    const init = {
      method,
      headers: { authorization: `Bearer ${tokens.admin}`, 'user-agent': 'test', ...type, ...headers },
      body: text ?? null,
    };
    return cluster.fetch(new Request(`http://bakery.test${path}`, init));
  };
  const ask = async (...args: Parameters<typeof send>): Promise<unknown> => (await send(...args)).json();

  it('is created, read, listed, replaced and deleted', async () => {
    expect(await ask('POST', BREADS, bread('a', { slices: 0, crumbs: 7 }))).toMatchObject({
      metadata: { name: 'a', namespace: 'default', generation: 1, managedFields: [{ manager: 'test' }] },
      spec: { grain: 'rye', slices: 0 },
    });
    expect(await ask('PUT', `${BREADS}/a`, bread('a', { slices: 8 }))).toMatchObject({ metadata: { generation: 2 } });
    expect(await ask('GET', '/apis/bakery.cluster.io/v1/breads?fieldSelector=metadata.name%3Da')).toMatchObject({
      kind: 'BreadList',
      items: [{ spec: { grain: 'rye', slices: 8 } }],
    });
    expect(await ask('DELETE', `${BREADS}/a`)).toMatchObject({ status: 'Success', details: { kind: 'breads' } });
    expect((await send('GET', `${BREADS}/a`)).status).toBe(404);
    expect((await send('POST', BREADS, bread('b', { slices: 'many' }))).status).toBe(400);
  });

  it('is watched', async () => {
    const response = await send('GET', `${BREADS}?watch=true&timeoutSeconds=1`);
    await send('POST', BREADS, bread('w'));
    await send('DELETE', `${BREADS}/w`);
    const events = (await response.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; object: ApiObject });
    expect(events.map(({ type, object }) => `${type} ${object.metadata.name}`)).toEqual(['ADDED w', 'DELETED w']);
  });

  it('is patched by its merge keys, and applied', async () => {
    await send('POST', BREADS, bread('p', { toppings: [{ name: 'jam', grams: 10 }] }));
    const strategic = { spec: { toppings: [{ name: 'butter' }, { name: 'jam', grams: 20 }] } };
    expect(
      await ask('PATCH', `${BREADS}/p`, strategic, { 'content-type': 'application/strategic-merge-patch+json' }),
    ).toMatchObject({ spec: { toppings: [{ name: 'butter' }, { name: 'jam', grams: 20 }] } });
    const applied = bread('p', { toppings: [{ name: 'jam', grams: 30 }] });
    const apply = { 'content-type': 'application/apply-patch+yaml' };
    expect(await ask('PATCH', `${BREADS}/p?fieldManager=me`, applied, apply)).toMatchObject({
      reason: 'Conflict',
      details: { causes: [{ field: '.spec.toppings[name="jam"].grams', reason: 'FieldManagerConflict' }] },
    });
    expect(await ask('PATCH', `${BREADS}/p?fieldManager=me&force=true`, applied, apply)).toMatchObject({
      spec: { toppings: [{ name: 'butter' }, { name: 'jam', grams: 30 }] },
    });
  });

  it('has Tables, Protobuf, discovery and OpenAPI', async () => {
    const scheme = createScheme(cluster.names, [...kinds, breads]);
    const protobuf = { 'content-type': 'application/vnd.cluster.protobuf', accept: 'application/vnd.cluster.protobuf' };
    const sent = encodeProtobuf(scheme, bread('t', { grain: 'oat' }) as ApiObject);
    const answer = await send('POST', BREADS, sent, protobuf);
    expect(decodeProtobuf(scheme, new Uint8Array(await answer.arrayBuffer()))).toMatchObject({
      spec: { grain: 'oat' },
    });
    const table = { accept: 'application/json;as=Table;v=v1;g=meta.cluster.io' };
    expect(await ask('GET', `${BREADS}/t`, undefined, table)).toMatchObject({ rows: [{ cells: ['t', 'oat'] }] });
    expect(await ask('GET', '/apis/bakery.cluster.io/v1')).toMatchObject({
      resources: [{ name: 'breads', kind: 'Bread', shortNames: ['br'] }],
    });
    expect(await ask('GET', '/openapi/v2')).toMatchObject({
      definitions: { 'io.cluster.api.bakery.v1.Bread': { description: 'Something to eat.' } },
    });
  });
});
