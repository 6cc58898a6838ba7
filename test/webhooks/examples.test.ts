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

/** What the extender of the example says of a node that burns coal. */
const COAL = 'the node burns coal';

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
  await expect.poll(async () => (await c.send('POST', pods, pod)).status, { interval: 50, timeout: 20_000 }).toBe(201);
  const placed = async (): Promise<unknown> => (await c.send('GET', `${pods}/p`)).body.spec?.nodeName;
  await expect.poll(placed, { interval: 20, timeout: 10_000 }).toBe('c');
  const called = (): string[] => c.cluster.webhooks.calls().map((call) => new URL(call.url).pathname);
  expect(called()).toEqual(['/filter', '/prioritize']);

  const ask = await c.cluster.scheduling.questions();
  const extender = 'https://green-nodes.default.svc';
  expect(ask.overview()).toMatchObject({ extenders: [extender], asksExtenders: true });
  const told = await ask.explain({ pod: 'default/p' });
  expect(told.winners).toEqual(['c']);
  expect(told.filters.at(-1)).toBe(extender);
  expect(told.nodes[0]).toMatchObject({ node: 'a', fits: false, first: { plugin: extender, reasons: [COAL] } });
  const scores = told.nodes.map((row) => row.scores?.find(({ plugin }) => plugin === extender));
  expect(scores).toEqual([
    undefined,
    { plugin: extender, raw: 0, normalized: 0, weight: 1, weighted: 0 },
    { plugin: extender, raw: 10, normalized: 100, weight: 1, weighted: 100 },
  ]);
  expect((await ask.verdicts({ pod: 'default/p' }, 'a')).filter(({ isFirst }) => isFirst)).toMatchObject([
    { plugin: extender, reasons: [COAL] },
  ]);
  expect(await ask.drain('c')).toEqual([{ pod: 'default/p', what: 'is-lost' }]);
  // Without the extender they would be spread over all three.
  expect(await ask.fit({ pod: 'default/p' }, 3)).toEqual({ count: 3, byNode: { c: 3 } });
  expect(called()).not.toContain('/bind');

  const { body } = await c.send('GET', '/api/v1/namespaces/default/configmaps/green-nodes');
  const past = await c.cluster.at(Number(body.metadata?.resourceVersion));
  const then = await past.scheduling.questions();
  expect(then.overview()).toMatchObject({ extenders: [extender], asksExtenders: false });
  const before = called().length;
  expect(
    (await then.explain({ pod: { metadata: { name: 'q' }, spec: pod.spec, status: {} } as never })).winners,
  ).toEqual([]);
  expect(called()).toHaveLength(before);
  await past.stop();

  // One that has to answer and doesn't fails the pod, in the scheduler as in what if.
  const data = { 'handler.js': 'export default () => { throw new Error("out of order"); };' };
  const map = '/api/v1/namespaces/default/configmaps/green-nodes';
  expect((await c.send('PATCH', map, { data }, 'application/merge-patch+json')).status).toBe(200);
  const why = async (): Promise<string | undefined> => (await ask.explain({ pod: 'default/p' })).why;
  const failed = `failed filter with extender at URL ${extender}, code 500`;
  await expect.poll(why, { interval: 20, timeout: 10_000 }).toBe(failed);
  const broken = await ask.explain({ pod: 'default/p' });
  expect(broken.winners).toEqual([]);
  expect(broken.nodes.every(({ fits }) => !fits)).toBe(true);
  await c.cluster.stop();
}, 60_000);
