/** Objects as their metadata alone, in Protobuf: what collectors of garbage and quotas ask for. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCluster, type Cluster } from '../../src/cluster/index.ts';
import { namesOf } from '../../src/names/index.ts';
import { createScheme, kinds, parts, type ApiObject, type Scheme } from '../../src/schema/index.ts';
import { EventsResponse } from '../../src/std/index.ts';
import { recordedOptions, tokens } from '../conformance/scenarios.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
let cluster: Cluster;
let scheme: Scheme;

beforeAll(async () => {
  cluster = await createCluster(recordedOptions('cluster.io'));
  scheme = createScheme(namesOf('cluster.io'), kinds);
  for (const name of ['a', 'b']) await send('POST', CONFIG_MAPS, '', { metadata: { name, labels: { of: 'test' } } });
});
afterAll(() => cluster.stop());

function send(method: string, path: string, accept: string, body?: object): Promise<Response> {
  const headers = {
    authorization: `Bearer ${tokens.admin}`,
    'content-type': 'application/json',
    ...(accept && { accept }),
  };
  const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
  return cluster.fetch(new Request(`http://metadata.test${path}`, init));
}

async function read(path: string, kind: string, version: string): Promise<ApiObject> {
  const as = `application/vnd.cluster.protobuf;as=${kind};g=meta.cluster.io;v=${version}`;
  const response = await send('GET', path, `${as},application/json`);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/vnd.cluster.protobuf']);
  const { decodeProtobuf } = await parts.protobuf.load();
  return decodeProtobuf(scheme, new Uint8Array(await response.arrayBuffer()));
}

describe.each(['v1', 'v1beta1'])('%s', (version) => {
  it('an object', async () => {
    const metadata = expect.objectContaining({ name: 'a', namespace: 'default', labels: { of: 'test' } }) as object;
    expect(await read(`${CONFIG_MAPS}/a`, 'PartialObjectMetadata', version)).toMatchObject({ metadata });
  });

  it('a list, and an empty list', async () => {
    const list = await read(`${CONFIG_MAPS}?labelSelector=of`, 'PartialObjectMetadataList', version);
    expect(list).toMatchObject({
      kind: 'PartialObjectMetadataList',
      apiVersion: `meta.cluster.io/${version}`,
      metadata: { resourceVersion: expect.stringMatching(/^\d+$/) as string },
      items: [{ metadata: { name: 'a' } }, { metadata: { name: 'b' } }],
    });
    const none = await read(`${CONFIG_MAPS}?labelSelector=none`, 'PartialObjectMetadataList', version);
    expect(none['items'] ?? []).toEqual([]);
  });

  it('a watch', async () => {
    const accept = `application/vnd.cluster.protobuf;as=PartialObjectMetadata;g=meta.cluster.io;v=${version}`;
    const response = await send('GET', `${CONFIG_MAPS}?watch=1&labelSelector=of&timeoutSeconds=1`, accept);
    const { decodeProtobuf, protobufWatchEvents } = await parts.protobuf.load();
    const events = protobufWatchEvents(new Uint8Array(await response.arrayBuffer()));
    expect(events.map(({ type, object }) => [type, decodeProtobuf(scheme, object).metadata.name])).toEqual([
      ['ADDED', 'a'],
      ['ADDED', 'b'],
    ]);
  });
});

describe('in JSON', () => {
  const DAEMON_SETS = '/apis/apps/v1/namespaces/default/daemonsets';
  const accept = (kind: string): string => `application/json;as=${kind};g=meta.cluster.io;v=v1`;
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };

  it('lists lack the fields that the reference stores outside of metadata, and the remaining count', async () => {
    for (const name of ['d', 'e']) {
      const spec = { selector: { matchLabels: { a: 'b' } }, template };
      expect((await send('POST', DAEMON_SETS, '', { metadata: { name }, spec })).status).toBe(201);
    }
    const list = await send('GET', `${DAEMON_SETS}?limit=1`, accept('PartialObjectMetadataList'));
    const { metadata, items } = (await list.json()) as { metadata: object; items: readonly ApiObject[] };
    expect(Object.keys(metadata)).toEqual(['resourceVersion', 'continue']);
    expect(items.map((item) => [item.metadata.name, item.metadata.annotations])).toEqual([['d', undefined]]);
  });

  it.each([
    ['PartialObjectMetadata', 2],
    // No object is a list: the stream ends before its first event.
    ['PartialObjectMetadataList', 0],
  ])('a watch as %s brings %i events', async (kind, count) => {
    const watch = await send('GET', `${CONFIG_MAPS}?watch=1&labelSelector=of&timeoutSeconds=1`, accept(kind));
    const lines = (await watch.text()).split('\n').filter((line) => line !== '');
    expect([watch.status, lines.length]).toEqual([200, count]);
  });

  it('a watch in the same process brings as objects what one from outside brings as text', async () => {
    const path = `${DAEMON_SETS}?watch=1&timeoutSeconds=1`;
    const ask = (path: string): Promise<Response> =>
      cluster.transportAs('admin')(path, { headers: { accept: accept('PartialObjectMetadata') } });
    const inside = await ask(path);
    if (!(inside instanceof EventsResponse)) throw new Error('a watch in the same process gives objects');
    const events = await inside.events.take();
    const outside = await (await send('GET', path, accept('PartialObjectMetadata'))).text();
    expect(events?.map(({ type, object }) => `${JSON.stringify({ type, object })}\n`).join('')).toBe(outside);
    expect(outside).not.toBe('');
    expect(await (await ask(path)).text()).toBe(outside);
  });
});
