import { encodeText } from '../../std/index.ts';
import { BaseStream } from './base.ts';
import type { Stream } from './stream.ts';

class NullStream extends BaseStream {
  override write(): Promise<void> {
    return Promise.resolve();
  }

  protected override readMore(): Promise<undefined> {
    return Promise.resolve(undefined);
  }
}

const nothing = new NullStream();

/** Reads as empty and takes everything, as /dev/null does. There is one, because it keeps nothing. */
export const nullStream = (): Stream => nothing;

class SinkStream extends BaseStream {
  readonly #take: (bytes: Uint8Array) => void;

  constructor(take: (bytes: Uint8Array) => void) {
    super();
    this.#take = take;
  }

  override write(bytes: Uint8Array): Promise<void> {
    this.#take(bytes);
    return Promise.resolve();
  }
}

/** Hands everything that is written to a function. */
export const sink = (take: (bytes: Uint8Array) => void): Stream => new SinkStream(take);

class SourceStream extends BaseStream {
  readonly #next: () => Uint8Array | undefined;

  constructor(next: () => Uint8Array | undefined) {
    super();
    this.#next = next;
  }

  protected override readMore(): Promise<Uint8Array | undefined> {
    return Promise.resolve(this.#next());
  }
}

/** Reads from a function until it returns nothing. */
export const source = (next: () => Uint8Array | undefined): Stream => new SourceStream(next);

/** Reads as a text. */
export function textSource(text: string): Stream {
  let left: Uint8Array | undefined = text === '' ? undefined : encodeText(text);
  return source(() => {
    const bytes = left;
    left = undefined;
    return bytes;
  });
}
