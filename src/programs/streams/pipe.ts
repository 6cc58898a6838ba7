import type { StopSignal } from '../../std/index.ts';
import { Killed, SystemError } from '../errors.ts';
import { BaseStream } from './base.ts';
import type { Stream } from './stream.ts';

/** Bytes that wait in a pipe before its writer has to. */
const CAPACITY = 64 * 1024;

/** What both ends of a pipe share. */
class Channel {
  readonly chunks: Uint8Array[] = [];
  waiting = 0;
  writerClosed = false;
  readerClosed = false;
  readonly #waiters = new Set<() => void>();

  /** Resolves when anything changes; rejects when `signal` aborts. */
  change(signal?: StopSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const finish = (end: () => void): void => {
        this.#waiters.delete(changed);
        signal?.removeEventListener('abort', aborted);
        end();
      };
      const changed = (): void => finish(resolve);
      const aborted = (): void => finish(() => reject(new Killed()));
      if (signal?.aborted) return aborted();
      this.#waiters.add(changed);
      signal?.addEventListener('abort', aborted, { once: true });
    });
  }

  notify(): void {
    for (const waiter of [...this.#waiters]) waiter();
  }
}

class ReadEnd extends BaseStream {
  readonly #channel: Channel;

  constructor(channel: Channel) {
    super();
    this.#channel = channel;
  }

  protected override async readMore(signal?: StopSignal): Promise<Uint8Array | undefined> {
    const channel = this.#channel;
    for (;;) {
      const chunk = channel.chunks.shift();
      if (chunk) {
        channel.waiting -= chunk.length;
        channel.notify();
        return chunk;
      }
      if (channel.writerClosed) return undefined;
      await channel.change(signal);
    }
  }

  protected override closed(): void {
    this.#channel.readerClosed = true;
    this.#channel.chunks.length = 0;
    this.#channel.notify();
  }
}

class WriteEnd extends BaseStream {
  readonly #channel: Channel;

  constructor(channel: Channel) {
    super();
    this.#channel = channel;
  }

  override async write(bytes: Uint8Array, signal?: StopSignal): Promise<void> {
    const channel = this.#channel;
    while (channel.waiting >= CAPACITY && !channel.readerClosed) await channel.change(signal);
    if (channel.readerClosed || channel.writerClosed) throw new SystemError('EPIPE');
    if (bytes.length === 0) return;
    channel.chunks.push(bytes);
    channel.waiting += bytes.length;
    channel.notify();
  }

  protected override closed(): void {
    this.#channel.writerClosed = true;
    this.#channel.notify();
  }
}

/** A pipe: what is written to one end is read from the other, which waits when too much is unread. */
export function pipe(): { readonly input: Stream; readonly output: Stream } {
  const channel = new Channel();
  return { input: new ReadEnd(channel), output: new WriteEnd(channel) };
}
