/** Two workers of one cluster, one of which goes while something is under way between them. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { setImmediate } from 'node:timers/promises';
import { follow, lead } from '../../src/hosts/tabs/peers.ts';
import { deferred } from '../../src/hosts/wire/deferred.ts';
import type { WireClient } from '../../src/hosts/wire/index.ts';

const call = { realm: 'api', method: 'GET', path: '/version', headers: [] } as const;
const uncaught: unknown[] = [];
const note = (error: unknown): void => void uncaught.push(error);

beforeEach(() => {
  uncaught.length = 0;
  process.on('uncaughtException', note).on('unhandledRejection', note);
  // Both workers live: nobody's pulse ends.
  vi.stubGlobal('navigator', { locks: { request: () => new Promise(() => undefined) } });
});

afterEach(() => {
  process.off('uncaughtException', note).off('unhandledRejection', note);
  vi.unstubAllGlobals();
});

async function turns(): Promise<void> {
  for (let i = 0; i < 50; i++) await setImmediate();
}

test('an answer that comes when the leader has closed breaks nothing', async () => {
  const held = deferred<Response>();
  const asked = deferred<void>();
  const leadership = lead('answer', 'a', () => (asked.resolve(), held.promise));
  const joined = deferred<WireClient>();
  const following = follow('answer', 'b', { onLeader: joined.resolve, onLost: () => undefined });
  const answer = (await joined.promise).send(call);
  const refused = expect(answer).rejects.toThrow('the tab that ran the cluster was closed');
  await asked.promise;
  leadership.close();
  held.resolve(new Response('late'));
  await turns();
  following.close();
  await refused;
  expect(uncaught).toEqual([]);
});

test('a request that is on its way when the follower leaves fails, and nothing else does', async () => {
  const leadership = lead('request', 'a', () => Promise.resolve(new Response('here')));
  const joined = deferred<WireClient>();
  const following = follow('request', 'b', { onLeader: joined.resolve, onLost: () => undefined });
  const wire = await joined.promise;
  expect(await (await wire.send(call)).text()).toBe('here');
  const refused = expect(wire.send(call)).rejects.toThrow('the tab that ran the cluster was closed');
  following.close();
  await refused;
  await turns();
  leadership.close();
  expect(uncaught).toEqual([]);
});
