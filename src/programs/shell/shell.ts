import type { SystemError } from '../errors.ts';
import type { Child, Process } from '../process.ts';
import type { Signal } from '../signals.ts';
import type { Command, Script } from './ast.ts';
import type { Expansion } from './expand.ts';
import type { ShellState } from './state.ts';
import type { Stream } from '../streams/index.ts';

export type Streams = ReadonlyMap<number, Stream>;

/** What builtin and compound commands use of the interpreter that runs them. */
export interface Shell extends Expansion {
  readonly process: Process;
  readonly state: ShellState;
  /** The shell's own streams, which `exec` with redirects changes. */
  readonly streams: Map<number, Stream>;
  /** Runs a text; syntax errors are reported and give 2. */
  runText(text: string, streams?: Streams): Promise<number>;
  runScript(script: Script, streams: Streams): Promise<number>;
  /** Runs one command and resolves to its exit code. */
  run(command: Command, streams: Streams): Promise<number>;
  /** Runs a command whose failure `set -e` ignores. */
  condition(run: () => Promise<number>): Promise<number>;
  runProgram(words: readonly string[], streams: Streams): Promise<number>;
  /** Reports a program that can't be run; resolves to its exit code. */
  notRunnable(words: readonly string[], problem: SystemError, streams: Streams): Promise<number>;
  /** Runs commands in a process of their own, with a copy of the state. */
  fork(run: (inner: Shell) => Promise<number>, streams: Streams): Child;
  trap(signal: Signal, action: string | undefined): void;
  /** Waits for an exit code, or less long where a trapped signal arrives. */
  waitInterruptibly(exit: Promise<number>): Promise<number>;
  write(fd: number, text: string, streams: Streams): Promise<void>;
  /** Writes what is wrong to the error stream. */
  complain(message: string, streams: Streams): Promise<void>;
}
