/** The user of a request. `extra` has additional attributes from the method. */
export interface UserInfo {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/**
 * The result of one method. `passed`: the request has no credential for this method. `why` is traced, so it never
 * contains a secret.
 */
export type Attempt = (
  | { readonly outcome: 'passed' }
  | { readonly outcome: 'refused' }
  | { readonly outcome: 'accepted'; readonly user: UserInfo; readonly audiences?: readonly string[] }
) & {
  readonly why: string;
  /** What a token review reports instead of `why`. */
  readonly error?: string;
  /** The results of the methods that this method called. */
  readonly within?: readonly AttemptNote[];
};

/** An attempt in the trace. */
export interface AttemptNote {
  readonly method: string;
  readonly outcome: Attempt['outcome'];
  readonly why: string;
  readonly error?: string;
}

/** What the host knows about the connection of a request. */
export interface Connection {
  /** The client's certificates as DER, its own first, as proved by the TLS handshake. */
  readonly certificates?: readonly Uint8Array[];
}

/** An authentication method for the whole request; one file each. */
export interface Authenticator {
  readonly name: string;
  authenticate(request: Request, connection: Connection): Attempt | Promise<Attempt>;
}

/** An authentication method for bearer tokens; one file each. The token has to be valid for `audiences`. */
export interface TokenAuthenticator {
  readonly name: string;
  authenticateToken(token: string, audiences: readonly string[]): Attempt | Promise<Attempt>;
}

export interface Authentication {
  readonly user: UserInfo | undefined;
  /** The requested audiences for which an accepted token is valid. */
  readonly audiences?: readonly string[];
  readonly attempts: readonly AttemptNote[];
}
