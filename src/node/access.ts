import {
  openRequest,
  terminal,
  type Connection,
  type FileView,
  type Stream,
  type StreamedResponse,
  type Terminal,
  type TerminalSize,
} from '../programs/index.ts';
import type { ApiObject } from '../schema/index.ts';
import type { PodRequest } from '../std/index.ts';
import type { Fleet } from './fleet.ts';

/** The requested container is not running. */
export class NotRunning extends Error {
  override name = 'NotRunning';
}

/** Streams that the caller provides; the program retains each of them while it runs. */
export interface ExecStreams {
  readonly stdin?: Stream;
  readonly stdout?: Stream;
  readonly stderr?: Stream;
}

export interface Running {
  /** Resolves to the exit code. */
  readonly exit: Promise<number>;
  kill(): void;
}

export interface RunningInTerminal extends Running {
  readonly terminal: Terminal;
}

/** A container's main process, as seen by an attached client. */
export interface Attached {
  readonly stdin: Stream | undefined;
  /** Ends the input of this client. Resolves when the client is detached, and never if it stays for the output. */
  inputLeft(): Promise<void>;
  resize(size: TerminalSize): void;
  /** Also writes the program's output to a stream, until the returned function is called. */
  listen(to: Stream): () => void;
  readonly exit: Promise<number>;
}

/** Access to the containers of all nodes: commands, input and output, ports, files. */
export class ContainerAccess {
  readonly #fleet: Fleet;

  constructor(fleet: Fleet) {
    this.#fleet = fleet;
  }

  /** Runs a command in a container. Throws NotRunning, or SystemError if the program does not exist. */
  exec(pod: ApiObject, container: string, command: readonly string[], { stdin, stdout, stderr }: ExecStreams): Running {
    const given = [stdin, stdout, stderr].flatMap((stream, fd) => (stream ? [[fd, stream] as const] : []));
    const child = this.#process(pod, container).exec(command, new Map(given));
    return { exit: child.exit, kill: () => child.kill('KILL') };
  }

  /** Runs a command in a container with its own terminal. Throws like `exec`. */
  execInTerminal(pod: ApiObject, container: string, command: readonly string[], size: TerminalSize): RunningInTerminal {
    const process = this.#process(pod, container);
    const own = terminal(size, () => child.kill('INT'));
    const child = process.exec(command, new Map([0, 1, 2].map((fd) => [fd, own.stream])));
    own.stream.release();
    return { exit: child.exit, kill: () => child.kill('KILL'), terminal: own };
  }

  /**
   * The further input and output of a container's main process. It has no input without `stdin: true` in its spec.
   * Throws NotRunning.
   */
  attach(pod: ApiObject, container: string): Attached {
    const process = this.#process(pod, container);
    const exit = process.end.then(({ exitCode }) => exitCode);
    return {
      stdin: process.stdin,
      inputLeft: () => process.inputLeft(),
      resize: (size) => process.resize(size),
      listen: (to) => process.log.listen(to),
      exit,
    };
  }

  /** Connects to a port of a pod, as if from within it. Rejects with NotRunning or SystemError. */
  async connect(pod: ApiObject, port: number): Promise<Connection> {
    const found = this.#fleet.network(pod);
    if (!found) throw new NotRunning(`pod ${pod.metadata.name} has no address`);
    return found.network.connect({ host: found.address, port });
  }

  /**
   * Sends a request to a server in a pod, as if from within it; the answer is streamed. Rejects with NotRunning,
   * SystemError or HttpError.
   */
  async request(pod: ApiObject, target: PodRequest, signal: AbortSignal): Promise<StreamedResponse> {
    const found = this.#fleet.network(pod);
    if (!found) throw new NotRunning(`pod ${pod.metadata.name} has no address`);
    const { tls, port, path, method, headers, body } = target;
    const url = new URL(`${tls ? 'https' : 'http'}://${found.address}:${port}${path}`);
    return openRequest(found.network, url, { method, headers, signal, ...(body && { body }) });
  }

  /** The files of a container as root sees them. Throws NotRunning. */
  files(pod: ApiObject, container: string): FileView {
    return this.#process(pod, container).files;
  }

  isRunning(pod: ApiObject, container: string): boolean {
    return this.#fleet.running(pod, container) !== undefined;
  }

  #process(pod: ApiObject, container: string): NonNullable<ReturnType<Fleet['running']>>['process'] {
    const running = this.#fleet.running(pod, container);
    if (!running)
      throw new NotRunning(
        `container ${JSON.stringify(container)} in pod ${JSON.stringify(pod.metadata.name)} is not running`,
      );
    return running.process;
  }
}
