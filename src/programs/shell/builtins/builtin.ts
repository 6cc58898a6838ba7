import type { Interpreter, Streams } from '../interpreter.ts';

/** A command that the shell does itself, because it changes the shell. Resolves to the exit code. */
export type Builtin = (shell: Interpreter, args: readonly string[], streams: Streams) => Promise<number>;
