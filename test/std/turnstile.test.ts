import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { yieldToTasks, Turnstile } from '../../src/std/index.ts';

/** A turnstile whose turns the test makes; `started` lists who has started in each turn. */
function bench() {
  const started: string[][] = [[]];
  let end: (() => void) | undefined;
  const turnstile = new Turnstile(() => new Promise((resolve) => (end = resolve)));
  const come = (name: string, later = false, flow = ''): void => {
    const start = (): void => void started.at(-1)?.push(name);
    const turn = turnstile.pass(flow, later);
    if (turn) void turn.then(start);
    else start();
  };
  /** Ends the turn; what may start then has started when this resolves. */
  const turn = async (): Promise<void> => {
    started.push([]);
    end?.();
    await yieldToTasks();
  };
  return { turnstile, started, come, turn };
}

describe('a turnstile', () => {
  test('lets through at once who finds it free', () => {
    const { started, come } = bench();
    come('a');
    expect(started).toEqual([['a']]);
  });

  test('knows how many wait, those in the background not counted', async () => {
    const { turnstile, come, turn } = bench();
    expect(turnstile.waiting).toBe(0);
    for (const name of ['a', 'b', 'c', 'd']) come(name);
    come('later', true);
    expect(turnstile.waiting).toBe(3);
    await turn();
    come('e');
    expect(turnstile.waiting).toBe(3);
    for (let left = 2; left >= 0; left--) {
      await turn();
      expect(turnstile.waiting).toBe(left);
    }
    await turn();
    expect(turnstile.waiting).toBe(0);
  });

  test('lets one through in each turn, in the order in which they came', async () => {
    const { started, come, turn } = bench();
    for (const name of ['a', 'b', 'c']) come(name);
    await turn();
    come('d');
    for (let i = 0; i < 3; i++) await turn();
    expect(started).toEqual([['a'], ['b'], ['c'], ['d'], []]);
  });

  test('lets flows alternate, however much waits in one', async () => {
    const { started, come, turn } = bench();
    for (let i = 0; i < 1000; i++) come(`a${i}`, false, 'a');
    await turn();
    for (const name of ['b0', 'b1']) come(name, false, 'b');
    come('c0', false, 'c');
    for (let i = 0; i < 1002; i++) await turn();
    const order = started.flat();
    expect(order.slice(0, 8)).toEqual(['a0', 'a1', 'a2', 'b0', 'c0', 'a3', 'b1', 'a4']);
    expect(order.filter((name) => name.startsWith('a'))).toEqual(Array.from({ length: 1000 }, (_, i) => `a${i}`));
  });

  test('is free one turn after the last caller passed', async () => {
    const { started, come, turn } = bench();
    come('a');
    come('b');
    await turn();
    come('c');
    expect(started).toEqual([['a'], ['b']]);
    await turn();
    await turn();
    come('d');
    expect(started).toEqual([['a'], ['b'], ['c'], ['d']]);
  });

  test('starts background work when no other work is waiting', async () => {
    const { started, come, turn } = bench();
    come('a');
    come('background 1', true);
    come('background 2', true);
    come('b');
    come('c');
    await turn();
    come('d');
    for (let i = 0; i < 5; i++) await turn();
    expect(started).toEqual([['a'], ['b'], ['c'], ['d'], ['background 1'], ['background 2'], []]);
  });

  test('starts background work that 128 others have overtaken', async () => {
    const { started, come, turn } = bench();
    come('a');
    come('background', true);
    const before = started.length;
    for (let i = 0; i < 140; i++) {
      come(`${i}`);
      await turn();
    }
    expect(started.findIndex((names) => names.includes('background')) - before).toBe(128);
  });

  test('starts background work after all that waited when it came', async () => {
    const { started, come, turn } = bench();
    for (let i = 0; i < 301; i++) come(`${i}`);
    come('background', true);
    for (let i = 0; i < 10; i++) come(`later ${i}`);
    for (let i = 0; i < 311; i++) await turn();
    expect(started.flat().indexOf('background')).toBe(301);
  });

  test('does not wait for what it has let through', async () => {
    const turnstile = new Turnstile();
    const answers: string[] = [];
    const work = async (name: string, ms: Promise<void>): Promise<void> => {
      await turnstile.pass();
      await ms;
      answers.push(name);
    };
    let release = (): void => undefined;
    const slow = work('slow', new Promise((resolve) => (release = resolve)));
    await work('fast', Promise.resolve());
    release();
    await slow;
    expect(answers).toEqual(['fast', 'slow']);
  });

  test('for any order of arrival, everyone passes in order and no turn has two', async () => {
    const arrivals = fc.array(fc.nat({ max: 4 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(arrivals, async (groups) => {
        const { started, come, turn } = bench();
        const everybody: string[] = [];
        for (const [at, size] of groups.entries()) {
          for (let i = 0; i < size; i++) {
            everybody.push(`${at}.${i}`);
            come(`${at}.${i}`);
          }
          await turn();
        }
        for (let i = 0; i <= everybody.length; i++) await turn();
        expect(started.flat()).toEqual(everybody);
        expect(Math.max(...started.map(({ length }) => length))).toBeLessThanOrEqual(1);
      }),
      { seed: 11, numRuns: 100 },
    );
  });
});
