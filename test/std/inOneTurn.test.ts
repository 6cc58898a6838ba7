/** Work outside of the thread takes its time; what happens in which order does not hang on how long. */
import { expect, test } from 'vitest';
import { inOneTurn, yieldToTasks } from '../../src/std/index.ts';

/** Work that ends after so many turns of the host, and tells of it. */
async function outside(turns: number, done: () => void): Promise<void> {
  for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve));
  done();
}

async function story(first: number, second: number): Promise<readonly string[]> {
  const told: string[] = [];
  const step = async (name: string): Promise<void> => {
    for (let i = 1; i <= 3; i++) {
      await yieldToTasks();
      told.push(`${name} ${i}`);
    }
  };
  const sign = async (name: string, turns: number): Promise<void> => {
    await inOneTurn(() => outside(turns, () => told.push(`${name} signed`)));
    told.push(`${name} goes on`);
    await yieldToTasks();
    told.push(`${name} ends`);
  };
  await Promise.all([step('a'), sign('x', first), step('b'), sign('y', second)]);
  return told;
}

test('the order is the same however long the work takes', async () => {
  const quick = await story(0, 0);
  expect(quick).toEqual([...new Set(quick)]);
  for (const [first, second] of [
    [5, 0],
    [0, 5],
    [9, 3],
  ] as const)
    expect(await story(first, second)).toEqual(quick);
});

test('work that fails lets others go on', async () => {
  await expect(inOneTurn(() => Promise.reject(new Error('no key')))).rejects.toThrow('no key');
  await yieldToTasks();
  await expect(inOneTurn(() => Promise.resolve('signed'))).resolves.toBe('signed');
});

test('who waited first goes on first', async () => {
  const told: number[] = [];
  await Promise.all([1, 2, 3].map((n) => yieldToTasks().then(() => told.push(n))));
  expect(told).toEqual([1, 2, 3]);
});
