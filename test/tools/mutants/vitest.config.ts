/**
 * How the tests of a room run with its mutants in the code: `MUTATE_TESTS` names their folders and files, comma-separated,
 * and `MUTATE_SOURCES` the file with the instrumented code. Tests that start a cluster are left out, unless they are named or `MUTATE_CLUSTERS` is set.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import base from '../../../vitest.config.ts';

const sources = JSON.parse(readFileSync(String(process.env['MUTATE_SOURCES']), 'utf8')) as Record<string, string>;
const byPath = new Map(Object.entries(sources).map(([file, code]) => [resolve(file), code]));
const withClusters = process.env['MUTATE_CLUSTERS'] === 'true';
/** One mutant alone is there from the start, and the tests run as they always do. */
const isAlone = process.env['MUTATE_AFRESH'] === 'true';
const LAST = 'test/tools/mutants/last.ts';
const include = (process.env['MUTATE_TESTS'] ?? '').split(',').filter(Boolean).flatMap(filesOf);

function filesOf(name: string): readonly string[] {
  if (name.endsWith('.ts')) return [`test/${name}`];
  return readdirSync(`test/${name}`, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => `test/${name}/${file}`)
    .filter((file) => withClusters || !startsCluster(readFileSync(file, 'utf8')));
}

function startsCluster(text: string): boolean {
  return /src\/cluster\/index|src\/hosts\/|\/(bench|oneNode)\.ts/.test(text);
}

const setupFiles = include.some((file) => startsCluster(readFileSync(file, 'utf8')))
  ? (base.test?.setupFiles ?? [])
  : [];

/** Mutants are tried after all tests. */
class LastIsLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLast = ({ moduleId }: TestSpecification): boolean => moduleId === resolve(LAST);
    return [...sorted.filter((file) => !isLast(file)), ...sorted.filter(isLast)];
  }
}

export default defineConfig({
  ...base,
  plugins: [{ name: 'mutants', enforce: 'pre', transform: (_code, id) => byPath.get(id.split('?')[0] ?? '') }],
  test: {
    ...base.test,
    include: isAlone ? include : [...include, LAST],
    sequence: { sequencer: LastIsLast },
    setupFiles: [...setupFiles, isAlone ? 'test/tools/fixedSeeds.ts' : 'test/tools/mutants/shortProperties.ts'],
    ...(isAlone ? { bail: 1 } : { runner: 'test/tools/mutants/runner.ts' }),
    teardownTimeout: 1000,
    maxWorkers: 1,
    fileParallelism: false,
    reporters: ['dot'],
    dangerouslyIgnoreUnhandledErrors: true,
  },
});
