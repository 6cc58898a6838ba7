import type { UserInfo } from '../authn/index.ts';
import type { Cause } from '../trace/index.ts';

/** Where a request came from. */
export interface Origin {
  /** The identity of a cluster component; its credentials are not checked. */
  readonly as?: UserInfo;
  /** The User-Agent, if the request's own headers can't contain it. */
  readonly userAgent?: string;
  /** The client's certificates as DER, its own first, if the TLS handshake proved them. */
  readonly certificates?: readonly Uint8Array[];
  /** For the trace: the prefix of the path if it names a server, such as `/servers/second`. */
  readonly base?: string;
  /** For the trace: `page`, `controller-manager`, `http`. */
  readonly from?: string;
  /** The causes of the request; computed only while the trace has listeners. */
  readonly causes?: (() => readonly Cause[]) | undefined;
}
