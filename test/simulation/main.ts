/**
 * Plays many seeds through: `npm run simulate -- [--seeds A-B]`, of which pieces may run one after the other. Prints the seeds that show a
 * fault, and what was done.
 */
import { parseArgs } from 'node:util';
import { simulate } from './run.ts';

const { values } = parseArgs({ options: { seeds: { type: 'string', default: '1-1000' } } });
const [first, last] = /^\d+-\d+$/.test(values.seeds) ? values.seeds.split('-').map(Number) : [];
if (first === undefined || last === undefined || first > last) {
  console.error('usage: npm run simulate -- [--seeds FIRST-LAST]');
  process.exit(2);
}

const from = performance.now();
const wrong: number[] = [];
for (let seed = first; seed <= last; seed++) {
  const { faults, steps } = await simulate(seed);
  if (faults.length > 0) {
    wrong.push(seed);
    console.log(`seed ${seed}\n  ${faults.join('\n  ')}\n  after: ${steps.join('; ')}`);
  }
  if ((seed - first + 1) % 50 === 0) console.log(`${seed - first + 1} seeds, ${wrong.length} with faults`);
}
const seconds = Math.round((performance.now() - from) / 1000);
console.log(`seeds ${first} to ${last} in ${seconds} s, with faults: ${wrong.join(', ') || 'none'}`);
process.exitCode = wrong.length > 0 ? 1 : 0;
