import { inBackground, throwToHost, type Clock, type Random } from '../../std/index.ts';
import { OutOfMemory } from '../errors.ts';
import type { MountTable } from '../files/index.ts';
import type { Network } from '../network/network.ts';
import type { Child, DeclaredPort, ProcessInfo, Program, System, User } from '../process.ts';
import { isFatal, type Signal } from '../signals.ts';
import type { Stream } from '../streams/index.ts';
import { cpuTime, type Cpu } from './cpu.ts';
import { executable } from './executable.ts';
import { RunningProcess } from './runningProcess.ts';

export interface ContainerOptions {
  readonly mounts: MountTable;
  readonly network: Network;
  readonly clock: Clock;
  readonly random: Random;
  readonly cpu: Cpu;
  readonly hostname: string;
  readonly image: string;
  readonly ports: readonly DeclaredPort[];
  readonly limits: Limits;
}

export interface Limits {
  /** Cores; Infinity without a limit. */
  readonly cpu: number;
  /** Bytes; Infinity without a limit. */
  readonly memory: number;
}

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

/** How the first process of a container ended. */
export interface Exit {
  readonly code: number;
  readonly outOfMemory: boolean;
}

/** Memory that a process takes that keeps nothing. */
const SMALLEST_PROCESS = 512 * 1024;

/** The processes of one container. When the first one ends, all do. */
export class Container implements System {
  readonly clock: Clock;
  readonly random: Random;
  readonly network: Network;
  readonly hostname: string;
  readonly image: string;
  readonly ports: readonly DeclaredPort[];
  readonly startedAt: number;
  readonly mounts: MountTable;
  readonly cpu: Cpu;
  readonly limits: Limits;
  readonly #processes = new Map<number, RunningProcess>();
  #nextPid = 1;
  #steps = 0;
  #outOfMemory = false;

  constructor(options: ContainerOptions) {
    this.clock = options.clock;
    this.random = options.random;
    this.network = options.network;
    this.hostname = options.hostname;
    this.image = options.image;
    this.ports = options.ports;
    this.mounts = options.mounts;
    this.cpu = options.cpu;
    this.limits = options.limits;
    this.startedAt = options.clock.now();
  }

  /** Starts the first process. Throws SystemError where there is no such program. */
  start(options: StartOptions): { readonly exit: Promise<Exit> } {
    const child = this.run(options, 0);
    const exit = child.exit.then((code) => {
      this.killAll();
      return { code, outOfMemory: this.#outOfMemory };
    });
    return { exit };
  }

  /** Runs another program in the container, beside its first process. Throws SystemError where there is no such program. */
  exec(options: StartOptions): Child {
    return this.run(options, 0);
  }

  /** Starts a process and its program. */
  run(options: StartOptions, parent: number): Child {
    const found = options.program ? { program: options.program, args: options.args } : executable(this, options);
    const pid = this.#nextPid++;
    const process = new RunningProcess(this, { ...options, args: found.args, pid, parent });
    this.#processes.set(pid, process);
    process.begin(found.program);
    inBackground(
      process.exit.then(() => this.#processes.delete(pid)),
      throwToHost,
    );
    return { pid, exit: process.exit, kill: (signal) => process.receive(signal) };
  }

  processes(): readonly ProcessInfo[] {
    return [...this.#processes.values()].map((process) => process.info);
  }

  signal(pid: number, signal: Signal): boolean {
    const process = this.#processes.get(pid);
    // As in every PID namespace: from inside, nothing reaches the first process that it doesn't handle.
    if (process && !(pid === 1 && isFatal(signal) && !process.handles(signal))) process.receive(signal);
    return process !== undefined;
  }

  /** What the node does to stop a container: to its first process, and with KILL to all. */
  stop(signal: 'TERM' | 'KILL'): void {
    if (signal === 'KILL') this.killAll();
    else this.signal(1, signal);
  }

  killAll(): void {
    for (const process of [...this.#processes.values()]) process.end(137);
  }

  /** What the processes have used so far: milliseconds of CPU time, bytes that they hold now. */
  usage(): { readonly cpu: number; readonly memory: number } {
    return { cpu: cpuTime(this.#steps), memory: this.#memory() };
  }

  /** Counts a step of work. */
  count(steps: number): void {
    this.#steps += steps;
  }

  /** Throws OutOfMemory where the processes hold more than the container may. */
  checkMemory(): void {
    if (this.#memory() <= this.limits.memory) return;
    this.ranOutOfMemory();
    throw new OutOfMemory();
  }

  ranOutOfMemory(): void {
    this.#outOfMemory = true;
  }

  #memory(): number {
    let sum = 0;
    for (const process of this.#processes.values()) sum += SMALLEST_PROCESS + process.held;
    return sum;
  }
}
