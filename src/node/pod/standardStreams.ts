/** What the first process of a container reads and writes: pipes, or a terminal of its own. */
import {
  BaseStream,
  nullStream,
  pipe,
  terminal,
  type Stream,
  type Terminal,
  type TerminalSize,
} from '../../programs/index.ts';
import type { objects } from '../../schema/index.ts';

export interface StandardStreams {
  /** By number. */
  readonly streams: ReadonlyMap<number, Stream>;
  /** What is written here the process reads; undefined where the container's spec gives it no input. */
  readonly stdin: Stream | undefined;
  /** The size of the client's terminal; for a container without one it has no meaning. */
  resize(size: TerminalSize): void;
  /** Lets go of the streams, which the process holds by now. */
  begun(): void;
  /** Resolves when everything that was written is passed on, once the process has ended. */
  readonly drained: Promise<void>;
}

/** Until a client has said how large its terminal is. */
const USUAL_SIZE: TerminalSize = { columns: 80, rows: 24 };

const PIPES = { resize: () => undefined, begun: () => undefined, drained: Promise.resolve() };

/** `output` makes a stream for what the container writes; `interrupt` is called for ^C. */
export function standardStreams(
  { stdin = false, tty = false }: Pick<objects.Container, 'stdin' | 'tty'>,
  output: () => Stream,
  interrupt: () => void,
): StandardStreams {
  if (tty) return ofTerminal(stdin, output(), interrupt);
  const input = stdin ? pipe() : undefined;
  const streams = [input?.input ?? nullStream(), output(), output()];
  return { streams: new Map(streams.entries()), stdin: input?.output, ...PIPES };
}

function ofTerminal(hasInput: boolean, output: Stream, interrupt: () => void): StandardStreams {
  const own = terminal(USUAL_SIZE, interrupt);
  const drained = show(own, output);
  const streams = [hasInput ? own.stream : nullStream(), own.stream, own.stream];
  return {
    streams: new Map(streams.entries()),
    stdin: hasInput ? new Typing(own) : undefined,
    resize: (size) => own.resize(size),
    begun: () => own.stream.release(),
    drained,
  };
}

async function show({ output: screen }: Terminal, output: Stream): Promise<void> {
  for (let bytes = await screen.read(); bytes; bytes = await screen.read()) await output.write(bytes);
}

/** What is written here is typed at a terminal; when nobody holds it any more, the person is gone. */
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
