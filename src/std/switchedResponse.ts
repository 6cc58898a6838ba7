import type { Duplex } from './duplex.ts';
import { WholeResponse } from './wholeResponse.ts';

/** The server's end of a WebSocket. */
export interface MessageSocket {
  /** Aborts when the client has disconnected. */
  readonly closed: AbortSignal;
  /** The next message; undefined when the client has closed. */
  receive(): Promise<string | Uint8Array | undefined>;
  /** Resolves when there is room for more. */
  send(message: string | Uint8Array): Promise<void>;
  /** Closes after pending messages were sent. */
  close(): void;
}

/** A connection on which the client opens streams (SPDY/3.1). */
export interface StreamSocket {
  /** Aborts when the client has disconnected. */
  readonly closed: AbortSignal;
  /**
   * The next stream that the client opens; undefined after the client has disconnected. The caller resets unwanted
   * streams.
   */
  accept(): Promise<OpenedStream | undefined>;
  /** Closes after pending data was written. */
  close(): void;
}

export interface OpenedStream extends Duplex {
  /** Lower-case names. */
  readonly headers: ReadonlyMap<string, string>;
}

/** Uses a connection after its protocol was switched; resolves when there is nothing more to send. */
export type Session =
  | { readonly speaks: 'websocket'; readonly serve: (socket: MessageSocket) => Promise<void> }
  | { readonly speaks: 'spdy'; readonly serve: (socket: StreamSocket) => Promise<void> };

/**
 * The response to an upgrade request (`Connection: Upgrade`). The host that holds the connection sends its headers and
 * passes a socket to the session. The platform's Response does not support code 101.
 */
export class SwitchedResponse extends WholeResponse {
  readonly session: Session;

  constructor(session: Session, headers: Readonly<Record<string, string>>) {
    super(null, { status: 101, headers });
    this.session = session;
  }
}
