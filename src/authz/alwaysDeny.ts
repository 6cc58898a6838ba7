import type { Authorizer } from './types.ts';

/** The module AlwaysDeny: it never allows; it leaves the last word to whoever comes after it, as the reference does. */
export const alwaysDeny: Authorizer = {
  name: 'AlwaysDeny',
  authorize: () => ({ decision: 'no-opinion', reason: 'Everything is forbidden.' }),
  rules: () => ({ resourceRules: [], nonResourceRules: [], incomplete: false }),
};
