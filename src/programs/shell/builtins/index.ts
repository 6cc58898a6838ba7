import type { Program } from '../../process.ts';
import { echo } from '../../tools/echo.ts';
import { printf } from '../../tools/printf.ts';
import { test } from '../../tools/test.ts';
import { kill } from '../../tools/kill.ts';
import type { Builtin } from './builtin.ts';
import { control } from './control.ts';
import { environment } from './environment.ts';
import { jobs } from './jobs.ts';
import { variables } from './variables.ts';

/** A program that the shell runs in its own process, because scripts use it all the time. */
const inside =
  (name: string, program: Program): Builtin =>
  ({ process, state }, args, streams) =>
    process.call(program, { args: [name, ...args], streams, env: state.environment() });

/** Every command that the shell does itself. */
export const builtins: ReadonlyMap<string, Builtin> = new Map(
  Object.entries({
    ...control,
    ...variables,
    ...jobs,
    ...environment,
    '[': inside('[', test),
    test: inside('test', test),
    echo: inside('echo', echo),
    printf: inside('printf', printf),
    kill: inside('kill', kill),
    true: async () => 0,
    false: async () => 1,
  }),
);

/** The names of what the shell does itself. */
export const shellWords: readonly string[] = [...builtins.keys()];
