/** Examples of webhooks that stand for themselves, as a person gets them: their own text, in the machine that runs what people write. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sandbox } from '../../src/cluster/index.ts';
import { nodeSandbox } from '../../src/hosts/node/sandbox.ts';
import { namesOf } from '../../src/names/index.ts';
import { wiringOf } from '../../src/ui/panels/webhooks/wiring.ts';
import { definitionOf } from '../../src/ui/panels/webhooks/definition.ts';
import { bundleSandboxThread } from '../tools/sandboxThread.ts';
import { bench, type Bench } from './support.ts';

let sandbox: Sandbox;
let b: Bench;
beforeAll(async () => {
  sandbox = nodeSandbox(await bundleSandboxThread());
  b = await bench({ clock: 'real' }, sandbox);
});
afterAll(async () => {
  await b.cluster.stop();
  sandbox.stop();
});

const codeOf = (name: string): Promise<string> => readFile(`src/ui/panels/webhooks/examples/${name}.js`, 'utf8');

test('beds are converted both ways', async () => {
  await b.write('bed-converter', await codeOf('beds'));
  const definition = definitionOf('bed-converter', 'default', atob(b.caBundle), namesOf('k8s.io'));
  const { status } = await b.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
  expect(status).toBe(201);
  const beds = (version: string): string => `/apis/garden.example.com/${version}/namespaces/default/beds`;
  await expect.poll(async () => (await b.send('GET', beds('v1'))).status, { interval: 5 }).toBe(200);
  const bed = { apiVersion: 'garden.example.com/v1', kind: 'Bed', metadata: { name: 'a' }, spec: { size: '3x4' } };
  expect((await b.send('POST', beds('v1'), bed)).body.spec).toEqual({ size: '3x4' });
  expect((await b.send('GET', `${beds('v2')}/a`)).body.spec).toEqual({ width: 3, length: 4 });
});

test('an extender leaves nodes out, and prefers others', async () => {
  const { flags, files } = wiringOf({ name: 'green-nodes', askedBy: 'scheduler' }, 'default', namesOf('k8s.io')) ?? {};
  const c = await bench({ clock: 'real', scheduler: [...(flags ?? [])], files: files ?? {} }, sandbox);
  await c.write('green-nodes', await codeOf('greenNodes'));
  const sizes = { cpu: '4', memory: '8Gi', pods: '10' };
  const status = { capacity: sizes, allocatable: sizes, conditions: [{ type: 'Ready', status: 'True' }] };
  for (const [name, power] of Object.entries({ a: 'coal', b: 'gas', c: 'green' }))
    expect((await c.send('POST', '/api/v1/nodes', { metadata: { name, labels: { power } }, status })).status).toBe(201);
  const pods = '/api/v1/namespaces/default/pods';
  const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'nginx' }] } };
  await expect.poll(async () => (await c.send('POST', pods, pod)).status, { interval: 50 }).toBe(201);
  const placed = async (): Promise<unknown> => (await c.send('GET', `${pods}/p`)).body.spec?.nodeName;
  await expect.poll(placed, { interval: 20, timeout: 10_000 }).toBe('c');
  const { extenders } = (await c.cluster.scheduling.questions()).overview();
  expect(extenders).toEqual(['https://green-nodes.default.svc']);
  const asked = c.cluster.webhooks.calls().map((call) => new URL(call.url).pathname);
  expect(asked).toEqual(['/filter', '/prioritize']);
  await c.cluster.stop();
});
