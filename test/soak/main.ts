/**
 * `npm run soak [-- --minutes N] [--seed S] [--rounds R]`: plays one seed after the other for so many minutes (one seed where no
 * time is given). Prints a line for each; where something is wrong, what, and all that was done. Ends with 1 then.
 */
import { setMaxListeners } from 'node:events';
import { parseArgs } from 'node:util';
import { bytesInUse, grown } from './leaks.ts';
import { soak } from './soak.ts';

// All that a cluster does hangs on a few signals.
setMaxListeners(1000);

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '100' },
  },
});
const [minutes, first, rounds] = [values.minutes, values.seed, values.rounds].map(Number) as [number, number, number];
if (!(minutes >= 0 && first >= 0 && rounds > 0)) {
  console.error('usage: npm run soak -- [--minutes N] [--seed S] [--rounds R]');
  process.exit(2);
}

/** What the program compiles when code first runs stays in memory: a short run comes before those that are judged. */
const FIRST_ROUNDS = 25;
await soak(first, FIRST_ROUNDS);

const end = performance.now() + minutes * 60_000;
let wrong = 0;
/** Memory in use after the second seed: by then all code has run. */
let settledAt: number | undefined;
for (let seed = first; seed === first || performance.now() < end; seed++) {
  const { faults: found, steps, answered, events, watches } = await soak(seed, rounds);
  const bytes = await bytesInUse();
  const faults = [...found, ...(settledAt === undefined ? [] : grown('after the cluster is gone', settledAt, bytes))];
  if (seed === first + 1) settledAt = bytes;
  const counts = `${rounds} rounds, ${answered} answered writes, ${events} events over ${watches} watches`;
  console.log(`seed ${seed}: ${counts}, ${faults.length === 0 ? 'no violation' : 'VIOLATIONS'}`);
  if (faults.length === 0) continue;
  wrong++;
  console.log(`  ${faults.join('\n  ')}\n  after: ${steps.join('; ')}`);
}
process.exit(wrong > 0 ? 1 : 0);
