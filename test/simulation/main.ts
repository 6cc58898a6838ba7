/** Plays many seeds through: `npm run simulate -- [how many] [the first]`. Prints the seeds that show a fault, and what was done. */
import { simulate } from './run.ts';

const [count = 1000, first = 1] = process.argv.slice(2).map(Number);
let wrong = 0;
for (let seed = first; seed < first + count; seed++) {
  const { faults, steps } = await simulate(seed);
  if (faults.length > 0) {
    wrong += 1;
    console.log(`seed ${seed}\n  ${faults.join('\n  ')}\n  after: ${steps.join('; ')}`);
  }
  if ((seed - first + 1) % 50 === 0) console.log(`${seed - first + 1} of ${count} seeds, ${wrong} with faults`);
}
console.log(`${count} seeds, ${wrong} with faults`);
process.exitCode = wrong > 0 ? 1 : 0;
