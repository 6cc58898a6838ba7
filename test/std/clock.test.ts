import { describe, expect, test } from 'vitest';
import {
  hostTime,
  IDLE,
  manualClock,
  yieldToTasks,
  realClock,
  type ControlledClock,
  type TimerUse,
} from '../../src/std/index.ts';

const START = Date.UTC(2026, 0, 1);

/** What happens when, in seconds after the start. */
function diary(clock: ControlledClock): { readonly note: (what: string) => void; readonly lines: string[] } {
  const lines: string[] = [];
  return { lines, note: (what) => lines.push(`${(clock.now() - START) / 1000} ${what}`) };
}

/** A disk: what is written arrives after some turns of the host's event loop. */
async function write(turns = 20): Promise<void> {
  for (let i = 0; i < turns; i++) await new Promise((resolve) => hostTime.schedule(() => resolve(undefined), 0));
}

describe('a step', () => {
  test('fires each timer at its own moment, in order, and ends at its own', async () => {
    const clock = manualClock(START);
    const { lines, note } = diary(clock);
    clock.setTimeout(() => note('late'), 3000);
    clock.setTimeout(() => note('early'), 1000);
    clock.setTimeout(() => note('never'), 6000);
    await clock.step(5000);
    expect(lines).toEqual(['1 early', '3 late']);
    expect(clock.now()).toBe(START + 5000);
  });

  test('tells whole milliseconds, also in a timer that was set to part of one', async () => {
    const clock = manualClock(START);
    const seen: number[] = [];
    clock.setTimeout(() => seen.push(clock.now()), 1000.4);
    await clock.step(2000.5);
    expect([...seen, clock.now()]).toEqual([START + 1001, START + 2000]);
  });

  test('stands still while something is written', async () => {
    const clock = manualClock(START);
    const { lines, note } = diary(clock);
    const writing = async (): Promise<void> => {
      await clock.during(write(), 'io');
      note('written');
      clock.setTimeout(() => note('later'), 500);
    };
    clock.setTimeout(() => void writing(), 1000);
    clock.setTimeout(() => note('next'), 2000);
    await clock.step(5000);
    expect(lines).toEqual(['1 written', '1.5 later', '2 next']);
  });

  test('begins when what was in flight before it is done', async () => {
    const clock = manualClock(START);
    const { lines, note } = diary(clock);
    void clock.during(write(), 'io').then(() => note('written'));
    clock.setTimeout(() => note('fired'), 0);
    await clock.step(1000);
    expect(lines).toEqual(['0 written', '0 fired']);
  });

  test('tells its listener when what was in flight before it is done', async () => {
    const clock = manualClock(START);
    const { lines, note } = diary(clock);
    clock.onMove(() => note('moved'));
    void clock.during(write(), 'io').then(() => note('written'));
    await clock.step(1000);
    expect(lines).toEqual(['0 written', '0 moved']);
  });

  test('does not wait for a task that itself waits for the clock', async () => {
    const clock = manualClock(START);
    const answered = new Promise<void>((resolve) => clock.setTimeout(resolve, 2000));
    void clock.during(answered, 'task');
    await clock.step(3000);
    expect(clock.now()).toBe(START + 3000);
    await answered;
  });

  test('goes on after work that fails', async () => {
    const clock = manualClock(START);
    clock.during(Promise.reject(new Error('disk full')), 'io').catch(() => undefined);
    await clock.step(1000);
    expect(clock.now()).toBe(START + 1000);
  });

  test('ends at the present moment when it is stopped', async () => {
    const clock = manualClock(START);
    clock.setTimeout(() => clock.stopStep(), 2000);
    await clock.step(60_000);
    expect(clock.now()).toBe(START + 2000);
    expect(clock.target).toBeUndefined();
    await clock.step(1000);
    expect(clock.now()).toBe(START + 3000);
  });

  test('waits for the step before it', async () => {
    const clock = manualClock(START);
    const first = clock.step(1000);
    await yieldToTasks();
    expect(clock.target).toBe(START + 1000);
    await Promise.all([first, clock.step(1000)]);
    expect(clock.now()).toBe(START + 2000);
  });

  test('of a running clock holds the time that runs', async () => {
    let host = START;
    const clock = realClock(1, { ...hostTime, now: () => host });
    clock.setTimeout(() => (host += 60_000), 500);
    await clock.step(1000);
    expect(clock.now()).toBe(START + 1000);
    host += 10;
    expect(clock.now()).toBe(START + 1010);
    clock.dispose();
  });
});

describe('a listener of a clock', () => {
  test('hears of pause, speed and steps: before each step, and again when it is stopped early', async () => {
    const host = START;
    const clock = realClock(1, { ...hostTime, now: () => host });
    const heard: unknown[] = [];
    clock.onMove(({ now, paused, scale }) => void heard.push([(now - START) / 1000, paused, scale]));
    clock.setScale(10);
    clock.pause();
    await clock.step(5000);
    clock.setTimeout(() => clock.stopStep(), 1000);
    await clock.step(5000);
    clock.resume();
    expect(heard).toEqual([
      [0, false, 10],
      [0, true, 10],
      [5, true, 10],
      [10, true, 10],
      [6, true, 10],
      [6, false, 10],
    ]);
    clock.dispose();
  });
});

describe('a long step', () => {
  const HOUR = 3_600_000;

  /** A timer that comes again and again. */
  function every(clock: ControlledClock, ms: number, use: TimerUse, fn: () => void): void {
    clock.setTimeout(
      () => {
        fn();
        every(clock, ms, use, fn);
      },
      ms,
      use,
    );
  }

  test('fires a periodic timer once, and any other at its own moment', async () => {
    const clock = manualClock(START);
    const { lines, note } = diary(clock);
    every(clock, 10_000, { beat: 'n' }, () => note('beat'));
    every(clock, 60_000, IDLE, () => note('idle'));
    clock.setTimeout(() => note('matters'), 2 * HOUR);
    await clock.step(3 * HOUR);
    expect(lines).toEqual(['7200 beat', '7200 idle', '7200 matters', '10800 beat', '10800 idle']);
    expect(clock.now()).toBe(START + 3 * HOUR);
  });

  test('fires a timer that guards a heartbeat at its moment when no heartbeat is due', async () => {
    const clock = manualClock(START);
    const { lines, note } = diary(clock);
    clock.setTimeout(() => note('silent'), 40_000, { guards: 'n' });
    await clock.step(HOUR);
    expect(lines).toEqual(['40 silent']);
  });

  test('fires a heartbeat before the timer that guards it', async () => {
    const clock = manualClock(START);
    const { lines, note } = diary(clock);
    every(clock, 10_000, { beat: 'n' }, () => note('beat'));
    clock.setTimeout(() => note('looked'), 5_000, { guards: 'n' });
    await clock.step(HOUR);
    expect(lines).toEqual(['3600 beat', '3600 looked']);
  });

  test('fires each timer at its own moment in a short step', async () => {
    const clock = manualClock(START);
    const { lines, note } = diary(clock);
    every(clock, 10_000, { beat: 'n' }, () => note('beat'));
    await clock.step(30_000);
    expect(lines).toEqual(['10 beat', '20 beat', '30 beat']);
  });

  test('names the next timer that matters', () => {
    const clock = manualClock(START);
    expect(clock.next).toBeUndefined();
    every(clock, 10, { beat: 'n' }, () => undefined);
    clock.setTimeout(() => undefined, 5000, { what: 'job default/once' });
    expect(clock.next).toEqual({ due: START + 5000, what: 'job default/once' });
  });
});
