/** The tests that a mutation run looks at: the folders that `MUTATE_TESTS` names, comma-separated. */
import { defineConfig } from 'vitest/config';
import base from '../../vitest.config.ts';

const folders = (process.env['MUTATE_TESTS'] ?? '').split(',').filter(Boolean);
const include = folders.map((folder) => `test/${folder}/**/*.test.ts`);
// Tables of plans need no cluster: without the whole program each mutant costs milliseconds instead of seconds.
const setupFiles = folders.every((folder) => folder.endsWith('plans')) ? [] : (base.test?.setupFiles ?? []);

export default defineConfig({ ...base, test: { ...base.test, include, setupFiles } });
