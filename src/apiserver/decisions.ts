import type { AccountIssuer, Authentication, Connection, UserInfo } from '../authn/index.ts';
import type { Attributes, Authorization, PolicyIndex, RuleSummary } from '../authz/index.ts';

/** What stages and kinds need from authentication and authorization. */
export interface Decisions {
  authenticate(request: Request, connection: Connection): Promise<Authentication>;
  /** Authenticates a token for a TokenReview; without audiences, this server's audiences apply. */
  reviewToken(token: string, audiences: readonly string[]): Promise<Authentication>;
  /** Issues service account tokens; undefined without a key or issuer. */
  readonly accounts: AccountIssuer | undefined;
  authorize(attributes: Attributes): Authorization | Promise<Authorization>;
  rulesFor(user: UserInfo, namespace: string): readonly RuleSummary[];
  /** Roles and bindings, for escalation checks and explanations. */
  readonly policy: PolicyIndex;
}
