/** How the deletion of a namespace goes on, where the server does not answer as it should. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { configMaps, namespaces, secrets } from '../../../src/client/index.ts';
import { Lab, type Loose } from '../lab.ts';
import { minute } from '../plans/objects.ts';

let lab: Lab;
beforeEach(() => {
  lab = new Lab();
});
afterEach(() => lab.stop());

const put = (name: string, finalizers: string[] = ['cluster'], leaving = true): Loose =>
  lab.server.put(namespaces, {
    metadata: { name, finalizers: ['keeps it'], ...(leaving && { deletionTimestamp: minute(0) }) },
    spec: { finalizers },
    status: { phase: 'Active' },
  });
const start = async (): Promise<void> => {
  await lab.start(['namespace']);
  await lab.pass(5);
};
const left = (name = 'ns'): string[] => lab.server.get(namespaces, name).spec.finalizers;

test('one that begins to be deleted is emptied, others are not', async () => {
  put('ns', ['cluster'], false);
  put('other', ['cluster'], false);
  put('leaves already');
  await start();
  expect([left('ns'), left('leaves already')]).toEqual([['cluster'], []]);
  lab.server.change(namespaces, 'ns', { metadata: { deletionTimestamp: minute(1) } });
  lab.server.change(namespaces, 'other', { metadata: { labels: { a: 'b' } } });
  await lab.requests();
  await lab.pass(4);
  expect(await lab.requests()).toEqual([]);
  await lab.pass(1);
  expect([left('ns'), left('other')]).toEqual([[], ['cluster']]);
  expect((await lab.requests()).filter((each) => !each.includes('namespaces/ns/'))).toEqual([]);
});

test('the finalizers of others are kept', async () => {
  put('ns', ['one', 'cluster', 'two']);
  await start();
  expect(left()).toEqual(['one', 'two']);
});

test('what is terminating already is not said again', async () => {
  put('ns');
  lab.server.change(namespaces, 'ns', { status: { phase: 'Terminating' } });
  await start();
  expect(await lab.requests()).toEqual(['PUT namespaces/ns/status', 'PUT namespaces/ns/finalize']);
});

test('a group that is not discovered keeps it, and is asked for again', async () => {
  put('ns');
  lab.server.serve({ group: 'down.io', version: 'v1', resource: 'xs', kind: 'X', namespaced: true });
  lab.server.refuse('GET', /^\/apis\/down.io\/v1$/, 503, 'ServiceUnavailable', 1);
  const told = lab.listen('reconcile');
  await start();
  expect(lab.server.get(namespaces, 'ns').status.conditions[0]).toMatchObject({
    ...{ status: 'True', reason: 'DiscoveryFailed' },
    message: 'Discovery failed for some groups, 1 failing: down.io/v1',
  });
  expect(told.find(({ what }) => what === 'failed')).toMatchObject({ key: 'ns', why: 'Error: down.io/v1' });
  await lab.pass(1);
  expect(left()).toEqual([]);
  expect(lab.server.get(namespaces, 'ns').status.conditions[0].status).toBe('False');
});

test('a plan tells what it waits for', async () => {
  lab.server.put(configMaps, { metadata: { name: 'c', namespace: 'ns', finalizers: ['f'] } });
  lab.server.put(secrets, { metadata: { name: 's', namespace: 'ns' } });
  put('ns');
  const told = lab.listen('reconcile', 'request');
  await start();
  expect(told.find(({ what }) => what === 'planned')).toMatchObject({
    ...{ key: 'ns', plan: [{ waits: 'configmaps', count: 1, finalizers: { f: 1 } }] },
  });
  expect(told.find(({ key, what }) => key === 'ns' && what === 'woken')?.why).toBe('Namespace ns changed');
  expect(told.find(({ what }) => what === 'done')?.why).toBe('again in 8000 ms');
});

test.each<[string, method: string, path: RegExp, code: number, reason: string, ends: boolean]>([
  ['the conditions conflict', 'PUT', /^namespaces\/ns\/status$/, 409, 'Conflict', true],
  ['the finalization conflicts', 'PUT', /finalize$/, 409, 'Conflict', true],
  ['the finalization is refused', 'PUT', /finalize$/, 403, 'Forbidden', false],
  ['the namespace cannot be read', 'GET', /namespaces\/ns$/, 403, 'Forbidden', false],
  ['it is gone when it is finalized', 'PUT', /finalize$/, 404, 'NotFound', false],
])('where %s, it is tried again', async (_, method, path, code, reason, atOnce) => {
  put('ns');
  lab.server.change(namespaces, 'ns', { status: { phase: 'Terminating' } });
  lab.server.refuse(method, path, code, reason, 1);
  await lab.start(['namespace']);
  await lab.clock.step(5000);
  await lab.settle();
  expect(left().length === 0).toBe(atOnce);
  await lab.pass(5);
  expect(left()).toEqual([]);
});

test('one that is gone needs nothing', async () => {
  put('ns');
  lab.server.refuse('GET', /namespaces\/ns$/, 404, 'NotFound', 1);
  const told = lab.listen('reconcile');
  await start();
  expect([told.filter(({ what }) => what === 'failed'), await lab.requests()]).toEqual([[], []]);
});
