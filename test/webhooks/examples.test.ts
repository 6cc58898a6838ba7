/** Examples of webhooks that stand for themselves: the page writes the same objects. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { namesOf } from '../../src/names/index.ts';
import { definitionOf } from '../../src/ui/panels/webhooks/definition.ts';
import { bench, type Bench, type Handler } from './support.ts';

/** The module that a person gets as text. */
const handlerOf = async (name: string): Promise<Handler> =>
  ((await import(`../../src/ui/panels/webhooks/examples/${name}.js`)) as { readonly default: Handler }).default;

let b: Bench;
beforeAll(async () => {
  b = await bench();
});
afterAll(() => b.cluster.stop());

test('beds are converted both ways', async () => {
  await b.write('bed-converter', await handlerOf('beds'));
  const definition = definitionOf('bed-converter', 'default', atob(b.caBundle), namesOf('k8s.io'));
  const { status } = await b.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
  expect(status).toBe(201);
  const beds = (version: string): string => `/apis/garden.example.com/${version}/namespaces/default/beds`;
  await expect.poll(async () => (await b.send('GET', beds('v1'))).status, { interval: 5 }).toBe(200);
  const bed = { apiVersion: 'garden.example.com/v1', kind: 'Bed', metadata: { name: 'a' }, spec: { size: '3x4' } };
  expect((await b.send('POST', beds('v1'), bed)).body.spec).toEqual({ size: '3x4' });
  expect((await b.send('GET', `${beds('v2')}/a`)).body.spec).toEqual({ width: 3, length: 4 });
});
