/** Questions about access, for those who look on: asked of the very index by which RBAC decides. */
import {
  changesFor,
  matrix,
  shiftsBy,
  whatCan,
  whoCan,
  type Attributes,
  type Change,
  type Held,
  type Holder,
  type MatrixRow,
  type PolicyIndex,
  type Proposal,
  type Shift,
} from '../authz/index.ts';
import type { UserInfo } from '../authn/index.ts';

export interface AccessQuestions {
  /** All subjects whom RBAC allows a request. */
  whoCan(asked: Omit<Attributes, 'user'>): readonly Holder[];
  /** Every rule that a user holds, where, and by what. */
  whatCan(user: UserInfo): readonly Held[];
  /** What a user may do with each resource in a namespace (empty: in the whole cluster). */
  matrix(
    user: UserInfo,
    namespace: string,
    resources: readonly Pick<MatrixRow, 'group' | 'resource' | 'subresource'>[],
    verbs: readonly string[],
  ): readonly MatrixRow[];
  /** Changes that would allow a request, and what else each would open; the one that opens least first. */
  changesFor(asked: Attributes): readonly Change[];
  /** Who would gain and lose what if roles and bindings were as proposed. */
  shiftsBy(proposal: Proposal): readonly Shift[];
}

export function accessQuestions(policy: PolicyIndex): AccessQuestions {
  return {
    whoCan: (asked) => whoCan(policy, asked),
    whatCan: (user) => whatCan(policy, user),
    matrix: (user, namespace, resources, verbs) => matrix(policy, user, namespace, resources, verbs),
    changesFor: (asked) => changesFor(policy, asked),
    shiftsBy: (proposal) => shiftsBy(policy, proposal),
  };
}
