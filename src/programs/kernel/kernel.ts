import type { MountTable } from '../files/index.ts';
import type { Child, Program, System } from '../process.ts';
import type { User } from '../user.ts';
import type { Stream } from '../streams/index.ts';
import type { Cpu } from './cpu.ts';

/** Makes the same variables each time. */
export interface VariablesSource {
  variables(): ReadonlyMap<string, string>;
}

/** Makes the streams of a process when it first asks for one: many never do. */
export interface StreamsSource {
  streams(): ReadonlyMap<number, Stream>;
}

/** How a program is started in a container. */
export interface StartOptions {
  readonly args: readonly string[];
  readonly env: ReadonlyMap<string, string> | VariablesSource;
  readonly cwd: string;
  readonly user: User;
  readonly streams: ReadonlyMap<number, Stream> | StreamsSource;
  /** Runs this, whatever the words name. */
  readonly program?: Program;
}

/** The variables that a program starts with. */
export const variablesIn = ({ env }: Pick<StartOptions, 'env'>): ReadonlyMap<string, string> =>
  'variables' in env ? env.variables() : env;

/** What the processes of a container, and what finds programs for them, use of it. */
export interface Kernel extends System {
  readonly mounts: MountTable;
  readonly cpu: Cpu;
  readonly limits: Limits;
  /** Starts a process with this parent id. Throws SystemError if the program does not exist. */
  run(options: StartOptions, parent: number): Child;
  /** Called when a process has ended. */
  ended(pid: number, code: number): void;
  /** Throws OutOfMemory if the processes use more than the limit. */
  checkMemory(): void;
  /** Ends every process, because their memory is used up. */
  ranOutOfMemory(): void;
}

export interface Limits {
  /** Cores; Infinity without a limit. */
  readonly cpu: number;
  /** Bytes; Infinity without a limit. */
  readonly memory: number;
}
