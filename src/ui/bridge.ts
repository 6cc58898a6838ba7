/** What the page asks of its host about clients outside of the browser. */

/**
 * How clients outside of the browser stand to a cluster: not let in, with the reason where it was not the person who said so; on
 * the way; let in at an address; or let in as soon as the server of the page is back.
 */
export type BridgeState =
  | { readonly is: 'off'; readonly why?: string }
  | { readonly is: 'opening' }
  | { readonly is: 'open'; readonly url: string }
  | { readonly is: 'waiting'; readonly why: string };

/** Lets clients outside of the browser in, by the server that the page came from. */
export interface BridgeControl {
  /** Whether that server can. */
  find(): Promise<boolean>;
  /** Calls back with how it stands, now and whenever that changes; returns what ends it. */
  follow(listener: (state: BridgeState) => void): () => void;
  /** Lets clients in until `close`, also after this tab is reloaded. */
  open(): void;
  close(): void;
  /** A kubeconfig for an administrator, once there is an address. */
  kubeconfig(): Promise<string>;
}

/** How it stands with the server of a cluster: connected; gone, and looked for; or there with another key. */
export type ServerState = { readonly is: 'open' } | { readonly is: 'away' | 'refused'; readonly why: string };

/** A cluster that runs in a server beside the page; its components are started with their flags there. */
export interface ServedBy {
  /** Where other clients reach its API. */
  readonly url: string;
  readonly keptIn: 'memory' | 'files' | 'etcd';
  /** Calls back with how it stands with the server, now and whenever that changes; returns what ends it. */
  follow(listener: (state: ServerState) => void): () => void;
}

/** What a running cluster has outside of the browser. */
export interface Bridged {
  /** Absent for one that runs in this browser. */
  readonly served?: ServedBy;
  /** Absent in the past, and where the host has no way for clients outside of it. */
  bridge?(): Promise<BridgeControl>;
}
