/** The last file of a run: every other test has passed by each mutant that it comes by, and now they run with the mutants. */
import { test } from 'vitest';
import { tryMutants } from './runner.ts';

test('tries the mutants', { timeout: 0 }, tryMutants);
