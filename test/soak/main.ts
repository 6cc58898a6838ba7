/**
 * `npm run soak [-- --minutes N] [--seed S] [--rounds R] [--chromium]`: plays one seed after the other for so many minutes (one seed
 * where no time is given), in this process or in a browser's tabs. Prints a line for each; where something is wrong, what, and all
 * that was done. Ends with 1 then.
 * `npm run soak -- --clients [--rounds R]`: clients that behave badly against servers on memory, files and etcd instead (`clients.ts`).
 * `npm run soak -- --heartbeats [--hours N]`: a day of the heartbeats of 50 nodes instead (`heartbeats.ts`). Prints what is held each hour.
 */
import { setMaxListeners } from 'node:events';
import { parseArgs } from 'node:util';
import { etcdHere } from '../etcd/server.ts';
import { openBrowser } from './browser.ts';
import { badClients, places } from './clients.ts';
import { heartbeats } from './heartbeats.ts';
import { bytesInUse, grown } from './leaks.ts';
import type { SoakOutcome } from './outcome.ts';
import { soak } from './soak.ts';

// All that a cluster does hangs on a few signals.
setMaxListeners(1000);

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '100' },
    chromium: { type: 'boolean', default: false },
    clients: { type: 'boolean', default: false },
    heartbeats: { type: 'boolean', default: false },
    hours: { type: 'string', default: '24' },
  },
});
const [minutes, first, rounds] = [values.minutes, values.seed, values.rounds].map(Number) as [number, number, number];
if (!(minutes >= 0 && first >= 0 && rounds > 0)) {
  console.error('usage: npm run soak -- [--minutes N] [--seed S] [--rounds R] [--chromium]');
  console.error('       npm run soak -- --clients [--rounds R]');
  console.error('       npm run soak -- --heartbeats [--hours N]');
  process.exit(2);
}

if (values.clients) {
  let wrong = 0;
  for (const place of places.filter((each) => each !== 'etcd' || etcdHere.has)) {
    const faults = await badClients(place, rounds);
    wrong += faults.length;
    console.log(`${place}, ${rounds} rounds: ${faults.length === 0 ? 'nothing is held on to' : faults.join('\n  ')}`);
  }
  process.exit(wrong > 0 ? 1 : 0);
}

const NODES = 50;
if (values.heartbeats) {
  const hours = Number(values.hours);
  const faults = await heartbeats({ nodes: NODES, hours }, (held) => console.log(JSON.stringify(held)));
  const result = faults.length === 0 ? 'nothing has grown' : `VIOLATIONS\n  ${faults.join('\n  ')}`;
  console.log(`${hours} hours of the heartbeats of ${NODES} nodes: ${result}`);
  process.exit(faults.length > 0 ? 1 : 0);
}

const browser = values.chromium ? await openBrowser() : undefined;
/** What the program compiles when code first runs stays in memory: a short run comes before those that are judged. */
const FIRST_ROUNDS = 25;
if (!browser) await soak(first, FIRST_ROUNDS);

const end = performance.now() + minutes * 60_000;
let wrong = 0;
/** Memory in use after the second seed: by then all code has run. */
let settledAt: number | undefined;
for (let seed = first; seed === first || performance.now() < end; seed++) {
  const outcome = await (browser ? browser.soak(seed, rounds) : soak(seed, rounds));
  const faults = [...outcome.faults, ...(browser ? [] : await memoryFaults(seed))];
  report(outcome, faults);
  if (faults.length > 0) wrong++;
}
await browser?.close();
process.exit(wrong > 0 ? 1 : 0);

/** Whether this process holds on to more with each cluster that is gone. */
async function memoryFaults(seed: number): Promise<readonly string[]> {
  const bytes = await bytesInUse();
  const faults = settledAt === undefined ? [] : grown('after the cluster is gone', settledAt, bytes);
  if (seed === first + 1) settledAt = bytes;
  return faults;
}

function report({ seed, steps, answered, events, watches }: SoakOutcome, faults: readonly string[]): void {
  const counts = `${rounds} rounds, ${answered} answered writes, ${events} events over ${watches} watches`;
  console.log(`seed ${seed}: ${counts}, ${faults.length === 0 ? 'no violation' : 'VIOLATIONS'}`);
  if (faults.length > 0) console.log(`  ${faults.join('\n  ')}\n  after: ${steps.join('; ')}`);
}
