/** Requests about objects of very many keys are served in steps, between which others are answered. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { must, yieldToTasks } from '../../src/std/index.ts';
import { openCluster, PATCHES, type TestClient } from './client.ts';

const KEYS = 20_000;
const PATH = '/api/v1/namespaces/default/configmaps';

const data = (value: string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: KEYS }, (_, i) => [`key-${i}`, value]));
const configMap = (name: string, value: string): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data: data(value),
});

let client: TestClient;
beforeAll(async () => {
  client = await openCluster();
  await client.send('POST', PATH, configMap('there', 'a'));
  await client.send('PATCH', `${PATH}/applied?fieldManager=m`, configMap('applied', 'a'), {
    'content-type': PATCHES.apply,
  });
});
afterAll(() => client.cluster.stop());

/** The answer to a request, and how often other tasks ran before it came. */
async function turnsDuring<T>(asked: Promise<T>): Promise<{ answer: T; turns: number }> {
  let turns = 0;
  let isOver = false;
  const over = asked.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await yieldToTasks();
    turns += 1;
  }
  return { answer: await over, turns };
}

interface Row {
  readonly what: string;
  readonly method: string;
  readonly path: string;
  readonly body: object;
  readonly type?: string;
  readonly code: number;
  /** So many passes over the object there are at least, each in a step of its own. */
  readonly turns: number;
}

const rows: readonly Row[] = [
  { what: 'create', method: 'POST', path: PATH, body: configMap('new', 'a'), code: 201, turns: 8 },
  { what: 'update', method: 'PUT', path: `${PATH}/there`, body: configMap('there', 'b'), code: 200, turns: 10 },
  {
    what: 'merge patch of one key',
    method: 'PATCH',
    path: `${PATH}/there`,
    body: { data: { 'key-1': 'c' } },
    type: PATCHES.merge,
    code: 200,
    turns: 10,
  },
  {
    what: 'merge patch of all keys',
    method: 'PATCH',
    path: `${PATH}/there`,
    body: { data: data('d') },
    type: PATCHES.merge,
    code: 200,
    turns: 10,
  },
  {
    what: 'strategic patch of all keys',
    method: 'PATCH',
    path: `${PATH}/there`,
    body: { data: data('e') },
    type: PATCHES.strategic,
    code: 200,
    turns: 10,
  },
  {
    what: 'JSON patch of one key',
    method: 'PATCH',
    path: `${PATH}/there`,
    body: [{ op: 'replace', path: '/data/key-1', value: 'f' }],
    type: PATCHES.json,
    code: 200,
    turns: 10,
  },
  {
    what: 'apply that creates',
    method: 'PATCH',
    path: `${PATH}/fresh?fieldManager=m`,
    body: configMap('fresh', 'a'),
    type: PATCHES.apply,
    code: 201,
    turns: 12,
  },
  {
    what: 'apply that changes all keys',
    method: 'PATCH',
    path: `${PATH}/applied?fieldManager=m`,
    body: configMap('applied', 'b'),
    type: PATCHES.apply,
    code: 200,
    turns: 12,
  },
  {
    what: 'apply that takes all keys from others',
    method: 'PATCH',
    path: `${PATH}/applied?fieldManager=n&force=true`,
    body: configMap('applied', 'c'),
    type: PATCHES.apply,
    code: 200,
    turns: 12,
  },
];

describe('a ConfigMap of many keys', () => {
  test.each(rows)(
    '$what: other requests are answered in between',
    async ({ method, path, body, type, code, turns }) => {
      const headers = type === undefined ? {} : { 'content-type': type };
      const asked = await turnsDuring(client.send(method, path, body, headers));
      expect(asked.answer.code).toBe(code);
      expect(Object.keys(asked.answer.body['data'] ?? {})).toHaveLength(KEYS);
      expect(asked.turns).toBeGreaterThanOrEqual(turns);
    },
  );

  test.each(['get', 'list'])('%s: an object not read since it was stored is read in steps', async (verb) => {
    const { storage } = client.cluster;
    const { entries } = storage.range({ start: '/', end: '0' });
    const entry = must(
      entries.find(({ key }) => key.endsWith('/configmaps/default/there')),
      'it is stored',
    );
    await storage.commit([{ type: 'put', key: entry.key, value: entry.value, expect: entry.revision }]);
    const asked = await turnsDuring(client.send('GET', verb === 'get' ? `${PATH}/there` : PATH));
    expect(asked.answer.code).toBe(200);
    expect(asked.turns).toBeGreaterThanOrEqual(3);
  });

  test('removes only the key that is no longer applied', async () => {
    const { 'key-7': _gone, ...kept } = data('c');
    const body = { ...configMap('applied', 'c'), data: kept };
    const { code, body: after } = await client.send('PATCH', `${PATH}/applied?fieldManager=n`, body, {
      'content-type': PATCHES.apply,
    });
    expect(code).toBe(200);
    expect(Object.keys(after['data'] ?? {})).toHaveLength(KEYS - 1);
  });

  test('a small object is served without yielding', async () => {
    const asked = await turnsDuring(
      client.send('POST', PATH, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'small' }, data: { a: 'b' } }),
    );
    expect(asked.answer.code).toBe(201);
    expect(asked.turns).toBeLessThan(6);
  });
});
