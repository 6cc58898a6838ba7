/**
 * `npm run fuzz -- --inputs N [--seed S] [--area NAME]`: throws N random inputs at a cluster and reports every answer that
 * is a fault of the server, takes too long, or stores what can't be read back. What it finds goes to `test/fuzz/found/`;
 * mended, it belongs in `test/fuzz/corpus/`, which `npm test` replays.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { areas } from './areas.ts';
import type { Input } from './input.ts';
import { Target } from './target.ts';

const BATCH = 500;
/** So many batches go to one cluster; then a new one starts, so that what piles up in it slows nothing down. */
const BATCHES_PER_CLUSTER = 40;
const FOUND = 'test/fuzz/found';

const { values } = parseArgs({
  options: { inputs: { type: 'string', default: '10000' }, seed: { type: 'string' }, area: { type: 'string' } },
});
const wanted = Number(values.inputs);
const seed = Number(values.seed ?? Date.now() % 1_000_000_000);
const chosen = Object.entries(areas).filter(([name]) => values.area === undefined || values.area === name);
if (chosen.length === 0 || !(wanted > 0)) {
  console.error(`usage: npm run fuzz -- --inputs N [--seed S] [--area ${Object.keys(areas).join('|')}]`);
  process.exit(2);
}

const found = new Map<string, number>();
const counts = new Map<string, number>();
const started = performance.now();
let target = await Target.start();
let done = 0;
for (let batch = 0; done < wanted; batch++) {
  const [name, inputs] = chosen[batch % chosen.length] as (typeof chosen)[number];
  if (batch > 0 && batch % BATCHES_PER_CLUSTER === 0) {
    await target.stop();
    target = await Target.start();
  }
  for (const input of fc.sample(inputs, { numRuns: Math.min(BATCH, wanted - done), seed: seed + batch })) {
    const problem = await target.problemOf(input);
    if (problem !== undefined) report(name, input, problem);
    done++;
  }
  counts.set(name, (counts.get(name) ?? 0) + BATCH);
  if (batch % 20 === 0) console.log(`${done} inputs, ${found.size} problems, ${rate()} per second`);
}
await target.stop();
console.log([...counts].map(([name, count]) => `${name} ${count}`).join(', '));
console.log(`${done} inputs with seed ${seed}: ${found.size} problems, ${rate()} per second`);
process.exit(found.size > 0 ? 1 : 0);

function rate(): number {
  return Math.round((done / (performance.now() - started)) * 1000);
}

/** Keeps the first input of each problem: where its numbers and names differ, it is the same. */
function report(area: string, input: Input, problem: string): void {
  const key = `${area}: ${problem
    .replace(/\d+/g, '0')
    .replace(/\\?"[^"]*"/g, '""')
    .slice(0, 160)}`;
  found.set(key, (found.get(key) ?? 0) + 1);
  if (found.get(key) !== 1) return;
  const name = createHash('sha256').update(JSON.stringify(input)).digest('hex').slice(0, 10);
  mkdirSync(FOUND, { recursive: true });
  writeFileSync(`${FOUND}/${area}-${name}.json`, `${JSON.stringify(input, null, 2)}\n`);
  console.log(`${area}-${name}: ${problem}`);
}
