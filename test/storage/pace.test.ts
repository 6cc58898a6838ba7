/** Under load writes begin a while apart; whoever writes alone never waits. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Committer } from '../../src/storage/committer.ts';
import { KeySpace } from '../../src/storage/keyspace.ts';
import { Pace } from '../../src/storage/pace.ts';
import { put } from './support.ts';

const GAP = 16;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Requests arrive all the time. */
function busy(): () => number {
  let waiting = 0;
  return () => waiting++;
}

/** How many writes of so many requests begin in a second, each of which takes so long. */
async function writesInASecond(requests: number, ms: number, waiting = busy()): Promise<number> {
  const pace = new Pace(GAP);
  const until = Date.now() + 1000;
  let writes = 0;
  const run = async (): Promise<void> => {
    while (Date.now() < until) {
      await pace.next(requests, waiting);
      writes++;
      await new Promise<void>((resolve) => setTimeout(resolve, ms));
    }
  };
  const done = run();
  await vi.advanceTimersByTimeAsync(1100);
  await done;
  return writes;
}

test('one request after the other is written at once, and many at a time are paced after a while', async () => {
  expect(await writesInASecond(1, 2)).toBe(500);
  const [paced, slow] = [await writesInASecond(5, 2), await writesInASecond(5, 25)];
  expect(paced).toBeGreaterThan(1000 / GAP);
  expect(paced).toBeLessThan(1000 / GAP + 25);
  expect(slow).toBe(40);
});

test('a pause ends early if no more requests arrive', async () => {
  expect(await writesInASecond(32, 4, () => 32)).toBeGreaterThan(1000 / (4 + 3));
});

test('a clock that is set back makes nobody wait longer', async () => {
  const pace = new Pace(GAP);
  for (let i = 0; i < 40; i++) void pace.next(9, busy());
  vi.setSystemTime(Date.now() - 3_600_000);
  let began = false;
  void pace.next(9, busy())?.then(() => (began = true));
  await vi.advanceTimersByTimeAsync(GAP);
  expect(began).toBe(true);
});

test('requests that come during a pause are written in one group with those that wait already', async () => {
  const groups: number[] = [];
  const space = new KeySpace();
  const publish = (): void => undefined;
  const append = async (changes: readonly unknown[]): Promise<void> => void groups.push(changes.length);
  const pace = new Pace(GAP);
  const committer = new Committer(space, append, publish, (requests, waiting) => pace.next(requests, waiting));
  const commits: Promise<unknown>[] = [];
  const add = (count: number): void => {
    for (let i = 0; i < count; i++) commits.push(committer.commit([put(`/${commits.length}`, 'x')]));
  };
  for (let i = 0; i < 30; i++) {
    add(9);
    await vi.advanceTimersByTimeAsync(0);
  }
  expect(groups.length).toBeLessThan(25);
  const before = groups.length;
  add(4);
  expect(committer.writing).toBeDefined();
  await vi.advanceTimersByTimeAsync(GAP);
  expect(groups.slice(before)).toEqual([commits.length - groups.slice(0, before).reduce((sum, n) => sum + n, 0)]);
  await Promise.all(commits);
  await committer.close();
});
