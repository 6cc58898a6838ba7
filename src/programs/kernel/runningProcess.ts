import { deepEqual, delay, inBackground, Stop, type StopSignal, throwToHost } from '../../std/index.ts';
import { Killed, OutOfMemory, SystemError } from '../errors.ts';
import { FileView } from '../files/index.ts';
import type { Child, Executable, Process, ProcessInfo, Program, SpawnOptions } from '../process.ts';
import type { User } from '../user.ts';
import { untilStopped } from '../servers/server.ts';
import { isFatal, signalNumber, STOP_SIGNALS, type Signal } from '../signals.ts';
import { nullStream, type Stream } from '../streams/index.ts';
import { BoundStream } from './boundStream.ts';
import type { Kernel, StartOptions, StreamsSource, VariablesSource } from './kernel.ts';
import { SLICE, SPAWN_STEPS } from './cpu.ts';
import { executable } from './executable.ts';

export interface ProcessSetup extends StartOptions {
  readonly pid: number;
  readonly parent: number;
}

/** The numbers of the streams that nearly every process has. */
const STANDARD = [0, 1, 2];
/** What a program resolves to whose process goes on without it. */
const STAYS = Number.NEGATIVE_INFINITY;
/** What an error that a program didn't handle becomes. */
const EXIT_KILLED = 137;
const EXIT_BROKEN_PIPE = 141;
const EXIT_FAULT = 139;

/** A process as the kernel keeps it; to its program it is a Process. */
export class RunningProcess implements Process {
  readonly pid: number;
  readonly parent: number;
  readonly args: readonly string[];
  readonly user: User;
  readonly system: Kernel;
  cwd: string;
  umask = 0o022;
  /** Its streams, as they were given, and their numbers. */
  #held: readonly Stream[] | StreamsSource;
  #numbers: readonly number[] = STANDARD;
  readonly #startedAt: number;
  #handlers: Map<Signal, () => void> | undefined;
  /** Whether its program has ended, and only signals end it. */
  #stays = false;
  readonly #killed = new Stop();
  // What follows is made for those who ask, because most processes only wait.
  #env: Map<string, string> | VariablesSource;
  #files: FileView | undefined;
  #streams: ReadonlyMap<number, Stream> | undefined;
  #exit: { readonly promise: Promise<number>; readonly resolve: (code: number) => void } | undefined;
  #code: number | undefined;
  /** Steps that are left of the present slice; below zero where more was done at once. */
  #left = SLICE;
  #memory = 0;

  constructor(system: Kernel, { pid, parent, args, env, user, cwd, streams }: ProcessSetup) {
    this.system = system;
    this.pid = pid;
    this.parent = parent;
    this.args = args;
    this.#env = 'variables' in env ? env : new Map(env);
    this.user = user;
    this.cwd = cwd;
    this.#startedAt = system.clock.now();
    this.#held = 'streams' in streams ? streams : this.#retained(streams);
  }

  #retained(streams: ReadonlyMap<number, Stream>): readonly Stream[] {
    const numbers = [...streams.keys()];
    if (!deepEqual(numbers, STANDARD)) this.#numbers = numbers;
    return numbers.map((fd) => (streams.get(fd) as Stream).retain());
  }

  get #given(): readonly Stream[] {
    if ('streams' in this.#held) this.#held = this.#retained(this.#held.streams());
    return this.#held;
  }

  get env(): Map<string, string> {
    if (!(this.#env instanceof Map)) this.#env = new Map(this.#env.variables());
    return this.#env;
  }

  get files(): FileView {
    const { mounts, clock } = this.system;
    return (this.#files ??= new FileView(
      mounts,
      () => this,
      () => clock.now(),
    ));
  }

  get streams(): ReadonlyMap<number, Stream> {
    return (this.#streams ??= new Map(
      this.#given.map((stream, i) => [this.#numbers[i] as number, this.#bound(stream)]),
    ));
  }

  get exit(): Promise<number> {
    if (!this.#exit) {
      let resolve: (code: number) => void = () => undefined;
      this.#exit = { promise: new Promise((settle) => (resolve = settle)), resolve };
      if (this.#code !== undefined) this.#exit.resolve(this.#code);
    }
    return this.#exit.promise;
  }

  get stdin(): Stream {
    return this.#stream(0);
  }

  get stdout(): Stream {
    return this.#stream(1);
  }

  get stderr(): Stream {
    return this.#stream(2);
  }

  get killed(): StopSignal {
    return this.#killed;
  }

  get info(): ProcessInfo {
    const { pid, parent, user, args } = this;
    return { pid, parent, user, args, startedAt: this.#startedAt };
  }

  /** Bytes. */
  get held(): number {
    return this.#memory;
  }

  /** Steps of its last slice, which aren't accounted for yet. */
  get pendingSteps(): number {
    return SLICE - this.#left;
  }

  /** Runs its program in a later turn: the caller continues first. */
  begin(program: Program): void {
    void Promise.resolve()
      .then(() => program(this))
      .then(
        (code) => code === STAYS || this.end(code & 255),
        (problem: unknown) => this.end(this.#codeOf(problem)),
      );
  }

  /** Ends the process, whatever its program does. */
  end(code: number): void {
    if (this.#killed.aborted) return;
    if (this.pendingSteps > 0) this.system.count(this.pendingSteps);
    this.#killed.abort();
    if (!('streams' in this.#held)) for (const stream of this.#held) stream.release();
    this.#memory = 0;
    this.#code = code;
    inBackground(
      Promise.resolve().then(() => this.system.ended(this.pid, code)),
      throwToHost,
    );
    this.#exit?.resolve(code);
  }

  handles(signal: Signal): boolean {
    return this.#handlers?.has(signal) === true || this.#stopsBy(signal);
  }

  receive(signal: Signal): void {
    const handler = signal === 'KILL' ? undefined : this.#handlers?.get(signal);
    if (handler) handler();
    else if (this.#stopsBy(signal)) this.end(0);
    else if (isFatal(signal)) this.end(128 + signalNumber(signal));
  }

  on(signal: Signal, handler: (() => void) | undefined): void {
    if (handler) (this.#handlers ??= new Map()).set(signal, handler);
    else this.#handlers?.delete(signal);
  }

  spawn(args: readonly string[], options: SpawnOptions = {}): Child {
    this.#left -= SPAWN_STEPS;
    return this.system.run(this.#startOptions({ ...options, args }), this.pid);
  }

  fork(program: Program, options: SpawnOptions = {}): Child {
    this.#left -= SPAWN_STEPS;
    return this.system.run({ ...this.#startOptions(options), program }, this.pid);
  }

  resolve(args: readonly string[]): Executable {
    return executable(this.system, this.#startOptions({ args }));
  }

  async call(program: Program, options: SpawnOptions & { readonly args: readonly string[] }): Promise<number> {
    return program(new Called(this, options));
  }

  stay(): Promise<number> {
    this.#stays = true;
    for (const signal of STOP_SIGNALS) this.#handlers?.delete(signal);
    if (this.#handlers?.size === 0) this.#handlers = undefined;
    this.system.mounts.putAway();
    this.#files = undefined;
    this.#streams = undefined;
    return Promise.resolve(STAYS);
  }

  #stopsBy(signal: Signal): boolean {
    return this.#stays && STOP_SIGNALS.includes(signal);
  }

  async sleep(ms: number): Promise<void> {
    await delay(this.system.clock, ms, this.killed);
    if (this.killed.aborted) throw new Killed();
  }

  wait<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const aborted = (): void => reject(new Killed());
      if (this.killed.aborted) return aborted();
      this.killed.addEventListener('abort', aborted, { once: true });
      promise.then(resolve, reject).finally(() => this.killed.removeEventListener('abort', aborted));
    });
  }

  hold(bytes: number): void {
    this.#memory = bytes;
    this.system.checkMemory();
  }

  step(): Promise<void> | undefined {
    if (this.killed.aborted) throw new Killed();
    this.#left -= 1;
    if (this.#left > 0) return undefined;
    this.system.count(this.pendingSteps);
    this.#left = SLICE;
    return this.system.cpu.nextSlice(this.system.limits.cpu, this.killed);
  }

  #startOptions(options: SpawnOptions): StartOptions {
    const { args = this.args, env = this.env, cwd = this.cwd, user = this.user } = options;
    return { args, env, cwd, user, streams: options.streams ?? this.streams };
  }

  #bound(stream: Stream): Stream {
    return new BoundStream(stream, this.killed);
  }

  #stream(fd: number): Stream {
    const stream = this.#streams?.get(fd);
    if (stream) return stream;
    const held = this.#given[this.#numbers.indexOf(fd)];
    return held ? this.#bound(held) : nullStream();
  }

  #codeOf(problem: unknown): number {
    if (problem instanceof Killed) return EXIT_KILLED;
    if (problem instanceof SystemError && problem.code === 'EPIPE') return EXIT_BROKEN_PIPE;
    if (isTooLarge(problem)) {
      this.system.ranOutOfMemory();
      return EXIT_KILLED;
    }
    // A bug of ours: the container sees a crash, and the host reports the error.
    throwToHost(problem);
    return EXIT_FAULT;
  }
}

/** What engines say when something has no room in memory. Other errors of range are mistakes of a program. */
const TOO_LARGE = /invalid (string|array|typed array) length|array buffer allocation|allocation size overflow/i;

const isTooLarge = (problem: unknown): boolean =>
  problem instanceof OutOfMemory || (problem instanceof RangeError && TOO_LARGE.test(problem.message));

/** A program that runs inside another's process: what isn't its own is the other's. */
class Called implements Process {
  readonly args: readonly string[];
  readonly env: Map<string, string>;
  readonly streams: ReadonlyMap<number, Stream>;
  readonly #outer: Process;

  constructor(outer: Process, options: SpawnOptions & { readonly args: readonly string[] }) {
    this.#outer = outer;
    this.args = options.args;
    this.env = new Map(options.env ?? outer.env);
    this.streams = options.streams ?? outer.streams;
  }

  get pid(): number {
    return this.#outer.pid;
  }

  get parent(): number {
    return this.#outer.parent;
  }

  get user(): User {
    return this.#outer.user;
  }

  get files(): FileView {
    return this.#outer.files;
  }

  get system(): Process['system'] {
    return this.#outer.system;
  }

  get killed(): StopSignal {
    return this.#outer.killed;
  }

  get cwd(): string {
    return this.#outer.cwd;
  }

  set cwd(path: string) {
    this.#outer.cwd = path;
  }

  get umask(): number {
    return this.#outer.umask;
  }

  set umask(mask: number) {
    this.#outer.umask = mask;
  }

  get stdin(): Stream {
    return this.streams.get(0) ?? nullStream();
  }

  get stdout(): Stream {
    return this.streams.get(1) ?? nullStream();
  }

  get stderr(): Stream {
    return this.streams.get(2) ?? nullStream();
  }

  on(signal: Signal, handler: (() => void) | undefined): void {
    this.#outer.on(signal, handler);
  }

  spawn(args: readonly string[], options: SpawnOptions = {}): Child {
    return this.#outer.spawn(args, { env: this.env, streams: this.streams, ...options });
  }

  fork(program: Program, options: SpawnOptions = {}): Child {
    return this.#outer.fork(program, { env: this.env, streams: this.streams, ...options });
  }

  resolve(args: readonly string[]): Executable {
    return this.#outer.resolve(args);
  }

  call(program: Program, options: SpawnOptions & { readonly args: readonly string[] }): Promise<number> {
    return this.#outer.call(program, { env: this.env, streams: this.streams, ...options });
  }

  stay(): Promise<number> {
    return untilStopped(this);
  }

  sleep(ms: number): Promise<void> {
    return this.#outer.sleep(ms);
  }

  wait<T>(promise: Promise<T>): Promise<T> {
    return this.#outer.wait(promise);
  }

  hold(bytes: number): void {
    this.#outer.hold(bytes);
  }

  step(): Promise<void> | undefined {
    return this.#outer.step();
  }
}
