/** Why RBAC decided: the rule that allowed, or the nearest misses with their differences. */
import type { Difference } from './differences.ts';
import type { Edit } from './edits.ts';
import type { BindingId, PolicyRule, RoleId, Subject } from './types.ts';

export type RbacProof =
  | {
      readonly decision: 'allow';
      readonly binding: BindingId;
      readonly subject: Subject;
      readonly role: RoleId;
      readonly ruleIndex: number;
      readonly rule: PolicyRule;
    }
  | {
      readonly decision: 'no-opinion';
      readonly nearMisses: readonly NearMiss[];
      readonly unresolved: readonly Unresolved[];
    };

/**
 * A rule that would have allowed the request without the differences in `differs`; `edits` remove them. There are none
 * where the role's rules are aggregated.
 */
export interface NearMiss {
  readonly role: RoleId;
  readonly ruleIndex: number;
  readonly rule: PolicyRule;
  /** The binding of the rule; missing if the role is not bound. */
  readonly binding?: BindingId;
  readonly differs: readonly Miss[];
  readonly edits: readonly Edit[];
}

export type Miss =
  | Difference
  /** The binding applies in the request's scope, but has other subjects. */
  | { readonly part: 'subject'; readonly has: readonly Subject[]; readonly needs: Subject }
  /** The binding names the user, but in another namespace. */
  | { readonly part: 'namespace'; readonly has: string; readonly needs: string }
  /** The role is not bound in the request's scope. */
  | { readonly part: 'binding'; readonly needs: BindingId };

/** A binding of the user whose role is missing. */
export interface Unresolved {
  readonly binding: BindingId;
  readonly message: string;
}
