/** Answers for a page in which flags are edited, before anything is started with them. */
import { namesOf } from '../../names/index.ts';
import { loadYaml } from '../../std/index.ts';
import type { ClusterOptions } from '../options.ts';
import { components } from './declarations/index.ts';
import { contents } from '../optional.ts';
import { loadReaders } from './readers.ts';
import { examineFlags, type ComponentProblem } from './read.ts';

export interface FlagsCheck {
  /** What would keep the components from starting. */
  readonly problems: readonly ComponentProblem[];
  /** What would work and should be mended. */
  readonly warnings: readonly string[];
}

/** What a start with these options would be told, without starting. */
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
