import { describe, expect, test } from 'vitest';
import { World } from './simulation/world.ts';

/** `SEEDS=10000 npx vitest run test/storage/simulation` for a long run; `SEED=42` for one seed alone. */
const SEEDS = Number(process.env['SEEDS'] ?? 300);
const ONLY = process.env['SEED'];
const STEPS = 150;
const BATCH = 50;

describe('simulation (rules 1 to 23)', () => {
  const first = ONLY === undefined ? 0 : Number(ONLY);
  const last = ONLY === undefined ? SEEDS : first + 1;
  const total: Record<string, number> = {};

  for (let from = first; from < last; from += BATCH) {
    const to = Math.min(from + BATCH, last);
    test(`seeds ${from} to ${to - 1}`, { timeout: 120_000 }, async () => {
      for (let seed = from; seed < to; seed++) await run(seed, total);
    });
  }

  test.runIf(ONLY === undefined)('it has been everywhere', () => {
    for (const [what, count] of Object.entries(total)) expect(count, what).toBeGreaterThan(SEEDS / 4);
  });
});

async function run(seed: number, total: Record<string, number>): Promise<void> {
  const world = new World(seed);
  try {
    await world.open();
    for (let step = 0; step < STEPS; step++) await world.step();
    await world.drain();
    await world.crash();
  } catch (error) {
    throw new Error(`seed ${seed} breaks a rule: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  for (const [what, count] of Object.entries(world.counts)) total[what] = (total[what] ?? 0) + count;
}
