import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

// In a process of its own: it looks what the whole process holds on to. `npm run soak -- --minutes 30` plays more seeds.
test('a cluster under faults of every kind loses nothing and holds on to nothing', { timeout: 300_000 }, () => {
  const run = spawnSync(process.execPath, ['test/tools/run.mjs', 'test/soak/main.ts', '--rounds', '20'], {
    encoding: 'utf8',
  });
  expect(run.stdout).toMatch(/^seed 1: 20 rounds, [1-9]\d* answered writes, [1-9]\d* events over .*no violation\n$/);
  expect(run.stderr).toBe('');
});
