import { describe, expect, it } from 'vitest';
import { runSyncIfPossible, type MaybeAsync } from '../../src/std/index.ts';

function* sum(promises: readonly (Promise<number> | number)[]): MaybeAsync<number> {
  let total = 0;
  for (const part of promises) {
    if (typeof part === 'number') total += part;
    else {
      yield part.then((value) => (total += value));
    }
  }
  return total;
}

function* careful(awaited: Promise<unknown>): MaybeAsync<string> {
  try {
    yield awaited;
    return 'done';
  } catch (problem) {
    return String(problem);
  }
}

describe('work that waits here and there', () => {
  it('is done at once where there is nothing to wait for', () => expect(runSyncIfPossible(sum([1, 2, 3]))).toBe(6));

  it('goes on after each promise', async () => {
    const working = runSyncIfPossible(sum([1, Promise.resolve(2), 3, Promise.resolve(4)]));
    expect(working).toBeInstanceOf(Promise);
    expect(await working).toBe(10);
  });

  it('throws at once what it meets before it waits', () => {
    function* failing(): MaybeAsync<void> {
      throw new Error('early');
    }
    expect(() => runSyncIfPossible(failing())).toThrow('early');
  });

  it('gets what a promise was rejected with where it waited', async () => {
    expect(await runSyncIfPossible(careful(Promise.reject(new Error('late'))))).toBe('Error: late');
    expect(await runSyncIfPossible(careful(Promise.resolve()))).toBe('done');
  });

  it('rejects with what it does not handle', async () => {
    await expect(runSyncIfPossible(sum([Promise.reject(new Error('late'))]))).rejects.toThrow('late');
  });
});
