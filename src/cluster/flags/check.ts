/** Validates flags for the settings page without starting anything. */
import { namesOf } from '../../names/index.ts';
import { loadYaml } from '../../std/index.ts';
import type { ClusterOptions } from '../options.ts';
import { components } from './declarations/index.ts';
import { contents } from '../optional.ts';
import { loadReaders } from './readers.ts';
import { examineFlags, type ComponentProblem } from './read.ts';

export interface FlagsCheck {
  /** Errors that would prevent a start. */
  readonly problems: readonly ComponentProblem[];
  /** Warnings. */
  readonly warnings: readonly string[];
}

/** The errors and warnings of a start with these options. */
export async function checkFlags(options: ClusterOptions): Promise<FlagsCheck> {
  await Promise.all([loadYaml(), loadReaders(options)]);
  const surroundings = { names: namesOf(options.naming ?? 'cluster.io'), files: options.files ?? {} };
  const readings = components.map(({ key }) => ({ key, ...examineFlags(key, options[key] ?? [], surroundings) }));
  const { problemsWithContents } = await contents.load();
  const inFiles = readings.map((reading) => problemsWithContents(reading.key, reading, surroundings));
  return {
    problems: [...readings.flatMap(({ problems }) => problems), ...(await Promise.all(inFiles)).flat()],
    warnings: readings.flatMap(({ warnings }) => warnings),
  };
}
