import type { StopSignal } from '../../std/index.ts';
import { BaseStream, pipe, type Stream } from '../streams/index.ts';
import type { Address, Connection, ListenOptions } from './network.ts';

/** One side of a connection: reads from one pipe and writes to another. */
class Duplex extends BaseStream {
  readonly #input: Stream;
  readonly #output: Stream;
  readonly #onClosed: () => void;
  #ended = false;

  constructor(input: Stream, output: Stream, onClosed: () => void) {
    super();
    this.#input = input;
    this.#output = output;
    this.#onClosed = onClosed;
  }

  override write(bytes: Uint8Array, signal?: StopSignal): Promise<void> {
    return this.#output.write(bytes, signal);
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#output.release();
  }

  protected override readMore(signal?: StopSignal): Promise<Uint8Array | undefined> {
    return this.#input.read(signal);
  }

  protected override closed(): void {
    this.end();
    this.#input.release();
    this.#onClosed();
  }
}

/** The certificate that a listener presents to a client for a name; undefined without TLS. */
export function shownTls(
  { tls }: ListenOptions,
  serverName: string | undefined,
): { readonly certificate: string } | undefined {
  if (!tls) return undefined;
  const { certificate } = tls;
  return { certificate: typeof certificate === 'string' ? certificate : certificate(serverName) };
}

/** Both sides of a connection: what one writes the other reads. `onClosed` is called as each of them lets go. */
export function connectionPair(
  client: Address,
  server: Address,
  tls?: { readonly certificate: string },
  onClosed: () => void = () => undefined,
): { readonly client: Connection; readonly server: Connection } {
  const there = pipe();
  const back = pipe();
  const side = (stream: Duplex, local: Address, remote: Address): Connection => ({
    ...{ stream, local, remote, tls },
    end: () => stream.end(),
  });
  return {
    client: side(new Duplex(back.input, there.output, onClosed), client, server),
    server: side(new Duplex(there.input, back.output, onClosed), server, client),
  };
}
