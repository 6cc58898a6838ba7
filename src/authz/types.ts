import type { UserInfo } from '../authn/index.ts';

/** The attributes of a request for authorization (specification, Authorization 4). */
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

/**
 * One module's verdict. `proof` is for the trace: the rule that allowed, or the nearest misses once `refusalProofs` is
 * loaded.
 */
export interface Verdict {
  readonly decision: Decision;
  readonly reason: string;
  /** An evaluation error (an unresolvable roleRef, say); other modules still run. */
  readonly error?: string;
  readonly proof?: () => unknown;
}

/** One module of `--authorization-mode`; one file each. */
export interface Authorizer {
  readonly name: string;
  authorize(attributes: Attributes): Verdict | Promise<Verdict>;
  /** For SelfSubjectRulesReview: the rules of a user in a namespace. */
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

/** The decision of the chain, with the verdict of every called module. */
export interface Authorization {
  readonly decision: Decision;
  readonly reason: string;
  readonly error?: string;
  readonly verdicts: readonly { readonly module: string; readonly verdict: Verdict }[];
}
