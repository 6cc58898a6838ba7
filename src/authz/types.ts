import type { UserInfo } from '../authn/index.ts';

/** What a request wants, as the authorizers see it (specification, Authorization 4). */
export interface Attributes {
  readonly user: UserInfo;
  readonly verb: string;
  /** False for paths such as `/healthz`. */
  readonly isResource: boolean;
  readonly path: string;
  readonly namespace: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
}

export type Decision = 'allow' | 'deny' | 'no-opinion';

/** One module's verdict. `proof` is what the trace shows: the rule that allowed, or the nearest misses, once `refusalProofs` is here. */
export interface Verdict {
  readonly decision: Decision;
  readonly reason: string;
  /** An error while evaluating (an unresolvable roleRef, say); it does not stop the others. */
  readonly error?: string;
  readonly proof?: () => unknown;
}

/** One module of `--authorization-mode`; one file each. */
export interface Authorizer {
  readonly name: string;
  authorize(attributes: Attributes): Verdict | Promise<Verdict>;
  /** For SelfSubjectRulesReview: what this module allows a user in a namespace. */
  rules?(user: UserInfo, namespace: string): RuleSummary;
}

export interface RuleSummary {
  readonly resourceRules: readonly {
    readonly verbs: readonly string[];
    readonly apiGroups?: readonly string[];
    readonly resources?: readonly string[];
    readonly resourceNames?: readonly string[];
  }[];
  readonly nonResourceRules: readonly {
    readonly verbs: readonly string[];
    readonly nonResourceURLs?: readonly string[];
  }[];
  readonly incomplete: boolean;
  readonly error?: string;
}

/** What the chain decided, with every module's verdict that was asked. */
export interface Authorization {
  readonly decision: Decision;
  readonly reason: string;
  readonly error?: string;
  readonly verdicts: readonly { readonly module: string; readonly verdict: Verdict }[];
}
