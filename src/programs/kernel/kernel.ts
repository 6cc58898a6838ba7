import type { MountTable } from '../files/index.ts';
import type { Child, Program, System } from '../process.ts';
import type { User } from '../user.ts';
import type { Stream } from '../streams/index.ts';
import type { Cpu } from './cpu.ts';

/** How a program is started in a container. */
export interface StartOptions {
  readonly args: readonly string[];
  readonly env: ReadonlyMap<string, string>;
  readonly cwd: string;
  readonly user: User;
  readonly streams: ReadonlyMap<number, Stream>;
  /** Runs this, whatever the words name. */
  readonly program?: Program;
}

/** What the processes of a container, and what finds programs for them, use of it. */
export interface Kernel extends System {
  readonly mounts: MountTable;
  readonly cpu: Cpu;
  readonly limits: Limits;
  /** Starts a process with this parent id. Throws SystemError if the program does not exist. */
  run(options: StartOptions, parent: number): Child;
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
