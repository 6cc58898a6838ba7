import type { AccountIssuer, Authentication, Connection, UserInfo } from '../authn/index.ts';
import type { Attributes, Authorization, PolicyIndex, RuleSummary } from '../authz/index.ts';

/** What stages and kinds ask of the methods of authentication and the modules of authorization. */
export interface Decisions {
  authenticate(request: Request, connection: Connection): Promise<Authentication>;
  /** Whom a token stands for, for TokenReview; no audiences: those of this server. */
  reviewToken(token: string, audiences: readonly string[]): Promise<Authentication>;
  /** Issues tokens of service accounts; undefined where there is no key or issuer. */
  readonly accounts: AccountIssuer | undefined;
  authorize(attributes: Attributes): Authorization | Promise<Authorization>;
  rulesFor(user: UserInfo, namespace: string): readonly RuleSummary[];
  /** Roles and bindings, for escalation checks and explanations. */
  readonly policy: PolicyIndex;
}
