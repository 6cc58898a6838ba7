/**
 * Runs the tests once, and then again for each mutant that they cover, in the same process: a mutant costs milliseconds.
 * The instrumented code asks for each mutant whether it is the active one, and counts which mutants a test comes by.
 */
import { appendFileSync, existsSync, readFileSync, utimesSync } from 'node:fs';
import { TestRunner } from 'vitest';
import type { RunnerTestCase, RunnerTestFile, RunnerTestSuite, RunnerTask } from 'vitest';

interface Switches {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
  mutantCoverage?: {
    readonly static: Record<string, number>;
    readonly perTest: Record<string, Record<string, number>>;
  };
}

interface Line {
  readonly id: string;
  readonly state: 'static' | 'reached' | 'covered' | 'started' | 'killed' | 'stained';
}

type Hook = (...args: unknown[]) => unknown;
type Failed = { readonly by: string } | undefined;

const { setTimeout, clearTimeout } = globalThis;
const results = String(process.env['MUTATE_RESULTS']);
const switches = ((globalThis as { __stryker__?: Switches }).__stryker__ ??= {});
/** A test that takes longer, and much longer than it did without a mutant, has failed. */
const LONGEST_MS = 8000;
const TIMES_LONGER = 4;
const SEED = Number(process.env['MUTATE_SEED'] ?? 1);

const record = (line: Line & { readonly by?: string }): void => appendFileSync(results, `${JSON.stringify(line)}\n`);

/** What earlier runs found: a mutant that was started twice without an end hangs, one that stained the process twice is killed. */
function settled(): Set<string> {
  const done = new Set<string>();
  const stained = new Set<string>();
  for (const text of existsSync(results) ? readFileSync(results, 'utf8').split('\n').filter(Boolean) : []) {
    const { id, state } = JSON.parse(text) as Line;
    if (state === 'killed' || state === 'covered' || (state === 'stained' && stained.has(id))) done.add(id);
    if (state === 'stained') stained.add(id);
  }
  return done;
}

const finished: RunnerTestFile[] = [];

/** Notes which test comes by which mutants; what a suite's hooks do is done for each of its tests. */
export default class MutantRunner extends TestRunner {
  override async onBeforeRunSuite(suite: RunnerTestSuite): Promise<void> {
    await super.onBeforeRunSuite(suite);
    switches.currentTestId = suite.id;
  }

  override onBeforeTryTask(test: RunnerTask): void {
    super.onBeforeTryTask(test as RunnerTestCase);
    switches.currentTestId = test.id;
  }

  override onAfterTryTask(test: RunnerTask): void {
    switches.currentTestId = suiteOf(test as RunnerTestCase).id;
    super.onAfterTryTask(test as RunnerTestCase);
  }

  override async onAfterRunSuite(suite: RunnerTestSuite): Promise<void> {
    await super.onAfterRunSuite(suite);
    switches.currentTestId = suite === suite.file ? undefined : (suite.suite ?? suite.file).id;
    if (suite === suite.file) finished.push(suite.file);
  }
}

const suiteOf = (test: RunnerTestCase): RunnerTestSuite => test.suite ?? test.file;

/** After all other tests; in a random order, so that a run that is ended early is a sample. */
export async function tryMutants(): Promise<void> {
  switches.currentTestId = undefined;
  const done = settled();
  const wanted = new Set(JSON.parse(readFileSync(String(process.env['MUTATE_WANTED']), 'utf8')) as string[]);
  const isWanted = (id: string): boolean => wanted.has(id);
  for (const id of Object.keys(switches.mutantCoverage?.static ?? {}).filter(isWanted)) record({ id, state: 'static' });
  const all = finished.flatMap(testsOf);
  const passed = all.filter((test) => test.result?.state === 'pass');
  for (const test of done.size === 0 ? all.filter((each) => each.result?.state === 'fail') : [])
    process.stderr.write(`fails without a mutant, so it kills none: ${test.file.name} › ${test.name}\n`);
  const covered = coverageOf(passed.sort((a, b) => durationOf(a) - durationOf(b)));
  for (const id of covered.keys()) if (!isWanted(id)) covered.delete(id);
  for (const id of covered.keys()) record({ id, state: 'reached' });
  for (const [id, { by, hits }] of shuffled([...covered]))
    if (!done.has(id) && (await tryMutant(id, hits, by, done)) === 'stained') return;
}

const durationOf = (test: RunnerTestCase): number => test.result?.duration ?? 0;

function shuffled<T>(items: readonly T[]): T[] {
  const next = mulberry(SEED);
  return items
    .map((item) => [next(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}

/** Numbers from 0 to 1, the same for the same seed. */
function mulberry(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The tests that come by each mutant, and how often they do. */
function coverageOf(tests: readonly RunnerTestCase[]): Map<string, { by: RunnerTestCase[]; hits: number }> {
  const covered = new Map<string, { by: RunnerTestCase[]; hits: number }>();
  const { perTest = {} } = switches.mutantCoverage ?? {};
  for (const test of tests) {
    for (const task of [test, ...suitesOf(test)]) {
      for (const [id, count] of Object.entries(perTest[task.id] ?? {})) {
        const known = covered.get(id) ?? { by: [], hits: 0 };
        if (known.by.at(-1) !== test) known.by.push(test);
        known.hits += count;
        covered.set(id, known);
      }
    }
  }
  return covered;
}

/** From the file down to the suite that the test is in. */
function suitesOf(test: RunnerTestCase): RunnerTestSuite[] {
  const suites: RunnerTestSuite[] = [];
  for (let suite: RunnerTestSuite | undefined = suiteOf(test); suite; suite = suite.suite) suites.unshift(suite);
  return suites.includes(test.file) ? suites : [test.file, ...suites];
}

async function tryMutant(
  id: string,
  hits: number,
  tests: readonly RunnerTestCase[],
  done: Set<string>,
): Promise<Line['state']> {
  record({ id, state: 'started' });
  Object.assign(switches, { activeMutant: id, hitCount: 0, hitLimit: hits * 100 });
  const failed = await runByFile(tests);
  Object.assign(switches, { activeMutant: undefined, hitCount: undefined, hitLimit: undefined });
  // The test that failed has to pass again, or what the mutant did is still there.
  const isStained = failed && (await runByFile(tests.filter((test) => test.id === failed.by)));
  const state = isStained ? 'stained' : failed ? 'killed' : 'covered';
  record({ id, state, ...failed });
  if (failed) done.add(id);
  return state;
}

/** The files of the quickest tests first. */
async function runByFile(tests: readonly RunnerTestCase[]): Promise<Failed> {
  for (const file of new Set(tests.map((test) => test.file))) {
    const failed = await runTests(
      file,
      tests.filter((test) => test.file === file),
    );
    if (failed) return failed;
  }
  return undefined;
}

function testsOf(suite: RunnerTestSuite): RunnerTestCase[] {
  return suite.tasks.flatMap((task) => (task.type === 'suite' ? testsOf(task) : [task]));
}

/** Runs some tests of a suite with its hooks, until one fails. */
async function runTests(suite: RunnerTestSuite, wanted: readonly RunnerTestCase[]): Promise<Failed> {
  const hooks = TestRunner.getSuiteHooks(suite);
  const cleanups: unknown[] = [];
  const first = String(wanted[0]?.id);
  try {
    for (const hook of hooks.beforeAll as Hook[]) cleanups.push(await inTime(() => hook({}, suite)));
    return await runTasks(suite, wanted);
  } catch {
    return { by: first };
  } finally {
    for (const hook of [...(hooks.afterAll as Hook[]), ...cleanups])
      if (typeof hook === 'function') await inTime(() => (hook as Hook)({}, suite)).catch(() => undefined);
  }
}

async function runTasks(suite: RunnerTestSuite, wanted: readonly RunnerTestCase[]): Promise<Failed> {
  for (const task of suite.tasks) {
    if (task.type === 'suite') {
      const inside = testsOf(task).filter((test) => wanted.includes(test));
      const failed = inside.length > 0 ? await runTests(task, inside) : undefined;
      if (failed) return failed;
    } else if (wanted.includes(task)) {
      // Many tests may take long together: only one that does not end hangs the process.
      utimesSync(results, new Date(), new Date());
      if (!(await passes(task))) return { by: task.id };
    }
  }
  return undefined;
}

async function passes(test: RunnerTestCase): Promise<boolean> {
  const suites = suitesOf(test);
  const hooksOf = (name: 'beforeEach' | 'afterEach'): Hook[] =>
    suites.flatMap((suite) => TestRunner.getSuiteHooks(suite)[name] as unknown as Hook[]);
  const cleanups: unknown[] = [];
  try {
    for (const hook of hooksOf('beforeEach')) cleanups.push(await inTime(() => hook(test.context, test.suite)));
    await inTime(() => TestRunner.getTestFn(test)(), durationOf(test) * TIMES_LONGER);
    return true;
  } catch {
    return false;
  } finally {
    for (const hook of [...hooksOf('afterEach'), ...cleanups, ...onFinished()])
      if (typeof hook === 'function')
        await inTime(() => (hook as Hook)(test.context, test.suite)).catch(() => undefined);
  }
}

/** What the test wants done when it is over: noted with the one test that vitest knows to be running, which tries the mutants. */
function onFinished(): unknown[] {
  const running = TestRunner.getCurrentTest<RunnerTestCase & { onFinished?: unknown[] }>();
  const { onFinished = [] } = running;
  delete running.onFinished;
  return onFinished.reverse();
}

async function inTime(run: () => unknown, atLeast = 0): Promise<unknown> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('too late')), Math.max(LONGEST_MS, atLeast));
  });
  try {
    return await Promise.race([run(), late]);
  } finally {
    clearTimeout(timer);
  }
}
