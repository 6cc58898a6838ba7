/** Why RBAC decided as it did: the rule that allowed, or the nearest misses with what would have to differ. */
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

/** A rule that would have allowed the request if what `differs` says had been otherwise; `edits` make it so. */
export interface NearMiss {
  readonly role: RoleId;
  readonly ruleIndex: number;
  readonly rule: PolicyRule;
  /** The binding by which the rule reaches someone; absent where nobody is bound to the role. */
  readonly binding?: BindingId;
  readonly differs: readonly Miss[];
  readonly edits: readonly Edit[];
}

export type Miss =
  | Difference
  /** The binding counts where the request goes, but names others. */
  | { readonly part: 'subject'; readonly has: readonly Subject[]; readonly needs: Subject }
  /** The binding names the user, but in another namespace. */
  | { readonly part: 'namespace'; readonly has: string; readonly needs: string }
  /** No binding brings the role to anyone where the request goes. */
  | { readonly part: 'binding'; readonly needs: BindingId };

/** A binding of the user's whose role is not there. */
export interface Unresolved {
  readonly binding: BindingId;
  readonly message: string;
}
