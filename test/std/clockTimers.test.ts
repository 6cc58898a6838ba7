import fc from 'fast-check';
import { expect, test } from 'vitest';
import { manualClock, realClock, type HostTime, type Timer } from '../../src/std/index.ts';

test('timers fire by their moment, then in the order in which they were set, but for those that were cleared', async () => {
  const set = fc.record({
    ms: fc.integer({ min: 0, max: 20 }),
    clear: fc.option(fc.nat({ max: 40 }), { nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(set, { maxLength: 40 }), async (all) => {
      const clock = manualClock(0);
      const fired: number[] = [];
      const timers: Timer[] = [];
      const plain: { ms: number; i: number }[] = [];
      for (const [i, { ms, clear }] of all.entries()) {
        timers.push(clock.setTimeout(() => fired.push(i), ms));
        plain.push({ ms, i });
        if (clear === undefined) continue;
        clock.clearTimeout(timers[clear]);
        const at = plain.findIndex((timer) => timer.i === clear);
        if (at >= 0) plain.splice(at, 1);
      }
      await clock.step(30);
      expect(fired).toEqual(plain.sort((a, b) => a.ms - b.ms).map(({ i }) => i));
    }),
  );
});

test('thousands of timers are held against a plain list', async () => {
  const [few, many] = [fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 5000 })];
  await fc.assert(
    fc.asyncProperty(
      few,
      fc.array(fc.tuple(fc.boolean(), many), { minLength: 900, maxLength: 1200 }),
      async (step, all) => {
        const clock = manualClock(0);
        const fired: number[] = [];
        let plain: { readonly ms: number; readonly i: number; readonly timer: Timer }[] = [];
        for (const [i, [isSet, n]] of all.entries()) {
          if (isSet || plain.length < 600) plain.push({ ms: n, i, timer: clock.setTimeout(() => fired.push(i), n) });
          else {
            const [gone] = plain.splice(n % plain.length, 1);
            clock.clearTimeout(gone?.timer);
            clock.clearTimeout(gone?.timer);
          }
        }
        plain = plain.sort((a, b) => a.ms - b.ms || a.i - b.i);
        await clock.step(step);
        await clock.step(5000);
        expect(fired).toEqual(plain.map(({ i }) => i));
      },
    ),
    { numRuns: 20 },
  );
});

/** A host whose time is moved by hand, and that says for how long it was asked to wait. */
function countingHost(): HostTime & { readonly asked: number[]; pass(ms: number): void } {
  let now = 0;
  let waiting: { readonly fn: () => void; readonly due: number } | undefined;
  const asked: number[] = [];
  return {
    asked,
    now: () => now,
    schedule: (fn, ms) => {
      asked.push(ms);
      return (waiting = { fn, due: now + ms });
    },
    cancel: (handle) => {
      if (handle === waiting) waiting = undefined;
    },
    pass: (ms) => {
      now += ms;
      const due = waiting && waiting.due <= now ? waiting : undefined;
      if (due) waiting = undefined;
      due?.fn();
    },
  };
}

test('a host waits for the first timer alone: a later one asks nothing of it', () => {
  const host = countingHost();
  const clock = realClock(1, host);
  const fired: string[] = [];
  clock.setTimeout(() => fired.push('first'), 100);
  for (let i = 0; i < 10; i++) clock.setTimeout(() => fired.push('later'), 500 + i);
  expect(host.asked).toEqual([100]);
  clock.setTimeout(() => fired.push('sooner'), 50);
  expect(host.asked).toEqual([100, 50]);
  host.pass(50);
  host.pass(50);
  expect(fired).toEqual(['sooner', 'first']);
  host.pass(450);
  expect(fired).toHaveLength(12);
  clock.dispose();
});

test('timers go on after one that throws', () => {
  const host = countingHost();
  const clock = realClock(1, host);
  const fired: string[] = [];
  clock.setTimeout(() => {
    throw new Error('broken');
  }, 10);
  clock.setTimeout(() => fired.push('next'), 20);
  expect(() => host.pass(10)).toThrow('broken');
  host.pass(10);
  expect(fired).toEqual(['next']);
  clock.dispose();
});
