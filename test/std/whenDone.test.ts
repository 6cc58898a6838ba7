import { describe, expect, it } from 'vitest';
import { whenDone, type Waiting } from '../../src/std/index.ts';

function* sum(promises: readonly (Promise<number> | number)[]): Waiting<number> {
  let total = 0;
  for (const part of promises) {
    if (typeof part === 'number') total += part;
    else {
      yield part.then((value) => (total += value));
    }
  }
  return total;
}

function* careful(awaited: Promise<unknown>): Waiting<string> {
  try {
    yield awaited;
    return 'done';
  } catch (problem) {
    return String(problem);
  }
}

describe('work that waits here and there', () => {
  it('is done at once where there is nothing to wait for', () => expect(whenDone(sum([1, 2, 3]))).toBe(6));

  it('goes on after each promise', async () => {
    const working = whenDone(sum([1, Promise.resolve(2), 3, Promise.resolve(4)]));
    expect(working).toBeInstanceOf(Promise);
    expect(await working).toBe(10);
  });

  it('throws at once what it meets before it waits', () => {
    function* failing(): Waiting<void> {
      throw new Error('early');
    }
    expect(() => whenDone(failing())).toThrow('early');
  });

  it('gets what a promise was rejected with where it waited', async () => {
    expect(await whenDone(careful(Promise.reject(new Error('late'))))).toBe('Error: late');
    expect(await whenDone(careful(Promise.resolve()))).toBe('done');
  });

  it('rejects with what it does not handle', async () => {
    await expect(whenDone(sum([Promise.reject(new Error('late'))]))).rejects.toThrow('late');
  });
});
