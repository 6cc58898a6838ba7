import type { Limits } from './kernel.ts';
import type { Kernel, StartOptions } from './kernel.ts';
import type { Clock, Random } from '../../std/index.ts';
import { UNCONFINED, type Confinement } from '../confinement.ts';
import { OutOfMemory } from '../errors.ts';
import type { MountTable } from '../files/index.ts';
import type { Network } from '../network/network.ts';
import type { Child, DeclaredPort, ProcessInfo, Program } from '../process.ts';
import { isFatal, type Signal } from '../signals.ts';
import { cpuTime, type Cpu } from './cpu.ts';
import { CpuMeter } from './cpuMeter.ts';
import { executable } from './executable.ts';
import { PidNamespace } from './pidNamespace.ts';
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
  /** Bytes that the first process keeps whatever it does: its code and tables. */
  readonly resident?: number;
  readonly confinement?: Confinement;
  /** The processes that it sees besides its own. */
  readonly pids?: PidNamespace | undefined;
}

/** How the first process of a container ended. */
export interface Exit {
  readonly code: number;
  readonly outOfMemory: boolean;
}

/** Who started a container. */
export interface Starter {
  /** Called after the end of its first process. */
  exited(exit: Exit): void;
}

/** What a container uses. */
export interface Usage {
  /** Milliseconds of CPU time since its start. */
  readonly cpu: number;
  /** Thousandths of a core, averaged over the last half minute. */
  readonly millicores: number;
  /** Bytes that its processes hold now. */
  readonly memory: number;
}

/** Memory that a process takes that keeps nothing. */
const SMALLEST_PROCESS = 512 * 1024;
/** A program that is given little memory keeps at most this part of it from the beginning. */
const LIMIT_TO_RESIDENT = 4;

const NONE: readonly RunningProcess[] = [];

/** The processes of one container. When the first one ends, all do. */
export class Container implements Kernel {
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
  readonly confinement: Confinement;
  /** Mostly one, so that they are searched one by one. */
  #processes: readonly RunningProcess[] = NONE;
  /** Made when there is something to count. */
  #meter: CpuMeter | undefined;
  readonly #resident: number;
  /** The processes that its own see. */
  readonly pids: PidNamespace;
  #first: RunningProcess | undefined;
  #starter: Starter | undefined;
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
    this.confinement = options.confinement ?? UNCONFINED;
    this.pids = options.pids ?? new PidNamespace();
    this.startedAt = options.clock.now();
    this.#resident = Math.min(options.resident ?? 0, options.limits.memory / LIMIT_TO_RESIDENT);
  }

  /** Starts the main process; `starter` is called after its end. Throws SystemError if the program does not exist. */
  start(options: StartOptions, starter: Starter): void {
    this.run(options, 0);
    this.#starter = starter;
  }

  /** Runs another program in the container. Throws SystemError if it does not exist. */
  exec(options: StartOptions): Child {
    return this.run(options, 0);
  }

  /** Starts a process and its program. */
  run(options: StartOptions, parent: number): Child {
    const found = options.program ? { program: options.program, args: options.args } : executable(this, options);
    const process = this.pids.add((pid) => new RunningProcess(this, { ...options, args: found.args, pid, parent }));
    return this.#begin(process, found.program);
  }

  #begin(process: RunningProcess, program: Program): Child {
    const { pid } = process;
    this.#first ??= process;
    this.#processes = this.#processes.concat([process]);
    process.begin(program);
    return {
      pid,
      get exit() {
        return process.exit;
      },
      kill: (signal) => process.receive(signal),
    };
  }

  ended(pid: number, code: number): void {
    const isFirst = this.#find(pid) === this.#first;
    this.pids.remove(pid);
    this.#processes = this.#processes.filter((process) => process.pid !== pid);
    if (!isFirst || !this.#starter) return;
    this.killAll();
    this.#starter.exited({ code, outOfMemory: this.#outOfMemory });
  }

  processes(): readonly ProcessInfo[] {
    return this.pids.list();
  }

  signal(pid: number, signal: Signal): boolean {
    const process = this.pids.find(pid);
    // As in every PID namespace: from inside, nothing reaches the first process that it doesn't handle.
    const isSafe = pid === 1 && isFatal(signal) && this.#find(pid)?.handles(signal) !== true;
    if (process && !isSafe) process.receive(signal);
    return process !== undefined;
  }

  /** What the node does to stop a container: to its first process, and with KILL to all. */
  stop(signal: 'TERM' | 'KILL'): void {
    if (signal === 'KILL') this.killAll();
    else if (this.#first) this.signal(this.#first.pid, signal);
  }

  killAll(): void {
    for (const process of this.#processes) process.end(137);
  }

  usage(): Usage {
    let pending = 0;
    for (const process of this.#processes) pending += process.pendingSteps;
    const millicores = this.#meter?.millicores(this.clock.now()) ?? 0;
    return { cpu: cpuTime(this.#steps + pending), millicores, memory: this.memory };
  }

  count(steps: number): void {
    this.#steps += steps;
    (this.#meter ??= new CpuMeter(this.startedAt)).add(steps, this.clock.now());
  }

  /** Throws OutOfMemory if the processes use more than the container's limit. */
  checkMemory(): void {
    if (this.memory <= this.limits.memory) return;
    this.ranOutOfMemory();
    throw new OutOfMemory();
  }

  ranOutOfMemory(): void {
    this.#outOfMemory = true;
  }

  #find(pid: number): RunningProcess | undefined {
    return this.#processes.find((process) => process.pid === pid);
  }

  /** Bytes that its processes hold now. */
  get memory(): number {
    let sum = this.#processes.length > 0 ? this.#resident : 0;
    for (const process of this.#processes) sum += SMALLEST_PROCESS + process.held;
    return sum;
  }
}
