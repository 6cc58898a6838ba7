import type { User } from './user.ts';
import type { Clock, Random, StopSignal } from '../std/index.ts';
import type { Confinement } from './confinement.ts';
import type { FileView } from './files/view.ts';
import type { Network } from './network/network.ts';
import type { Signal } from './signals.ts';
import type { Stream } from './streams/stream.ts';

/**
 * A program that a container executes: an asynchronous function of its process, which resolves to the exit code. It can
 * reach nothing except through its process. After the process is killed, everything it waits for ends with an error.
 */
export type Program = (process: Process) => Promise<number>;

/** One running program, as the program sees itself. */
export interface Process {
  readonly pid: number;
  readonly parent: number;
  /** The words it was started with; the first is the name of the program. */
  readonly args: readonly string[];
  readonly env: Map<string, string>;
  readonly user: User;
  readonly files: FileView;
  readonly system: System;
  /** Absolute path. */
  cwd: string;
  /** Bits that new files don't get. */
  umask: number;
  readonly stdin: Stream;
  readonly stdout: Stream;
  readonly stderr: Stream;
  /** Open streams by number; 0, 1 and 2 are the standard ones. */
  readonly streams: ReadonlyMap<number, Stream>;
  /** Aborts when the process is killed. */
  readonly killed: StopSignal;
  /** Handles a signal instead of what it does by default; undefined restores that. */
  on(signal: Signal, handler: (() => void) | undefined): void;
  /** Starts a program, found along `PATH`. Throws SystemError if it does not exist. */
  spawn(args: readonly string[], options?: SpawnOptions): Child;
  /** Starts a function as a process of its own, as fork does. */
  fork(program: Program, options?: SpawnOptions): Child;
  /** The program of a command line, and its arguments. Throws SystemError. */
  resolve(args: readonly string[]): Executable;
  /** Runs a program inside this process: other words and streams, the same id and handlers. */
  call(program: Program, options: SpawnOptions & { readonly args: readonly string[] }): Promise<number>;
  /**
   * For a program that has nothing left to do, as its last act: its process goes on until a signal asks it to stop. What it
   * resolves to is what the program has to resolve to.
   */
  stay(): Promise<number>;
  /** Waits for milliseconds of the simulated time. */
  sleep(ms: number): Promise<void>;
  /** Waits for a promise, or fails when the process is killed. */
  wait<T>(promise: Promise<T>): Promise<T>;
  /** Sets how many bytes of memory the process uses. Throws OutOfMemory above the container's limit. */
  hold(bytes: number): void;
  /** Accounts for a step of work. A process that works without a pause has to wait now and then, so that others get their turn. */
  step(): Promise<void> | undefined;
}

export interface SpawnOptions {
  readonly args?: readonly string[];
  readonly env?: ReadonlyMap<string, string>;
  readonly cwd?: string;
  readonly user?: User;
  /** The child retains them. Without them it has those of its parent. */
  readonly streams?: ReadonlyMap<number, Stream>;
}

export interface Executable {
  readonly program: Program;
  readonly args: readonly string[];
}

export interface Child {
  readonly pid: number;
  /** Resolves to its exit code; 128 and the number of the signal that ended it. Never rejects. */
  readonly exit: Promise<number>;
  kill(signal: Signal): void;
}

/** What the processes of one container share. */
export interface System {
  readonly clock: Clock;
  readonly random: Random;
  readonly network: Network;
  readonly hostname: string;
  /** Milliseconds since the epoch at which the container started. */
  readonly startedAt: number;
  /** The ports that the container declares, for plain images. */
  readonly ports: readonly DeclaredPort[];
  readonly image: string;
  readonly confinement: Confinement;
  /** Accounts for steps of work that need no pause, such as answering a request. */
  count(steps: number): void;
  processes(): readonly ProcessInfo[];
  /** Sends a signal to a process; returns false if the id does not exist. */
  signal(pid: number, signal: Signal): boolean;
}

export interface DeclaredPort {
  readonly port: number;
  readonly protocol: string;
}

export interface ProcessInfo {
  readonly pid: number;
  readonly parent: number;
  readonly user: User;
  readonly args: readonly string[];
  readonly startedAt: number;
}
