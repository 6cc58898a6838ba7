/** Each request of a control loop tells what it reacts to. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Cause, RequestEvent, TraceEvent } from '../../src/trace/index.ts';
import { Wakings } from '../../src/controllers/runtime/wakings.ts';
import { Bench, deployment } from './bench.ts';

let bench: Bench;

beforeEach(async () => {
  bench = await Bench.start();
});
afterEach(() => bench.stop());

const SETS = '/apis/apps/v1/namespaces/default/replicasets';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const PODS = '/api/v1/namespaces/default/pods';

type Received = Extract<RequestEvent, { stage: 'received' }>;

/** The first request of this method and path, and the revision that it made. */
function sent(events: readonly TraceEvent[], method: string, path: string): { causes: readonly Cause[]; made: number } {
  const requests = events.filter((event): event is RequestEvent => event.topic === 'request');
  const found = requests.find(
    (event): event is Received => event.stage === 'received' && event.method === method && event.url.startsWith(path),
  );
  const stored = requests.find((event) => event.stage === 'stored' && event.request === found?.request);
  return { causes: found?.causes ?? [], made: stored?.stage === 'stored' ? stored.revision : 0 };
}

test('a cascade has at each step the loop, its key and the revision that woke it', async () => {
  const events = bench.listen('request');
  await bench.create(DEPLOYMENTS, deployment('web', 2));
  await bench.until(PODS, ({ items }) => items.length === 2);
  const made = sent(events, 'POST', DEPLOYMENTS);
  const set = sent(events, 'POST', SETS);
  const pod = sent(events, 'POST', PODS);
  const [{ metadata }] = await bench.items(SETS);
  expect(made.causes).toEqual([]);
  expect(set.causes).toEqual([
    {
      controller: 'deployment',
      key: 'default/web',
      woken: [{ why: 'Deployment default/web added', revision: made.made }],
    },
  ]);
  expect(pod.causes).toEqual([
    {
      controller: 'replicaset',
      key: `default/${metadata.name}`,
      woken: [{ why: `ReplicaSet default/${metadata.name} added`, revision: set.made }],
    },
  ]);
});

test('a deletion by the garbage collector is caused by the deletion of the owner', async () => {
  await bench.create(DEPLOYMENTS, deployment('web', 0));
  await bench.until(SETS, ({ items }) => items.length === 1);
  const events = bench.listen('request');
  await bench.delete(`${DEPLOYMENTS}/web`);
  await bench.until(SETS, ({ items }) => items.length === 0);
  const deletion = sent(events, 'DELETE', DEPLOYMENTS);
  const [cause] = sent(events, 'DELETE', SETS).causes;
  expect(cause?.controller).toBe('garbagecollector');
  expect(cause?.woken.at(-1)?.revision).toBe(deletion.made);
});

test('a failed run is retried with the same causes and newer ones', () => {
  const wakings = new Wakings();
  wakings.note('a', { why: 'first', revision: 1 });
  wakings.begin('a');
  wakings.note('a', { why: 'second', revision: 2 });
  expect(wakings.causes('loop')).toEqual([{ controller: 'loop', key: 'a', woken: [{ why: 'first', revision: 1 }] }]);
  wakings.end('a', true);
  expect(wakings.causes('loop')).toEqual([]);
  wakings.begin('a');
  expect(wakings.causes('loop')[0]?.woken.map(({ why }) => why)).toEqual(['first', 'second']);
  wakings.end('a', false);
  wakings.begin('a');
  expect(wakings.causes('loop')[0]?.woken).toEqual([]);
});

test('of very many changes only the latest are kept', () => {
  const wakings = new Wakings();
  for (let revision = 1; revision <= 50; revision += 1) wakings.note('a', { why: 'changed', revision });
  wakings.begin('a');
  const revisions = wakings.causes('loop')[0]?.woken.map(({ revision }) => revision);
  expect(revisions).toHaveLength(20);
  expect(revisions?.at(-1)).toBe(50);
});
