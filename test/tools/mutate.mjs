/**
 * Changes the code of one room in many small ways, one at a time, and counts how many changes its tests notice:
 *
 *     npm run mutate -- --room controllers                      all of src/controllers, with test/controllers and test/client
 *     npm run mutate -- --room controllers --files job/plan.ts  only these files of the room (comma-separated, globs)
 *     npm run mutate -- --room storage --tests storage,hosts    with these test folders
 *     npm run mutate -- --room network --share 0.05 --seed 3    a random share of the room's lines, the same for the same seed
 *
 * Survivors are listed; the scores by room stand in docs/quality.md.
 */
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

/** A sample takes this many lines in a row, so that changes to short blocks are in it too. */
const WINDOW = 10;

const { values } = parseArgs({
  options: {
    room: { type: 'string' },
    files: { type: 'string', default: '**/*.ts' },
    tests: { type: 'string' },
    share: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    concurrency: { type: 'string', default: '1' },
  },
});
if (!values.room) {
  console.error(
    'usage: npm run mutate -- --room ROOM [--files GLOB,…] [--tests FOLDER,…] [--share PART] [--seed N] [--concurrency N]',
  );
  process.exit(2);
}

const { room, files } = values;
const patterns = files.split(',').map((file) => `src/${room}/${file}`);
const share = Number(values.share);
const mutate = (share < 1 ? sample(patterns, share, Number(values.seed)) : patterns).join(',');
const env = { ...process.env, MUTATE_TESTS: values.tests ?? room };
const args = [
  'stryker',
  'run',
  'test/tools/stryker.config.mjs',
  '--mutate',
  mutate,
  '--concurrency',
  values.concurrency,
];
const child = spawn('npx', args, { stdio: 'inherit', env });
child.on('exit', (code) => process.exit(code ?? 1));

/** Random windows of lines of the files that match, which together make up the share. */
function sample(patterns, share, seed) {
  const found = execFileSync('git', ['ls-files', ...patterns.map((pattern) => `:(glob)${pattern}`)], {
    encoding: 'utf8',
  });
  const windows = found.split('\n').filter(Boolean).flatMap(windowsOf);
  let state = seed;
  const next = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  return windows.filter(() => next() < share);
}

function windowsOf(file) {
  const lines = readFileSync(file, 'utf8').split('\n').length;
  return Array.from({ length: Math.ceil(lines / WINDOW) }, (_, i) => `${file}:${i * WINDOW + 1}-${(i + 1) * WINDOW}`);
}
