import {
  Container,
  imageOf,
  residentMemory,
  SystemError,
  FileView,
  type Child,
  type Confinement,
  type ContainerOptions,
  type Cpu,
  type Exit,
  type Image,
  type MountTable,
  type Network,
  type PidNamespace,
  type Signal,
  type Starter,
  type StartOptions,
  type Stream,
  type TerminalSize,
  type User,
  type VariablesSource,
} from '../../programs/index.ts';
import { quantityOf, type objects } from '../../schema/index.ts';
import { decodeText, delay, inBackground, throwToHost, type Clock, type Random, type Timer } from '../../std/index.ts';
import { TERMINATION_LOG } from './containerFiles.ts';
import type { LogBuffer } from './logBuffer.ts';
import { sharing } from './sharing.ts';
import { standardStreams, type ContainerTerminal } from './standardStreams.ts';

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

/** Who has started a container, and waits for its end. */
export interface Awaiting {
  /** Called once, in a later turn. */
  ended(end: RunEnd): void;
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
export class ContainerProcess implements Starter, VariablesSource {
  readonly log: LogBuffer;
  readonly container: Container;
  /** The program's input, if the container's spec enables it. */
  stdin: Stream | undefined;
  #terminal: ContainerTerminal | undefined;
  readonly #spec: objects.Container;
  readonly #pod: objects.PodSpec;
  readonly #given: ReadonlyMap<string, string>;
  #ended: RunEnd | undefined;
  #awaiting: Awaiting | undefined;
  /** Its end as a promise, for the few who wait. */
  #end: { readonly promise: Promise<RunEnd>; readonly resolve: (end: RunEnd) => void } | undefined;
  /** When a stopping container is killed. */
  #killer: { readonly at: number; readonly timer: Timer } | undefined;

  /** Starts the program. Throws StartProblem if it does not exist. */
  constructor(setup: ProcessSetup) {
    const { container, pod, variables, words, log } = setup;
    const image = container.image ?? '';
    this.#spec = container;
    this.#pod = pod;
    this.#given = variables;
    this.log = log;
    const resident = residentMemory(imageOf(image));
    this.container = new Container({ ...setup, ...sharedBounds(boundsOf(container)), image, resident });
    this.#start(words);
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

  /** Tells of its end in a later turn; for the one who has started it. */
  whenEnded(awaiting: Awaiting): void {
    this.#awaiting = awaiting;
    if (this.#ended) this.#tell(this.#ended);
  }

  #tell(end: RunEnd): void {
    queueMicrotask(() => this.#awaiting?.ended(end));
  }

  #finish(end: RunEnd): void {
    if (this.#ended) return;
    this.#ended = end;
    if (this.#awaiting) this.#tell(end);
    this.#end?.resolve(end);
  }

  /** The user that the container runs as. */
  get user(): User {
    const [own, shared] = [this.#spec.securityContext, this.#pod.securityContext];
    const uid = own?.runAsUser ?? shared?.runAsUser ?? this.#image.user;
    const groups = [...(shared?.supplementalGroups ?? []), ...(shared?.fsGroup === undefined ? [] : [shared.fsGroup])];
    return sharedUser({ uid, gid: own?.runAsGroup ?? shared?.runAsGroup ?? 0, groups });
  }

  get #image(): Image {
    return imageOf(this.#spec.image ?? '');
  }

  /** The variables that its programs start with. */
  variables(): ReadonlyMap<string, string> {
    const { hostname } = this.container;
    const all = new Map([['PATH', PATH], ['HOSTNAME', hostname], ...Object.entries(this.#image.env), ...this.#given]);
    if (!all.has('HOME')) all.set('HOME', this.user.uid === 0 ? '/root' : '/');
    return all;
  }

  /** The files as root sees them. */
  get files(): FileView {
    const root = { user: { uid: 0, gid: 0, groups: [] }, cwd: '/', umask: 0o022 };
    const { mounts, clock } = this.container;
    return new FileView(
      mounts,
      () => root,
      () => clock.now(),
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
    const { clock } = this.container;
    const at = clock.now() + graceMs;
    if (graceMs <= 0) this.container.stop('KILL');
    else {
      this.container.stop('TERM');
      if (at < (this.#killer?.at ?? Infinity)) {
        clock.clearTimeout(this.#killer?.timer);
        this.#killer = { at, timer: clock.setTimeout(() => this.container.stop('KILL'), graceMs) };
      }
    }
    await this.end;
    clock.clearTimeout(this.#killer?.timer);
  }

  /** Ends it from outside, by a signal or with the result of a fault. */
  finish(end: RunEnd): void {
    this.#finish(end);
    this.container.killAll();
  }

  signal(signal: Signal): void {
    this.container.signal(1, signal);
  }

  /** Sets the size of the attached terminal. */
  resize(size: TerminalSize): void {
    this.#terminal?.resize(size);
  }

  /**
   * An attached client has sent all its input: this ends the input of a container with `stdinOnce`. Resolves when the client
   * is detached, and never if it stays for the output. As with the reference's runtimes it is detached where the container's
   * input stays open; the program has a moment to answer what was sent last.
   */
  async inputLeft(): Promise<void> {
    const { stdinOnce = false, tty = false } = this.#spec;
    if (!stdinOnce) return delay(this.container.clock, MOMENT);
    this.stdin?.release();
    this.stdin = undefined;
    if (!tty) await new Promise<void>(() => undefined);
  }

  #options(args: readonly string[]): Omit<StartOptions, 'streams'> {
    return { args, env: this, cwd: this.#spec.workingDir || this.#image.directory, user: this.user };
  }

  #start(words: readonly string[]): void {
    const { streams, stdin, terminal } = standardStreams(this.#spec, this.log, () => this.container.signal(1, 'INT'));
    this.stdin = stdin;
    this.#terminal = terminal;
    this.#tryStart({ ...this.#options(words), streams });
    terminal?.begun();
  }

  exited(exit: Exit): void {
    inBackground(this.#exited(exit), throwToHost);
  }

  async #exited({ code, outOfMemory }: Exit): Promise<void> {
    await this.#terminal?.drained;
    this.log.close();
    this.#finish({
      exitCode: code,
      ...(outOfMemory && code === 137 ? { reason: 'OOMKilled' } : {}),
      ...this.#message(code),
    });
  }

  #tryStart(options: StartOptions): void {
    const { standIn } = this.#image;
    try {
      this.container.start(options, this);
    } catch (problem) {
      if (!(problem instanceof SystemError)) throw problem;
      if (standIn) this.container.start({ ...options, program: standIn }, this);
      else throw new StartProblem(startText(options.args[0] ?? '', problem));
    }
  }

  /** The termination message: its file, or the end of the log. */
  #message(code: number): { readonly message?: string } {
    const { terminationMessagePath, terminationMessagePolicy } = this.#spec;
    const place = this.files.look(terminationMessagePath || TERMINATION_LOG);
    const text = place?.node.type === 'file' ? decodeText(place.node.content.subarray(0, LONGEST_MESSAGE)) : '';
    if (text !== '') return { message: text };
    if (terminationMessagePolicy !== 'FallbackToLogsOnError' || code === 0) return {};
    const lines = this.log.from(this.log.end - LINES_FROM_LOG).map((entry) => entry.text);
    return { message: lines.join('').slice(-LONGEST_FROM_LOG) };
  }
}

/** The message of the reference's runtime. */
export function startText(name: string, { code, message }: SystemError): string {
  const why = code === 'ENOENT' && !name.includes('/') ? `executable file not found in $PATH` : message.toLowerCase();
  const shown = code === 'ENOENT' && name.includes('/') ? `stat ${name}: ${why}` : why;
  return `failed to create containerd task: OCI runtime create failed: container_linux.go:370: starting container process caused: exec: ${JSON.stringify(name)}: ${shown}: unknown`;
}

// They are equal for all pods of a template.
const sharedUser = sharing<User>();
const sharedBounds = sharing<Bounds>();

type Bounds = Pick<ContainerOptions, 'limits' | 'ports'>;

function boundsOf({ resources, ports = [] }: objects.Container): Bounds {
  const { cpu, memory } = resources?.limits ?? {};
  return {
    limits: {
      cpu: cpu ? quantityOf(cpu).milliValue() / 1000 : Infinity,
      memory: memory ? quantityOf(memory).value() : Infinity,
    },
    ports: ports.map(({ containerPort, protocol }) => ({ port: containerPort, protocol: protocol ?? 'TCP' })),
  };
}
