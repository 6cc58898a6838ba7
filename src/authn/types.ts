/** Who asks. `extra` carries what a method knows beyond name and groups. */
export interface UserInfo {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** What one method made of a request. `passed`: the request carries nothing for this method. */
export type Attempt =
  | { readonly outcome: 'passed'; readonly why: string }
  | { readonly outcome: 'refused'; readonly why: string }
  | { readonly outcome: 'accepted'; readonly why: string; readonly user: UserInfo; readonly audiences?: readonly string[] };

/** One way of telling who asks; one file each. */
export interface Authenticator {
  readonly name: string;
  authenticate(request: Request): Attempt | Promise<Attempt>;
}

export interface Authentication {
  readonly user: UserInfo | undefined;
  readonly attempts: readonly { readonly method: string; readonly outcome: Attempt['outcome']; readonly why: string }[];
}
