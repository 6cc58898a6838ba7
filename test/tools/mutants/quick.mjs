/** Tries the mutants of some files within one process of vitest, which is started again when a mutant hangs it or leaves it changed. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';

// The instrumenter is Stryker's own part: where Stryker has it.
const fromStryker = createRequire(import.meta.resolve('@stryker-mutator/core'));
const { Instrumenter } = await import(pathToFileURL(fromStryker.resolve('@stryker-mutator/instrumenter')).href);

const FOLDER = '.stryker-tmp/quick';
const SOURCES = `${FOLDER}/sources.json`;
const RESULTS = `${FOLDER}/results.jsonl`;
const WANTED = `${FOLDER}/wanted.json`;
const REPORT = '.stryker-tmp/report.json';
/** A test that takes longer with a mutant hangs the process. */
const SILENCE_MS = 45_000;
const AT_ONCE = ['vitest', 'run', '--config', 'test/tools/mutants/vitest.config.ts'];
/** A mutant of what a module computes once shows only where it is there from the start. */
const AFRESH = ['node', 'test/tools/mutants/afresh.mjs'];
const SURVIVING = ['Survived', 'NoCoverage'];

const silent = () => undefined;
const logger = { debug: silent, info: silent, warn: silent, error: silent, isDebugEnabled: () => false };

/**
 * `ranges`: files with the lines to change, or with `true` for all. `passes`: the tests of each pass; one after the first tries only what survived.
 * `count`: how many mutants, drawn at random; all without it. `afresh`: what survived is tried again, each mutant with modules loaded anew. Prints survivors and the score.
 */
export async function tryQuickly(ranges, { passes, seed, clusters, count, afresh }) {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const drawn = draw(await instrument(ranges), count, seed);
  const statuses = new Map(drawn.map((mutant) => [mutant.id, mutant.status ?? 'NoCoverage']));
  // What a run that is ended early has tried is a sample.
  let settle = () => undefined;
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => {
      settle();
      process.exit(report(ranges, drawn, statuses));
    });
  const all = [...passes, ...(afresh ? passes.slice(0, 1) : [])];
  for (const [pass, tests] of all.entries()) {
    settle = () => settlePass(statuses, pass);
    const isAfresh = pass === passes.length;
    const tried = isAfresh ? ['Survived'] : SURVIVING;
    const wanted = [...statuses.keys()].filter((id) => tried.includes(statuses.get(id)));
    await runPass(wanted, { tests, seed, clusters, isAfresh });
    settle();
  }
  report(ranges, drawn, statuses);
}

function draw(mutants, count, seed) {
  if (!count) return mutants;
  const order = (id) => createHash('sha256').update(`${seed} ${id}`).digest('hex');
  return mutants
    .map((mutant) => [order(mutant.id), mutant])
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, Number(count))
    .map(([, mutant]) => mutant);
}

async function runPass(wanted, options) {
  writeFileSync(WANTED, JSON.stringify(wanted));
  writeFileSync(RESULTS, '');
  let known = -1;
  while (known < readResults().lines) {
    known = readResults().lines;
    await run(options);
    if (!readResults().isOpen) break;
  }
}

/** After the first pass a mutant that was not tried again keeps its status. */
function settlePass(statuses, pass) {
  for (const [id, status] of readResults().states)
    if (SURVIVING.includes(statuses.get(id)) && (pass === 0 || isTried(status))) statuses.set(id, status);
}

async function instrument(ranges) {
  const files = Object.entries(ranges).map(([name, mutate]) => ({ name, mutate, content: readFileSync(name, 'utf8') }));
  const options = { plugins: null, ignorers: [], excludedMutations: [], noHeader: false };
  const result = await new Instrumenter(logger).instrument(files, options);
  writeFileSync(SOURCES, JSON.stringify(Object.fromEntries(result.files.map(({ name, content }) => [name, content]))));
  return result.mutants;
}

function run({ tests, seed, clusters, isAfresh }) {
  const env = {
    ...process.env,
    MUTATE_TESTS: tests,
    MUTATE_SOURCES: SOURCES,
    MUTATE_RESULTS: RESULTS,
    MUTATE_WANTED: WANTED,
    MUTATE_SEED: seed,
    MUTATE_CLUSTERS: String(clusters),
    MUTATE_AFRESH: String(isAfresh),
  };
  const command = isAfresh ? AFRESH : AT_ONCE;
  const child = spawn('npx', command, { stdio: ['ignore', 'ignore', 'inherit'], env, detached: true });
  const watch = setInterval(() => {
    const { last } = readResults();
    if (!isTrying(last) || Date.now() - statSync(RESULTS).mtimeMs < SILENCE_MS) return;
    // What a mutant leaves behind may hang the process after its verdict.
    const found = last.state === 'started' ? { state: 'killed', by: 'time' } : { state: 'stained' };
    appendFileSync(RESULTS, `${JSON.stringify({ id: last.id, ...found })}\n`);
    process.kill(-child.pid, 'SIGKILL');
  }, 5000);
  const stop = () => process.kill(-child.pid, 'SIGKILL');
  process.once('exit', stop);
  return new Promise((resolve) => child.on('exit', () => resolve())).finally(() => {
    clearInterval(watch);
    process.off('exit', stop);
  });
}

/** Until the first mutant is tried, also after a new start, all tests run once. */
const isTrying = (last) =>
  last?.state === 'started' || last?.state === 'covered' || (last?.state === 'killed' && last.by !== 'time');

/** What is known of each mutant; `isOpen` if the last run did not come to its end. */
function readResults() {
  const lines = existsSync(RESULTS) ? readFileSync(RESULTS, 'utf8').split('\n').filter(Boolean) : [];
  const states = new Map();
  const stained = new Set();
  let last;
  for (const line of lines) {
    last = JSON.parse(line);
    const { id, state, by } = last;
    if (state === 'killed' || (state === 'stained' && stained.has(id)))
      states.set(id, by === 'time' ? 'Timeout' : 'Killed');
    else if (state === 'covered') states.set(id, 'Survived');
    else if (state === 'reached' && !isTried(states.get(id))) states.set(id, 'Pending');
    else if (state === 'static' && !states.has(id)) states.set(id, 'Ignored');
    if (state === 'stained') stained.add(id);
  }
  return { lines: lines.length, states, last, isOpen: last?.state === 'stained' || last?.by === 'time' };
}

const isTried = (status) => status === 'Killed' || status === 'Timeout' || status === 'Survived';

function report(ranges, mutants, statuses) {
  const files = Object.fromEntries(
    Object.keys(ranges).map((name) => [name, { source: readFileSync(name, 'utf8'), mutants: [] }]),
  );
  const counts = { Killed: 0, Timeout: 0, Survived: 0, NoCoverage: 0, Ignored: 0, Pending: 0 };
  for (const mutant of mutants) {
    const status = statuses.get(mutant.id);
    files[mutant.fileName].mutants.push({ ...mutant, status });
    counts[status] += 1;
  }
  writeFileSync(REPORT, JSON.stringify({ schemaVersion: '2', files }));
  for (const [name, file] of Object.entries(files)) {
    const lines = file.source.split('\n');
    for (const { status, location, mutatorName, replacement } of file.mutants)
      if (status === 'Survived' || status === 'NoCoverage')
        console.log(
          `${name}:${location.start.line + 1} ${status} ${mutatorName}: ${lines[location.start.line].trim()} => ${replacement}`,
        );
  }
  const killed = counts.Killed + counts.Timeout;
  const tried = killed + counts.Survived;
  // What was not tried is like what was; what no test reaches survives.
  const reached = (tried + counts.Pending) / (tried + counts.Pending + counts.NoCoverage);
  const score = ((100 * killed * reached) / tried).toFixed(0);
  console.log(
    `${killed} of ${tried} killed, ${counts.Pending} not tried, ${counts.NoCoverage} without a test: ${score} %`,
  );
  return 0;
}
