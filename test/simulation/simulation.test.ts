import { describe, expect, test } from 'vitest';
import { simulate } from './run.ts';

/** Some seeds; `npm run simulate` plays a thousand. */
const SEEDS = Array.from({ length: 20 }, (_, i) => i + 1);

describe('a cluster under random work, conflicts, ended watches and restarts comes to rest as it should', () => {
  test.each(SEEDS)('seed %i', { timeout: 120_000 }, async (seed) => {
    const { faults, steps } = await simulate(seed);
    expect(faults, steps.join('\n')).toEqual([]);
  });
});
