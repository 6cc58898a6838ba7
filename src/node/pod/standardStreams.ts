/** The standard streams of a container's main process: pipes, or a terminal. */
import {
  BaseStream,
  nullStream,
  pipe,
  terminal,
  type Stream,
  type StreamsSource,
  type Terminal,
  type TerminalSize,
} from '../../programs/index.ts';
import type { objects } from '../../schema/index.ts';
import type { LogBuffer } from './logBuffer.ts';

export interface StandardStreams {
  /** By file descriptor. */
  readonly streams: ReadonlyMap<number, Stream> | StreamsSource;
  /** The process's input; undefined if the container's spec does not enable it. */
  readonly stdin: Stream | undefined;
  /** Undefined without a terminal. */
  readonly terminal: ContainerTerminal | undefined;
}

/** The terminal of a container. */
export interface ContainerTerminal {
  /** Sets the size of the client's terminal. */
  resize(size: TerminalSize): void;
  /** Releases the streams, which the process now holds. */
  begun(): void;
  /** Resolves when all output was forwarded, after the process has ended. */
  readonly drained: Promise<void>;
}

/** Used until a client has sent the size of its terminal. */
const USUAL_SIZE: TerminalSize = { columns: 80, rows: 24 };

/** The output goes into `log`; `interrupt` is called for ^C. */
export function standardStreams(
  { stdin = false, tty = false }: Pick<objects.Container, 'stdin' | 'tty'>,
  log: LogBuffer,
  interrupt: () => void,
): StandardStreams {
  if (tty) return ofTerminal(stdin, log.stream(), interrupt);
  const { input, output } = stdin ? pipe() : {};
  return { streams: input ? log.streams(input) : log, stdin: output, terminal: undefined };
}

function ofTerminal(hasInput: boolean, output: Stream, interrupt: () => void): StandardStreams {
  const own = terminal(USUAL_SIZE, interrupt);
  const drained = show(own, output);
  const streams = [hasInput ? own.stream : nullStream(), own.stream, own.stream];
  return {
    streams: new Map(streams.entries()),
    stdin: hasInput ? new Typing(own) : undefined,
    terminal: { resize: (size) => own.resize(size), begun: () => own.stream.release(), drained },
  };
}

async function show({ output: screen }: Terminal, output: Stream): Promise<void> {
  for (let bytes = await screen.read(); bytes; bytes = await screen.read()) await output.write(bytes);
}

/** Writes are typed at the terminal; when the last reference is released, the terminal hangs up. */
class Typing extends BaseStream {
  readonly #terminal: Terminal;

  constructor(at: Terminal) {
    super();
    this.#terminal = at;
  }

  override write(bytes: Uint8Array): Promise<void> {
    this.#terminal.type(bytes);
    return Promise.resolve();
  }

  protected override closed(): void {
    this.#terminal.hangUp();
  }
}
