import { decodeText, encodeText, type StopSignal } from '../../std/index.ts';
import { BaseStream } from './base.ts';
import { pipe } from './pipe.ts';
import type { Stream, TerminalSize } from './stream.ts';

const INTERRUPT = '\x03';
const END = '\x04';
const ERASE = /[\x7f\b]/;

export interface Terminal {
  /** What programs read and write. */
  readonly stream: Stream;
  /** The terminal's output. */
  readonly output: Stream;
  /** What the person types. */
  type(bytes: Uint8Array): void;
  resize(size: TerminalSize): void;
  /** The person is gone. */
  hangUp(): void;
}

/** A terminal: it shows what is typed, hands it on line by line, and turns ^C into a call of `interrupt`, ^D into an end. */
export function terminal(size: TerminalSize, interrupt: () => void): Terminal {
  const screen = pipe();
  const device = new Device(size, screen.output);
  let line = '';
  const keys: Readonly<Record<string, () => void>> = {
    [INTERRUPT]: () => {
      line = '';
      device.show('^C\r\n');
      device.flush();
      interrupt();
    },
    [END]: () => {
      if (line === '') device.endInput();
      else device.enter(line);
      line = '';
    },
    '\n': () => {
      device.show('\r\n');
      device.enter(`${line}\n`);
      line = '';
    },
  };
  const key = (char: string): void => {
    if (Object.hasOwn(keys, char)) return keys[char]?.();
    if (ERASE.test(char)) {
      if (line !== '') device.show('\b \b');
      line = line.slice(0, -1);
    } else if (line.length < 4096) {
      line += char;
      device.show(char);
    }
  };
  return {
    stream: device,
    output: screen.input,
    type: (bytes) => [...decodeText(bytes).replace(/\r\n?/g, '\n')].forEach(key),
    resize: (changed) => (device.terminal = changed),
    hangUp: () => device.endInput(),
  };
}

/** The side of programs. Every line end they write goes to the start of a line. */
class Device extends BaseStream {
  terminal: TerminalSize;
  readonly #screen: Stream;
  readonly #lines: Uint8Array[] = [];
  readonly #ends: number[] = [];
  #wake: (() => void)[] = [];

  constructor(size: TerminalSize, screen: Stream) {
    super();
    this.terminal = size;
    this.#screen = screen;
  }

  enter(text: string): void {
    this.#lines.push(encodeText(text));
    this.#notify();
  }

  /** Drops the lines that no program has read, as a terminal does on ^C. */
  flush(): void {
    this.#lines.length = 0;
  }

  /** The next read finds the end. */
  endInput(): void {
    this.#ends.push(1);
    this.#notify();
  }

  show(text: string): void {
    this.#screen.write(encodeText(text)).catch(() => undefined);
  }

  override write(bytes: Uint8Array, signal?: StopSignal): Promise<void> {
    return this.#screen.write(encodeText(decodeText(bytes).replace(/\r?\n/g, '\r\n')), signal);
  }

  protected override async readMore(signal?: StopSignal): Promise<Uint8Array | undefined> {
    for (;;) {
      const line = this.#lines.shift();
      if (line) return line;
      if (this.#ends.pop() !== undefined || signal?.aborted) return undefined;
      await new Promise<void>((resolve) => {
        const done = (): void => {
          signal?.removeEventListener('abort', done);
          resolve();
        };
        this.#wake.push(done);
        signal?.addEventListener('abort', done, { once: true });
      });
    }
  }

  protected override closed(): void {
    this.#screen.release();
  }

  #notify(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }
}
