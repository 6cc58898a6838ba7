import {
  BaseStream,
  Container,
  imageOf,
  residentMemory,
  SystemError,
  FileView,
  type Child,
  type Confinement,
  type Cpu,
  type Exit,
  type MountTable,
  type Network,
  type PidNamespace,
  type Signal,
  type StartOptions,
  type Stream,
  type User,
} from '../../programs/index.ts';
import { quantityOf, type objects } from '../../schema/index.ts';
import { decodeText, delay, inBackground, throwToHost, type Clock, type Random, type Timer } from '../../std/index.ts';
import { TERMINATION_LOG } from './containerFiles.ts';
import type { LogBuffer } from './logBuffer.ts';
import { standardStreams, type StandardStreams } from './standardStreams.ts';

export interface ProcessSetup {
  readonly container: objects.Container;
  readonly pod: objects.PodSpec;
  readonly confinement: Confinement;
  readonly mounts: MountTable;
  readonly variables: ReadonlyMap<string, string>;
  readonly words: readonly string[];
  readonly network: Network;
  readonly cpu: Cpu;
  readonly clock: Clock;
  /** Receives the output. */
  readonly log: LogBuffer;
  readonly random: Random;
  readonly hostname: string;
  /** The processes that it can see. */
  readonly pids: PidNamespace;
}

/** The result of a run. */
export interface RunEnd {
  readonly exitCode: number;
  readonly reason?: string;
  readonly message?: string;
}

/** The program can't be started: the container ends immediately. */
export class StartProblem extends Error {}

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
/** How long a client whose input has ended stays for the answer to it, in milliseconds. */
const MOMENT = 500;
const LONGEST_MESSAGE = 4096;
const LONGEST_FROM_LOG = 2048;
const LINES_FROM_LOG = 80;

/** One run of a container: its processes, files and output. */
export class ContainerProcess {
  readonly log: LogBuffer;
  readonly container: Container;
  /** The program's input, if the container's spec enables it. */
  stdin: Stream | undefined;
  /** Sets the size of the attached terminal. */
  resize: StandardStreams['resize'] = () => undefined;
  /** Attached clients. */
  #listeners: Set<Stream> | undefined;
  readonly #setup: ProcessSetup;
  #ended: RunEnd | undefined;
  #whenEnded: ((end: RunEnd) => void) | undefined;
  /** Its end as a promise, for the few who wait. */
  #end: { readonly promise: Promise<RunEnd>; readonly resolve: (end: RunEnd) => void } | undefined;
  /** When a stopping container is killed. */
  #killAt = Infinity;
  #killer: Timer | undefined;

  /** Starts the program. Throws StartProblem if it does not exist. */
  constructor(setup: ProcessSetup) {
    const { container } = setup;
    const image = imageOf(container.image ?? '');
    this.#setup = setup;
    this.log = setup.log;
    this.container = new Container({
      ...setup,
      ...limitsOf(container),
      image: container.image ?? '',
      ports: portsOf(container),
      resident: residentMemory(image),
    });
    this.#start();
  }

  /** Resolves when it has ended. */
  get end(): Promise<RunEnd> {
    if (!this.#end) {
      let resolve: (end: RunEnd) => void = () => undefined;
      this.#end = { promise: new Promise((settle) => (resolve = settle)), resolve };
      if (this.#ended) this.#end.resolve(this.#ended);
    }
    return this.#end.promise;
  }

  /** Calls back after its end; for the one who has started it. */
  whenEnded(callback: (end: RunEnd) => void): void {
    const ended = this.#ended;
    if (ended) queueMicrotask(() => callback(ended));
    else this.#whenEnded = callback;
  }

  #finish(end: RunEnd): void {
    if (this.#ended) return;
    this.#ended = end;
    const told = this.#whenEnded;
    if (told) queueMicrotask(() => told(end));
    this.#end?.resolve(end);
  }

  /** The user that the container runs as. */
  get user(): User {
    const { container, pod } = this.#setup;
    const [own, shared] = [container.securityContext, pod.securityContext];
    const uid = own?.runAsUser ?? shared?.runAsUser ?? imageOf(container.image ?? '').user;
    const groups = [...(shared?.supplementalGroups ?? []), ...(shared?.fsGroup === undefined ? [] : [shared.fsGroup])];
    return { uid, gid: own?.runAsGroup ?? shared?.runAsGroup ?? 0, groups };
  }

  /** The variables that its programs start with. */
  get #environment(): Map<string, string> {
    const { container, hostname, variables } = this.#setup;
    const { env } = imageOf(container.image ?? '');
    const all = new Map([['PATH', PATH], ['HOSTNAME', hostname], ...Object.entries(env), ...variables]);
    if (!all.has('HOME')) all.set('HOME', this.user.uid === 0 ? '/root' : '/');
    return all;
  }

  /** The files as root sees them. */
  get files(): FileView {
    const root = { user: { uid: 0, gid: 0, groups: [] }, cwd: '/', umask: 0o022 };
    return new FileView(
      this.#setup.mounts,
      () => root,
      () => this.#setup.clock.now(),
    );
  }

  /** Runs another program in the container. Throws SystemError if it does not exist. */
  exec(args: readonly string[], streams: ReadonlyMap<number, Stream>): Child {
    return this.container.exec({ ...this.#options(args), streams });
  }

  /**
   * Asks the container to stop, and kills it after its grace period; a shorter one replaces a longer one. Resolves when
   * it has ended.
   */
  async stop(graceMs: number): Promise<void> {
    const { clock } = this.#setup;
    const at = clock.now() + graceMs;
    if (graceMs <= 0) this.container.stop('KILL');
    else {
      this.container.stop('TERM');
      if (at < this.#killAt) {
        this.#killAt = at;
        clock.clearTimeout(this.#killer);
        this.#killer = clock.setTimeout(() => this.container.stop('KILL'), graceMs);
      }
    }
    await this.end;
    clock.clearTimeout(this.#killer);
  }

  /** Ends it from outside, by a signal or with the result of a fault. */
  finish(end: RunEnd): void {
    this.#finish(end);
    this.container.killAll();
  }

  signal(signal: Signal): void {
    this.container.signal(1, signal);
  }

  /** Also writes further output of the container to a stream, until the returned function is called. */
  listen(to: Stream): () => void {
    (this.#listeners ??= new Set()).add(to);
    return () => void this.#listeners?.delete(to);
  }

  /**
   * An attached client has sent all its input: this ends the input of a container with `stdinOnce`. Resolves when the client
   * is detached, and never if it stays for the output. As with the reference's runtimes it is detached where the container's
   * input stays open; the program has a moment to answer what was sent last.
   */
  async inputLeft(): Promise<void> {
    const { stdinOnce = false, tty = false } = this.#setup.container;
    if (!stdinOnce) return delay(this.#setup.clock, MOMENT);
    this.stdin?.release();
    this.stdin = undefined;
    if (!tty) await new Promise<void>(() => undefined);
  }

  /** A stream for its output: into its log, and to attached clients. */
  #output(): Stream {
    return new Output(this.log.stream(), this);
  }

  /** Tells attached clients. */
  tell(bytes: Uint8Array): void {
    for (const stream of this.#listeners ?? []) stream.write(bytes).catch(() => this.#listeners?.delete(stream));
  }

  #options(args: readonly string[]): Omit<StartOptions, 'streams'> {
    const { container } = this.#setup;
    return {
      args,
      env: () => this.#environment,
      cwd: container.workingDir || imageOf(container.image ?? '').directory,
      user: this.user,
    };
  }

  #start(): void {
    const { words, container } = this.#setup;
    const { streams, stdin, resize, begun, drained } = standardStreams(
      container,
      () => this.#output(),
      () => this.container.signal(1, 'INT'),
    );
    this.stdin = stdin;
    this.resize = resize;
    const { standIn } = imageOf(container.image ?? '');
    this.#tryStart({ ...this.#options(words), streams }, standIn, (exit) =>
      inBackground(this.#exited(exit, drained), throwToHost),
    );
    begun();
  }

  async #exited({ code, outOfMemory }: Exit, drained: Promise<void>): Promise<void> {
    await drained;
    this.log.close();
    this.#finish({
      exitCode: code,
      ...(outOfMemory && code === 137 ? { reason: 'OOMKilled' } : {}),
      ...this.#message(code),
    });
  }

  #tryStart(options: StartOptions, standIn: StartOptions['program'], exited: (exit: Exit) => void): void {
    try {
      this.container.start(options, exited);
    } catch (problem) {
      if (!(problem instanceof SystemError)) throw problem;
      if (standIn) this.container.start({ ...options, program: standIn }, exited);
      else throw new StartProblem(startText(options.args[0] ?? '', problem));
    }
  }

  /** The termination message: its file, or the end of the log. */
  #message(code: number): { readonly message?: string } {
    const { terminationMessagePath, terminationMessagePolicy } = this.#setup.container;
    const place = this.files.look(terminationMessagePath || TERMINATION_LOG);
    const text = place?.node.type === 'file' ? decodeText(place.node.content.subarray(0, LONGEST_MESSAGE)) : '';
    if (text !== '') return { message: text };
    if (terminationMessagePolicy !== 'FallbackToLogsOnError' || code === 0) return {};
    const lines = this.log.from(this.log.end - LINES_FROM_LOG).map((entry) => entry.text);
    return { message: lines.join('').slice(-LONGEST_FROM_LOG) };
  }
}

/** What a program writes goes into the log of its container, and to those who are attached. */
class Output extends BaseStream {
  readonly #log: Stream;
  readonly #process: ContainerProcess;

  constructor(log: Stream, process: ContainerProcess) {
    super();
    this.#log = log;
    this.#process = process;
  }

  override write(bytes: Uint8Array): Promise<void> {
    const written = this.#log.write(bytes);
    this.#process.tell(bytes);
    return written;
  }
}

/** The message of the reference's runtime. */
export function startText(name: string, { code, message }: SystemError): string {
  const why = code === 'ENOENT' && !name.includes('/') ? `executable file not found in $PATH` : message.toLowerCase();
  const shown = code === 'ENOENT' && name.includes('/') ? `stat ${name}: ${why}` : why;
  return `failed to create containerd task: OCI runtime create failed: container_linux.go:370: starting container process caused: exec: ${JSON.stringify(name)}: ${shown}: unknown`;
}

function limitsOf({ resources }: objects.Container): {
  readonly limits: { readonly cpu: number; readonly memory: number };
} {
  const { cpu, memory } = resources?.limits ?? {};
  return {
    limits: {
      cpu: cpu ? quantityOf(cpu).milliValue() / 1000 : Infinity,
      memory: memory ? quantityOf(memory).value() : Infinity,
    },
  };
}

const portsOf = ({ ports = [] }: objects.Container): { port: number; protocol: string }[] =>
  ports.map(({ containerPort, protocol }) => ({ port: containerPort, protocol: protocol ?? 'TCP' }));
