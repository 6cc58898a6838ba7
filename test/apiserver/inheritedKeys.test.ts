/** Keys that every JavaScript object inherits are keys like any other in what people write. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cluster } from '../../src/cluster/index.ts';
import { createCluster } from '../../src/cluster/index.ts';
import { recordedOptions, tokens } from '../conformance/scenarios.ts';

const KEYS = ['toString', 'constructor', 'valueOf', 'hasOwnProperty', 'isPrototypeOf', '__proto__', '__defineGetter__'];

/** `{…}` with the key as an own key; `{ [key]: value }` would do, but says less. */
const single = <T>(key: string, value: T): Record<string, T> => Object.fromEntries([[key, value]]);

interface Written {
  readonly data?: Record<string, string>;
  readonly metadata: { readonly labels?: Record<string, string>; readonly managedFields?: { fieldsV1: object }[] };
}

let cluster: Cluster;
beforeAll(async () => (cluster = await createCluster(recordedOptions('cluster.io'))));
afterAll(() => cluster.stop());

describe.each(KEYS)('the key %s', (key) => {
  const CONFIG_MAPS = `/api/v1/namespaces/${key.replaceAll('_', '').toLowerCase()}/configmaps`;
  beforeAll(() => send('POST', '/api/v1/namespaces', { metadata: { name: CONFIG_MAPS.split('/')[4] } }));

  const send = async (method: string, path: string, body?: unknown, type = 'application/json') => {
    const response = await cluster.fetch(
      new Request(`http://keys.test${path}`, {
        method,
        headers: { authorization: `Bearer ${tokens.admin}`, 'content-type': type },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );
    return { status: response.status, body: (await response.json()) as Written };
  };
  const stored = async (name: string) => (await send('GET', `${CONFIG_MAPS}/${name}`)).body;
  const map = (name: string, data: Record<string, string>) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name },
    data,
  });

  it('is created, updated and removed by an update', async () => {
    expect((await send('POST', CONFIG_MAPS, map('put', single(key, 'a')))).status).toBe(201);
    expect((await stored('put')).data).toEqual(single(key, 'a'));
    expect((await send('PUT', `${CONFIG_MAPS}/put`, map('put', single(key, 'b')))).status).toBe(200);
    expect((await stored('put')).data).toEqual(single(key, 'b'));
    expect((await send('PUT', `${CONFIG_MAPS}/put`, map('put', { a: 'b' }))).status).toBe(200);
    expect((await stored('put')).data).toEqual({ a: 'b' });
  });

  it.each(['merge-patch+json', 'strategic-merge-patch+json'])('is set and removed by %s', async (form) => {
    const name = form.slice(0, 5);
    const patch = (value: string | null) =>
      send('PATCH', `${CONFIG_MAPS}/${name}`, { data: single(key, value) }, `application/${form}`);
    await send('POST', CONFIG_MAPS, map(name, { other: 'x' }));
    expect((await patch('a')).status).toBe(200);
    expect((await stored(name)).data).toEqual({ other: 'x', ...single(key, 'a') });
    expect((await patch(null)).status).toBe(200);
    expect((await stored(name)).data).toEqual({ other: 'x' });
  });

  it('is set and removed by a JSON patch', async () => {
    const patch = (operation: object) =>
      send('PATCH', `${CONFIG_MAPS}/json`, [operation], 'application/json-patch+json');
    await send('POST', CONFIG_MAPS, map('json', { other: 'x' }));
    expect((await patch({ op: 'add', path: `/data/${key}`, value: 'a' })).status).toBe(200);
    expect((await stored('json')).data).toEqual({ other: 'x', ...single(key, 'a') });
    expect((await patch({ op: 'remove', path: `/data/${key}` })).status).toBe(200);
    expect((await stored('json')).data).toEqual({ other: 'x' });
  });

  it('is owned by its applier, and removed when the applier omits it', async () => {
    const apply = (manager: string, data: Record<string, string>) =>
      send('PATCH', `${CONFIG_MAPS}/owned?fieldManager=${manager}`, map('owned', data), 'application/apply-patch+yaml');
    expect((await apply('one', { kept: 'x', ...single(key, 'a') })).status).toBe(201);
    const { data, metadata } = await stored('owned');
    expect(data).toEqual({ kept: 'x', ...single(key, 'a') });
    const owned = single('f:data', { 'f:kept': {}, ...single(`f:${key}`, {}) });
    expect(metadata.managedFields?.map(({ fieldsV1 }) => fieldsV1)).toEqual([owned]);
    expect((await apply('two', single(key, 'b'))).status).toBe(409);
    expect((await apply('one', { kept: 'x' })).status).toBe(200);
    expect((await stored('owned')).data).toEqual({ kept: 'x' });
  });

  it('is owned by its updater', async () => {
    await send('POST', `${CONFIG_MAPS}?fieldManager=m`, map('updated', { a: 'x' }));
    await send('PUT', `${CONFIG_MAPS}/updated?fieldManager=n`, map('updated', { a: 'x', ...single(key, 'a') }));
    const sets = (await stored('updated')).metadata.managedFields?.map(({ fieldsV1 }) => fieldsV1);
    expect(sets).toContainEqual({ 'f:data': single(`f:${key}`, {}) });
  });

  it.runIf(!key.startsWith('_'))('selects by label, with and without the label', async () => {
    const labelled = { ...map('labelled', {}), metadata: { name: 'labelled', labels: { [key]: 'v' } } };
    await send('POST', CONFIG_MAPS, labelled);
    await send('POST', CONFIG_MAPS, map('bare', {}));
    const names = async (selector: string): Promise<string[]> => {
      const path = `${CONFIG_MAPS}?labelSelector=${encodeURIComponent(selector)}`;
      const { items } = (await send('GET', path)).body as unknown as { items: { metadata: { name: string } }[] };
      return items.map(({ metadata }) => metadata.name);
    };
    expect(await names(key)).toEqual(['labelled']);
    expect(await names(`!${key}`)).toContain('bare');
    expect(await names(`${key}=v`)).toEqual(['labelled']);
  });
});
