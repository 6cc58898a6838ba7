/** Controllers whose code comes with the first object that they look after. */
import { afterAll, expect, it, vi } from 'vitest';
import { createCluster } from '../../src/cluster/index.ts';
import { Client, configMaps, keyOf } from '../../src/client/index.ts';
import { first, runControllers, wakeOn, type Controller, type Start } from '../../src/controllers/runtime/index.ts';
import { Part, seededRandom } from '../../src/std/index.ts';

const cluster = await createCluster({ name: 'on-demand', apiserver: ['--authorization-mode=AlwaysAllow'] });
afterAll(() => cluster.stop());

const client = new Client({ transport: cluster.transportAs('tester'), names: cluster.names, userAgent: 'test' });
const create = (name: string): Promise<unknown> =>
  client.of(configMaps).create({ metadata: { name, namespace: 'default' } });

it('waits for its first object, retries loading its code, and then sees all objects', async () => {
  const seen: string[] = [];
  let fetches = 0;
  const start: Start = (context) => {
    const reconcile = (key: string): Promise<void> => Promise.resolve(void seen.push(key));
    wakeOn(context.loop({ reconcile }), context.informers.of(configMaps), (map) =>
      map.metadata.namespace === 'default' ? [keyOf(map)] : [],
    );
  };
  const fetch = (): Promise<{ start: Start }> =>
    ++fetches > 1 ? Promise.resolve({ start }) : Promise.reject(new Error('no network'));
  const controller: Controller = {
    name: 'drowsy',
    wakesOn: [first(configMaps, ({ metadata }) => metadata.name === 'alarm')],
    start: new Part(fetch).of('start'),
  };
  const running = runControllers([controller], {
    transportFor: (identity) => cluster.transportAs(identity),
    clock: cluster.clock,
    random: seededRandom('on-demand'),
    tracer: cluster.trace,
    names: cluster.names,
    flags: (name) => ({ controllers: '*', 'use-service-account-credentials': 'false' })[name],
    gate: () => true,
  });
  await running.ready;
  await create('whisper');
  expect(fetches).toBe(0);
  await create('alarm');
  await vi.waitFor(() => expect(seen).toEqual(expect.arrayContaining(['default/alarm', 'default/whisper'])), 10_000);
  expect(fetches).toBe(2);
  await create('later');
  await vi.waitFor(() => expect(seen).toContain('default/later'), 10_000);
  await running.stop();
});
