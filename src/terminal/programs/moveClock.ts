import { fail, out, type Program } from '../../programs/index.ts';
import { amountOfTime } from '../../std/index.ts';
import type { Tools } from './tools.ts';

/** `clock` shows the cluster's time, `clock 1h` moves it forward. */
export const moveClock =
  ({ surroundings }: Tools): Program =>
  async (process) => {
    const amount = process.args.slice(1).join(' ');
    const ms = amount === '' ? 0 : amountOfTime(amount);
    if (ms === undefined) return fail(process, 'write an amount of time like 90s, 1h30m or 7d');
    if (ms > 0) await process.wait(surroundings.step?.(ms) ?? Promise.resolve());
    await out(process, `${new Date(surroundings.clock.now()).toISOString().replace('T', ' ').slice(0, 19)} UTC\n`);
    return 0;
  };
