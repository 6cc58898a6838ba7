/**
 * Changes the code of one room in many small ways, one at a time, and counts how many changes its tests notice:
 *
 *     npm run mutate -- --room controllers                      all of src/controllers, with test/controllers and test/client
 *     npm run mutate -- --room controllers --files job/plan.ts  only these files of the room (comma-separated, globs)
 *     npm run mutate -- --room storage --tests storage,hosts    with these test folders
 *     npm run mutate -- --room authz --quick                    in one process and without the tests that start a cluster: a minute or two for a room
 *     npm run mutate -- --room node --quick --clusters          in one process, with all tests of the room: slow, so a share will do
 *     npm run mutate -- --room network --share 0.05 --seed 3    a random share of the room's lines, the same for the same seed
 *     npm run mutate -- --room merge --quick --sample 300       that many mutants, drawn at random from all of the room
 *     npm run mutate -- --room merge --quick --also apiserver   what survives is tried again with the tests of these folders
 *     npm run mutate -- --room merge --quick --afresh           what survives is tried again with modules that remember nothing: some seconds each
 *
 * Survivors are listed; the scores by room stand in docs/quality.md. One folder has one run at a time.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { tryQuickly } from './mutants/quick.mjs';

/** A sample takes this many lines in a row, so that changes to short blocks are in it too. */
const WINDOW = 10;
const LOCK = '.stryker-tmp/run.pid';

const { values } = parseArgs({
  options: {
    room: { type: 'string' },
    files: { type: 'string', default: '**/*.ts' },
    tests: { type: 'string' },
    share: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    quick: { type: 'boolean', default: false },
    clusters: { type: 'boolean', default: false },
    sample: { type: 'string' },
    also: { type: 'string' },
    afresh: { type: 'boolean', default: false },
    concurrency: { type: 'string', default: '1' },
  },
});
if (!values.room) {
  console.error(
    'usage: npm run mutate -- --room ROOM [--files GLOB,…] [--tests FOLDER,…] [--quick [--clusters] [--sample COUNT] [--also FOLDER,…] [--afresh]] [--share PART] [--seed N] [--concurrency N]',
  );
  process.exit(2);
}

const { room, files } = values;
const windows = sample(
  matching(files.split(',').map((file) => `src/${room}/${file}`)),
  Number(values.share),
  Number(values.seed),
);
const tests = values.tests ?? room;
lock();
if (values.quick) {
  const { seed, clusters, also, afresh, sample: count } = values;
  await tryQuickly(rangesOf(windows), { passes: also ? [tests, also] : [tests], seed, clusters, count, afresh });
} else runStryker();

/** Two runs in one folder would write into the same results. */
function lock() {
  mkdirSync('.stryker-tmp', { recursive: true });
  try {
    writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
  } catch {
    const pid = readFileSync(LOCK, 'utf8');
    if (isRunning(Number(pid))) {
      console.error(`Process ${pid} tries mutants in this folder: wait for its end, or use another clone.`);
      process.exit(2);
    }
    writeFileSync(LOCK, String(process.pid));
  }
  process.once('exit', () => rmSync(LOCK, { force: true }));
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function runStryker() {
  const mutate = windows.map(({ file, from, to }) => `${file}:${from}-${to}`).join(',');
  const args = [
    'stryker',
    'run',
    'test/tools/stryker.config.mjs',
    '--mutate',
    mutate,
    '--concurrency',
    values.concurrency,
  ];
  const child = spawn('npx', args, { stdio: 'inherit', env: { ...process.env, MUTATE_TESTS: tests } });
  child.on('exit', (code) => process.exit(code ?? 1));
}

function matching(patterns) {
  const found = execFileSync('git', ['ls-files', ...patterns.map((pattern) => `:(glob)${pattern}`)], {
    encoding: 'utf8',
  });
  return found.split('\n').filter(Boolean);
}

/** Random windows of lines of the files, which together make up the share. */
function sample(found, share, seed) {
  let state = seed;
  const next = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  return found.flatMap((file) => (share < 1 ? windowsOf(file).filter(() => next() < share) : [wholeOf(file)]));
}

function linesOf(file) {
  return readFileSync(file, 'utf8').split('\n').length;
}

function wholeOf(file) {
  return { file, from: 1, to: linesOf(file) };
}

function windowsOf(file) {
  return Array.from({ length: Math.ceil(linesOf(file) / WINDOW) }, (_, i) => ({
    file,
    from: i * WINDOW + 1,
    to: (i + 1) * WINDOW,
  }));
}

/** The windows by file, with lines counted from 0. */
function rangesOf(windows) {
  const ranges = {};
  for (const { file, from, to } of windows)
    (ranges[file] ??= []).push({ start: { line: from - 1, column: 0 }, end: { line: to - 1, column: 10_000 } });
  return ranges;
}
