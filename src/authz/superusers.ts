import { SUPERUSERS } from './rbac/escalation.ts';
import type { Authorizer } from './types.ts';

/** Members of system:masters may do anything, whatever modules are configured: this precedes all of them. */
export const superusers: Authorizer = {
  name: 'Superusers',
  authorize: ({ user }) =>
    user.groups.includes(SUPERUSERS)
      ? { decision: 'allow', reason: '', proof: () => ({ decision: 'allow', group: SUPERUSERS }) }
      : { decision: 'no-opinion', reason: '' },
};
