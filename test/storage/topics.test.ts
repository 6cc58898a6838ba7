import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Entry, StorageEvent, Topic } from '../../src/storage/index.ts';
import { TopicIndex } from '../../src/storage/topics.ts';
import { open, put, write } from './support.ts';

const entry = (value: string): Entry => ({ key: '/k', value, created: 1, revision: 1, version: 1 });
const first: Topic['of'] = ({ value }) => value.slice(0, 1);
const second: Topic['of'] = ({ value }) => value.slice(1, 2);

const value = fc.stringMatching(/^[abc]{2}$/);
const event = fc
  .record({ before: fc.option(value), now: fc.option(value) })
  .map(({ before, now }, revision = 1): StorageEvent => ({
    ...{ type: now === null ? 'delete' : 'put', revision, key: '/k' },
    ...(now !== null && { entry: entry(now) }),
    ...(before !== null && { previous: entry(before) }),
  }));
const topic = fc.record({ of: fc.constantFrom(first, second), value: fc.constantFrom('a', 'b', 'c', 'd') });

/** Asks every receiver about every event. */
const plainly = (topics: readonly Topic[], events: readonly StorageEvent[]): (readonly StorageEvent[])[] =>
  topics.map(({ of, value: wanted }) =>
    events.filter(({ entry: now, previous }) => [now, previous].some((one) => one && of(one) === wanted)),
  );

test('the index finds for each receiver what asking it about each event finds', () => {
  fc.assert(
    fc.property(fc.array(topic), fc.array(event), fc.array(fc.nat()), (topics, events, leaving) => {
      const index = new TopicIndex<number>();
      topics.forEach((one, i) => index.add(one, i));
      const gone = new Set(leaving.map((n) => n % Math.max(1, topics.length)).filter((i) => topics[i]));
      for (const i of gone) expect(index.delete(topics[i] as Topic, i)).toBe(true);
      const found = new Map(index.concerned(events));
      expect(index.size).toBe(topics.length - gone.size);
      expect(index.all().sort()).toEqual(
        topics
          .map((_, i) => i)
          .filter((i) => !gone.has(i))
          .sort(),
      );
      plainly(topics, events).forEach((wanted, i) => expect(found.get(i) ?? []).toEqual(gone.has(i) ? [] : wanted));
    }),
    { seed: 17, numRuns: 300 },
  );
});

test('leaving twice, or where nobody is, changes nothing', () => {
  const index = new TopicIndex<string>();
  const on = { of: first, value: 'a' };
  index.add(on, 'r');
  expect(index.delete({ of: second, value: 'a' }, 'r')).toBe(false);
  expect(index.delete(on, 'other')).toBe(false);
  expect(index.delete(on, 'r')).toBe(true);
  expect(index.delete(on, 'r')).toBe(false);
  expect(index.size).toBe(0);
});

test('rule 15: a watch on a topic hears what is on it, and what was', async () => {
  const storage = await open();
  const heard: string[] = [];
  const watch = storage.watch(
    { start: '/p/', end: '/p0', from: 0, topic: { of: first, value: 'a' } },
    (events) => void heard.push(...events.map(({ entry: now }) => now?.value ?? '-')),
    () => undefined,
  );
  await write(storage, put('/p/x', 'a1'), put('/p/y', 'b1'));
  await write(storage, put('/p/x', 'b2'));
  await write(storage, put('/p/x', 'b3'));
  await write(storage, put('/p/y', 'a2'));
  expect(heard).toEqual(['a1', 'b2', 'a2']);
  expect(storage.stats().watches).toBe(1);
  watch.close();
  await write(storage, put('/p/x', 'a4'));
  expect(heard).toHaveLength(3);
  expect(storage.stats().watches).toBe(0);
  await storage.close();
});
