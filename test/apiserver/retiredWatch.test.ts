/** Watches of custom resources whose definition changes under them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bench, type Bench } from '../webhooks/support.ts';

const DEFINITION = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/tools.example.com';
const TOOLS = '/apis/example.com/v1/namespaces/default/tools';

let b: Bench;
beforeAll(async () => {
  b = await bench();
});
afterAll(() => b.cluster.stop());

const version = (properties: object): object => ({
  name: 'v1',
  served: true,
  storage: true,
  schema: { openAPIV3Schema: { type: 'object', properties } },
});

const text = { type: 'string' };

async function define(): Promise<void> {
  await b.send('POST', DEFINITION.replace('/tools.example.com', ''), {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'tools.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'tools', kind: 'Tool' },
      versions: [version({ a: text })],
    },
  });
  await expect.poll(async () => (await b.send('GET', TOOLS)).status, { interval: 5 }).toBe(200);
}

const create = (name: string): Promise<unknown> =>
  b.send('POST', TOOLS, { apiVersion: 'example.com/v1', kind: 'Tool', metadata: { name }, a: '1', b: '2' });

const merge = (body: object): Promise<unknown> => b.send('PATCH', DEFINITION, body, 'application/merge-patch+json');

/** What a watch told before it ended, which it does only when the clock is moved. */
async function told(response: Response): Promise<string[]> {
  const content = response.text();
  await b.cluster.clock.step(1_500);
  const events = (await content).trim().split('\n');
  return events.map((line) => {
    const { type, object } = JSON.parse(line) as { type: string; object: { metadata: { name: string }; b?: string } };
    return `${type} ${object.metadata.name} ${object.b ?? ''}`.trim();
  });
}

test('a changed schema ends them, a label does not; then they show the new schema', async () => {
  await define();
  const before = await b.as(`${TOOLS}?watch=1`);
  await create('one');
  await merge({ metadata: { labels: { x: 'y' } } });
  await create('two');
  await merge({ spec: { versions: [version({ a: text, b: text })] } });
  expect(await told(before)).toEqual(['ADDED one', 'ADDED two']);
  const after = await b.as(`${TOOLS}?watch=1&timeoutSeconds=1`);
  await create('three');
  expect(await told(after)).toEqual(['ADDED one', 'ADDED two', 'ADDED three 2']);
});

test('deleting a definition lets them report the deletion of its objects', async () => {
  const watching = await b.as(`${TOOLS}?watch=1`);
  await b.send('DELETE', DEFINITION);
  await expect.poll(async () => (await b.send('GET', DEFINITION)).status, { interval: 5 }).toBe(404);
  const events = await told(watching);
  expect(events.filter((event) => event.startsWith('DELETED'))).toEqual([
    'DELETED one',
    'DELETED three 2',
    'DELETED two',
  ]);
});
