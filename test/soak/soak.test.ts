import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { etcdHere } from '../etcd/server.ts';

// In a process of its own: it looks what the whole process holds on to. `npm run soak -- --minutes 30` plays more seeds.
const soak = (...args: readonly string[]) =>
  spawnSync(process.execPath, ['test/tools/run.mjs', 'test/soak/main.ts', ...args], { encoding: 'utf8' });

test('a cluster under faults of every kind loses nothing and holds on to nothing', { timeout: 600_000 }, () => {
  const run = soak('--rounds', '20');
  expect(run.stdout).toMatch(/^seed 1: 20 rounds, [1-9]\d* answered writes, [1-9]\d* events over .*no violation\n$/);
  expect(run.stderr).toBe('');
});

test('a server whose clients vanish in the middle of everything holds on to nothing', { timeout: 600_000 }, () => {
  const run = soak('--clients', '--rounds', '2');
  const servers = ['memory', 'files', ...(etcdHere.has ? ['etcd'] : [])];
  expect(run.stdout).toBe(servers.map((place) => `${place}, 2 rounds: nothing is held on to\n`).join(''));
});
