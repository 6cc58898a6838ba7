/** What the two ends of the bridge say to each other: the wire's questions and answers, and a little around them. */
import type { Answer, Question } from '../wire/index.ts';

/** What a tab offers: a cluster, and what a server needs to speak TLS for it. All files are PEM. */
export interface Offer {
  readonly type: 'offer';
  readonly cluster: string;
  /** Known to the tabs of one browser alone: by it a cluster gets the address back that it had. */
  readonly secret: string;
  /** The port that clients know already; 0 where there is none. */
  readonly port: number;
  readonly certificate: string;
  readonly key: string;
  /** Authorities of which clients are asked to bring a certificate; empty for any. */
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

/** The path of the bridge beside the page: a WebSocket for tabs, and for GET what says that there is one. */
export const BRIDGE_PATH = 'bridge';

/** What GET answers; another version speaks another protocol. */
export const BRIDGE_VERSION = 1;

/** Bytes of one message at most, in either direction. */
export const LONGEST_MESSAGE = 32 * 1024 * 1024;

/** The header by which the certificates travel that a client proved in its handshake. No client may send it. */
export const CERTIFICATES_HEADER = 'x-vitrine-client-certificates';
