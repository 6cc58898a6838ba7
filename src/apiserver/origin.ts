import type { UserInfo } from '../authn/index.ts';
import type { Cause } from '../trace/index.ts';

/** How a request came in. */
export interface Origin {
  /** A part of the cluster itself: its identity is known, no credential is checked. */
  readonly as?: UserInfo;
  /** The User-Agent where the request's own headers can't say it. */
  readonly userAgent?: string;
  /** The client's certificates as DER, its own first, where the connection's handshake proved them. */
  readonly certificates?: readonly Uint8Array[];
  /** For the trace: what stood before the path where it names a server, such as `/servers/second`. */
  readonly base?: string;
  /** For the trace: `page`, `controller-manager`, `http`. */
  readonly from?: string;
  /** What the sender reacts to; found only while the trace has listeners. */
  readonly causes?: (() => readonly Cause[]) | undefined;
}
