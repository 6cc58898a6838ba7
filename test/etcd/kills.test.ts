import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { etcdHere } from './server.ts';

// Each round starts a process; `npm run kills -- --servers --rounds 200` plays as many as one has time for.
test.skipIf(!etcdHere.has)(
  `servers that are killed lose nothing that was answered, and watches go on elsewhere${etcdHere.has ? '' : ` (${etcdHere.why})`}`,
  { timeout: 120_000 },
  () => {
    const run = spawnSync(
      process.execPath,
      ['test/tools/run.mjs', 'test/kills/main.ts', '--servers', '--rounds', '3'],
      { encoding: 'utf8' },
    );
    expect(run.stderr).toBe('');
    expect(run.stdout).toMatch(/^3 kills of two servers on one etcd: [1-9]\d* answered writes, none lost; [1-9]/);
  },
);
