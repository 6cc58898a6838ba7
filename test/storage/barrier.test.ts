/** One query answers all who ask before it is sent; whoever asks during one waits for the next. */
import { expect, test } from 'vitest';
import { settle } from '../../src/std/index.ts';
import { Barrier } from '../../src/storage/shared/barrier.ts';

/** A query that is answered, or fails, when the test says so. */
function asking(): { barrier: Barrier<string>; queries: { answer(text: string): void; fail(): void }[] } {
  const queries: { answer(text: string): void; fail(): void }[] = [];
  const ask = (): Promise<string> =>
    new Promise((resolve, reject) => {
      queries.push({ answer: resolve, fail: () => reject(new Error('nobody is there')) });
    });
  return { barrier: new Barrier(ask), queries };
}

test('whoever asks while nothing is under way sends a query', async () => {
  const { barrier, queries } = asking();
  const first = barrier.pass();
  queries[0]?.answer('one');
  expect(await first).toBe('one');
  await settle();
  const second = barrier.pass();
  queries[1]?.answer('two');
  expect([await second, queries.length]).toEqual(['two', 2]);
});

test('all who ask during a query get the answer of the next', async () => {
  const { barrier, queries } = asking();
  const first = barrier.pass();
  const later = [barrier.pass(), barrier.pass()];
  expect(queries).toHaveLength(1);
  queries[0]?.answer('one');
  expect(await first).toBe('one');
  await settle();
  expect(queries).toHaveLength(2);
  const latest = barrier.pass();
  queries[1]?.answer('two');
  expect(await Promise.all(later)).toEqual(['two', 'two']);
  await settle();
  queries[2]?.answer('three');
  expect([await latest, queries.length]).toEqual(['three', 3]);
});

test('a query that fails fails those who asked for it, and the next is sent all the same', async () => {
  const { barrier, queries } = asking();
  const first = barrier.pass().catch(String);
  const later = barrier.pass();
  queries[0]?.fail();
  expect(await first).toBe('Error: nobody is there');
  await settle();
  queries[1]?.answer('two');
  expect(await later).toBe('two');
});
