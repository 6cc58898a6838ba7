import type { Shell, Streams } from '../shell.ts';

/** A command that the shell does itself, because it changes the shell. Resolves to the exit code. */
export type Builtin = (shell: Shell, args: readonly string[], streams: Streams) => Promise<number>;
