import { decodeText, sharedText, type StopSignal } from '../../std/index.ts';
import { BaseStream, nullStream, type Stream, type StreamsSource } from '../../programs/index.ts';

/** A line of a container's output; without a newline if the output ended within the line. */
export interface LogEntry {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly text: string;
}

/** The maximum of kept output in characters; the oldest lines are dropped. */
const MOST_KEPT = 1024 * 1024;
/** Longer lines are split. */
const LONGEST_LINE = 16 * 1024;

const NO_ENTRIES: LogEntry[] = [];

/** The output of one run of a container, line by line. */
export class LogBuffer implements StreamsSource {
  readonly #now: () => number;
  #entries = NO_ENTRIES;
  /** Who follows the log: mostly nobody. */
  #waiting: Set<() => void> | undefined;
  /** Who is attached: what is written goes to them, too. */
  #listeners: Set<Stream> | undefined;
  /** The streams, whose last lines may still grow. */
  #open: readonly LogStream[] = NO_STREAMS;
  /** Called for every line. */
  onLine: (() => void) | undefined;
  #kept = 0;
  #dropped = 0;
  #isClosed = false;

  /** `earlier` are restored lines. */
  constructor(now: () => number, earlier: readonly LogEntry[] = []) {
    this.#now = now;
    if (earlier.length > 0) this.#entries = earlier.slice();
    this.#kept = earlier.reduce((sum, { text }) => sum + text.length, 0);
  }

  /** The total number of lines so far. */
  get end(): number {
    return this.#dropped + this.#entries.length;
  }

  /** The number of kept characters. */
  get size(): number {
    return this.#kept;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The lines from an index on. */
  from(start: number): readonly LogEntry[] {
    return this.#entries.slice(Math.max(0, start - this.#dropped));
  }

  /** The standard streams of a process whose output is stored. */
  streams(input = nullStream()): ReadonlyMap<number, Stream> {
    return new Map([input, this.stream(), this.stream()].entries());
  }

  /** A stream whose lines are stored. */
  stream(): Stream {
    const stream = new LogStream(this);
    this.#open = this.#open.concat([stream]);
    return stream;
  }

  /** Ends the log. */
  close(): void {
    for (const line of this.#open) if (line.text !== '') this.#add(line.text);
    this.#open = NO_STREAMS;
    this.#isClosed = true;
    this.#wake();
  }

  /** Resolves when there is another line, the log is closed, or `signal` aborts. */
  async next(seen: number, signal?: StopSignal): Promise<void> {
    if (this.end > seen || this.#isClosed || signal?.aborted) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.#waiting?.delete(done);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      (this.#waiting ??= new Set()).add(done);
      signal?.addEventListener('abort', done, { once: true });
    });
  }

  /** Also writes further output to a stream, until the returned function is called. */
  listen(to: Stream): () => void {
    (this.#listeners ??= new Set()).add(to);
    return () => void this.#listeners?.delete(to);
  }

  /** Takes what a stream was given: for its last line, and for those who are attached. */
  take(line: { text: string }, bytes: Uint8Array): void {
    this.#append(line, bytes);
    for (const stream of this.#listeners ?? []) stream.write(bytes).catch(() => this.#listeners?.delete(stream));
  }

  #append(line: { text: string }, bytes: Uint8Array): void {
    if (this.#isClosed) return;
    const parts = (line.text + decodeText(bytes)).split('\n');
    line.text = parts.pop() ?? '';
    for (const part of parts) this.#add(`${part}\n`);
    while (line.text.length > LONGEST_LINE) {
      this.#add(line.text.slice(0, LONGEST_LINE));
      line.text = line.text.slice(LONGEST_LINE);
    }
    if (parts.length > 0) this.#wake();
  }

  #add(text: string): void {
    const at = this.#now();
    // Most logs have one entry, the same as others. An array that grows by `push` reserves room for many more.
    if (this.#entries.length === 0) this.#entries = [{ at, text: sharedText(text) }];
    else this.#entries.push({ at, text });
    this.#kept += text.length;
    while (this.#kept > MOST_KEPT && this.#entries.length > 1) {
      this.#kept -= this.#entries.shift()?.text.length ?? 0;
      this.#dropped += 1;
    }
    this.onLine?.();
  }

  #wake(): void {
    for (const done of [...(this.#waiting ?? [])]) done();
  }
}

/** A stream whose lines go into a log. */
class LogStream extends BaseStream {
  readonly #log: LogBuffer;
  /** Its last line. */
  text = '';

  constructor(log: LogBuffer) {
    super();
    this.#log = log;
  }

  override write(bytes: Uint8Array): Promise<void> {
    this.#log.take(this, bytes);
    return Promise.resolve();
  }
}

const NO_STREAMS: readonly LogStream[] = [];
