import type { Duplex } from './duplex.ts';
import { WholeResponse } from './wholeResponse.ts';

/** A WebSocket as its server sees it. */
export interface MessageSocket {
  /** Aborts when the client is gone. */
  readonly closed: AbortSignal;
  /** The next message; undefined when the client has closed. */
  receive(): Promise<string | Uint8Array | undefined>;
  /** Resolves when there is room for more. */
  send(message: string | Uint8Array): Promise<void>;
  /** Closes after what was sent. */
  close(): void;
}

/** A connection on which the client opens streams (SPDY/3.1). */
export interface StreamSocket {
  /** Aborts when the client is gone. */
  readonly closed: AbortSignal;
  /** The next stream that the client opens; undefined when it is gone. A stream that is not wanted is reset. */
  accept(): Promise<OpenedStream | undefined>;
  /** Closes after what was written. */
  close(): void;
}

export interface OpenedStream extends Duplex {
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
}

/** What a connection is used for once its protocol has been switched; resolves when nothing more is to be sent. */
export type Session =
  | { readonly speaks: 'websocket'; readonly serve: (socket: MessageSocket) => Promise<void> }
  | { readonly speaks: 'spdy'; readonly serve: (socket: StreamSocket) => Promise<void> };

/**
 * The response to a request for an upgrade (`Connection: Upgrade`): the host that holds the connection sends its headers
 * and hands the session a socket. No platform makes a Response with code 101.
 */
export class SwitchedResponse extends WholeResponse {
  readonly session: Session;

  constructor(session: Session, headers: Readonly<Record<string, string>>) {
    super(null, { status: 101, headers });
    this.session = session;
  }
}
