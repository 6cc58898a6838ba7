/** Tries each wanted mutant with modules that are loaded anew and have it from the start; within one process of vitest, which keeps the translated code. */
import { appendFileSync, readFileSync } from 'node:fs';
import { createVitest } from 'vitest/node';

const { MUTATE_RESULTS, MUTATE_WANTED } = process.env;
const done = new Set(
  readFileSync(MUTATE_RESULTS, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .flatMap(({ id, state }) => (state === 'killed' || state === 'covered' ? [id] : [])),
);
const vitest = await createVitest('test', {
  config: 'test/tools/mutants/vitest.config.ts',
  watch: false,
  reporters: [{}],
});
const tests = await vitest.globTestSpecifications();

/** The instrumented code looks for this name. */
async function passes(active) {
  process.env.__STRYKER_ACTIVE_MUTANT__ = active;
  vitest.state.filesMap.clear();
  const { testModules } = await vitest.runTestSpecifications(tests, true);
  return testModules.every((module) => module.ok());
}

const record = (line) => appendFileSync(MUTATE_RESULTS, `${JSON.stringify(line)}\n`);

if (!(await passes('none'))) throw new Error('The tests fail without a mutant.');
for (const id of JSON.parse(readFileSync(MUTATE_WANTED, 'utf8')).filter((wanted) => !done.has(wanted))) {
  record({ id, state: 'started' });
  record({ id, state: (await passes(id)) ? 'covered' : 'killed' });
}
await vitest.close();
process.exit(0);
