import type { Authorizer } from './types.ts';

/** The module AlwaysDeny: never allows and has no opinion, so that later modules decide, as in the reference. */
export const alwaysDeny: Authorizer = {
  name: 'AlwaysDeny',
  authorize: () => ({ decision: 'no-opinion', reason: 'Everything is forbidden.' }),
  rules: () => ({ resourceRules: [], nonResourceRules: [], incomplete: false }),
};
