/** Questions about access, answered from the index that RBAC uses for decisions. */
import {
  accessAnswers,
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
  /** All subjects that RBAC allows a request. */
  whoCan(asked: Omit<Attributes, 'user'>): Promise<readonly Holder[]>;
  /** Every rule of a user with its scope and grant. */
  whatCan(user: UserInfo): Promise<readonly Held[]>;
  /** What a user may do with each resource in a namespace (empty: in the whole cluster). */
  matrix(
    user: UserInfo,
    namespace: string,
    resources: readonly Pick<MatrixRow, 'group' | 'resource' | 'subresource'>[],
    verbs: readonly string[],
  ): Promise<readonly MatrixRow[]>;
  /** Changes that would allow a request, and what else each would permit; the least permissive first. */
  changesFor(asked: Attributes): Promise<readonly Change[]>;
  /** Who would gain and lose which rights with proposed roles and bindings. */
  shiftsBy(proposal: Proposal): Promise<readonly Shift[]>;
}

export function accessQuestions(policy: PolicyIndex): AccessQuestions {
  const answers = () => accessAnswers.load();
  return {
    whoCan: async (asked) => (await answers()).whoCan(policy, asked),
    whatCan: async (user) => (await answers()).whatCan(policy, user),
    matrix: async (user, namespace, resources, verbs) =>
      (await answers()).matrix(policy, user, namespace, resources, verbs),
    changesFor: async (asked) => (await answers()).changesFor(policy, asked),
    shiftsBy: async (proposal) => (await answers()).shiftsBy(policy, proposal),
  };
}
