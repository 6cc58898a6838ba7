/** The messages of the bridge: the wire's questions and answers, and a few more. */
import type { Answer, Question } from '../wire/index.ts';

/** A tab's offer: a cluster, and what a server needs for its TLS. All files are PEM. */
export interface Offer {
  readonly type: 'offer';
  readonly cluster: string;
  /** Known to the tabs of one browser alone: by it a cluster gets the address back that it had. */
  readonly secret: string;
  /** The port that clients already use; 0 without one. */
  readonly port: number;
  readonly certificate: string;
  readonly key: string;
  /** The CAs of which clients are asked for a certificate; empty for any. */
  readonly clientAuthorities: string;
}

/** From the tab to the server of the page. `close`: clients are no longer allowed in. */
export type FromTab = Offer | Answer | { readonly type: 'close' } | { readonly type: 'pong' };

/** From the server of the page to the tab. `ended`: no more will come, for this reason. */
export type ToTab =
  | Question
  | { readonly type: 'listening'; readonly port: number }
  | { readonly type: 'ended'; readonly why: string }
  | { readonly type: 'ping' };

/** The path of the bridge beside the page: a WebSocket for tabs; a GET says whether it exists. */
export const BRIDGE_PATH = 'bridge';

/** What GET answers; another version speaks another protocol. */
export const BRIDGE_VERSION = 1;

/** Bytes of one message at most, in either direction. */
export const LONGEST_MESSAGE = 32 * 1024 * 1024;

/** The header by which the certificates travel that a client proved in its handshake. No client may send it. */
export const CERTIFICATES_HEADER = 'x-vitrine-client-certificates';
