/**
 * The messages between a page and the server of `npm run serve -- --page`: the wire's questions and answers, and a
 * handshake.
 */
import type { ClusterOptions } from '../../cluster/index.ts';
import type { Answer, Question } from '../wire/index.ts';

/** What a page needs to know about the served cluster. */
export interface ServedCluster {
  /** How it was made, without its files. */
  readonly options: ClusterOptions;
  /** Where the server stores the cluster. */
  readonly keptIn: 'memory' | 'files' | 'etcd';
  /** Where other clients reach its API, and by what. */
  readonly api: {
    readonly url: string;
    /** PEM of the authority to trust, where there is one of the cluster's own. */
    readonly authority?: string;
    /** An administrator's token; missing if the cluster has its own users. */
    readonly token?: string;
  };
}

/**
 * From the page. `hello` comes first and `enter` second; anything else before them is refused: the page sends a nonce,
 * the server answers with another and its proof (proof.ts), and only a server with the key gets the page's proof.
 */
export type FromPage =
  { readonly type: 'hello'; readonly nonce: string } | { readonly type: 'enter'; readonly proof: string } | Question;

/** From the server. `refused`: the page has not this server's key. */
export type ToPage =
  | { readonly type: 'challenge'; readonly nonce: string; readonly proof: string }
  | { readonly type: 'entered'; readonly served: ServedCluster }
  | { readonly type: 'refused' }
  | Answer;

/** The path of the server's WebSocket beside the page. */
export const SERVED_PATH = 'served';

/** Bytes of a page's message at most. The page refuses a longer request itself: the server would end the connection. */
export const LONGEST_QUESTION = 16 * 1024 * 1024;
