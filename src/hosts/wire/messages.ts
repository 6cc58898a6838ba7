import { PlainHeaders, type Session } from '../../std/index.ts';

/**
 * The realm of a request. `api`: the API server, from anybody, with the request's credentials. `page`: the API server,
 * from the page's own code, which is the built-in administrator by default. `bridge`: the API server, from a client of
 * the bridge, whose certificates are in a header (bridge/certificates.ts). `host`: the host around the API: clock,
 * trace, storage. `tab`: the host in this tab, whichever tab runs the cluster.
 */
export type Realm = 'api' | 'page' | 'bridge' | 'host' | 'tab';

/** The header under which a User-Agent travels: browsers take the real one out of every Request. */
export const userAgentHeader = 'x-vitrine-user-agent';

export type HeaderList = readonly (readonly [string, string])[];

/** Headers as one text, names and values by turns, a line each: a message with many small parts is slow to copy. Throws TypeError. */
export function packHeaders(headers: Iterable<readonly [string, string]>): string {
  if (headers instanceof PlainHeaders) return headers.lines();
  const lines: string[] = [];
  for (const [name, value] of headers) {
    if (/[\r\n]/.test(name + value)) throw new TypeError(`the header ${JSON.stringify(name)} has a line break`);
    lines.push(name, value);
  }
  return lines.join('\n');
}

export const unpackHeaders = (text: string): PlainHeaders => PlainHeaders.ofLines(text);

/** From the caller to the server. */
export type Question =
  | {
      readonly type: 'request';
      readonly id: number;
      readonly realm: Realm;
      readonly method: string;
      readonly path: string;
      /** As `packHeaders` writes them. */
      readonly headers: string;
      readonly body?: ArrayBuffer | string;
    }
  | { readonly type: 'abort'; readonly id: number }
  | { readonly type: 'credit'; readonly id: number; readonly bytes: number }
  | { readonly type: 'stream'; readonly id: number; readonly frame: StreamFrame };

/** A frame on one of a call's streams after its connection was switched: `credit` says how much was read. */
export type StreamFrame =
  | { readonly do: 'open'; readonly stream: number; readonly headers: string }
  | { readonly do: 'data'; readonly stream: number; readonly data: Uint8Array<ArrayBuffer> }
  | { readonly do: 'credit'; readonly stream: number; readonly bytes: number }
  | { readonly do: 'end' | 'reset'; readonly stream: number };

/** From the server to the caller. */
export type Answer =
  | {
      readonly type: 'head';
      readonly id: number;
      readonly status: number;
      /** As `packHeaders` writes them. */
      readonly headers: string;
      /** The whole body; absent when it follows in chunks or there is none. */
      readonly body?: string | Uint8Array<ArrayBuffer>;
      readonly streamed: boolean;
    }
  | { readonly type: 'chunk'; readonly id: number; readonly data: Uint8Array<ArrayBuffer> }
  /** The connection is switched: streams follow, until `end`. The messages of a WebSocket are those of one stream. */
  | { readonly type: 'switched'; readonly id: number; readonly headers: string; readonly speaks: Session['speaks'] }
  | { readonly type: 'stream'; readonly id: number; readonly frame: StreamFrame }
  | { readonly type: 'end'; readonly id: number }
  | { readonly type: 'failed'; readonly id: number; readonly message: string };

/** Several messages that came about together, in their order. */
export interface Batch<M> {
  readonly type: 'batch';
  readonly messages: readonly M[];
}

/** How many bytes of one body or stream may be on their way, or wait unread, at most. */
export const window = 256 * 1024;

/** Sends a message to the other side; buffers in `transfer` are handed over, not copied. */
export type Post<M> = (message: M, transfer?: Transferable[]) => void;
