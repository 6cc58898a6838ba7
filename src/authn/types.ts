/** Who asks. `extra` carries what a method knows beyond name and groups. */
export interface UserInfo {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/**
 * What one method made of a request. `passed`: the request carries nothing for this method. `why` goes into the trace,
 * so it never holds a secret.
 */
export type Attempt = (
  | { readonly outcome: 'passed' }
  | { readonly outcome: 'refused' }
  | { readonly outcome: 'accepted'; readonly user: UserInfo; readonly audiences?: readonly string[] }
) & {
  readonly why: string;
  /** Where a method asks others: what each of them made of it. */
  readonly within?: readonly AttemptNote[];
};

/** An attempt as the trace shows it. */
export interface AttemptNote {
  readonly method: string;
  readonly outcome: Attempt['outcome'];
  readonly why: string;
}

/** What the host knows of the connection that a request came by. */
export interface Connection {
  /** The client's certificates as DER, its own first, as the TLS handshake proved them. */
  readonly certificates?: readonly Uint8Array[];
}

/** One way of telling who asks by the whole request; one file each. */
export interface Authenticator {
  readonly name: string;
  authenticate(request: Request, connection: Connection): Attempt | Promise<Attempt>;
}

/** One way of telling who asks by a bearer token; one file each. `audiences` are those for whom the token has to be meant. */
export interface TokenAuthenticator {
  readonly name: string;
  authenticateToken(token: string, audiences: readonly string[]): Attempt | Promise<Attempt>;
}

export interface Authentication {
  readonly user: UserInfo | undefined;
  /** Where a token was accepted: for which of the audiences asked for it is meant. */
  readonly audiences?: readonly string[];
  readonly attempts: readonly AttemptNote[];
}
