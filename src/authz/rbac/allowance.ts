import type { Grant } from './policyIndex.ts';
import type { PolicyRule } from './types.ts';

/** The rule that allowed a request, and the grant it came from. */
export interface Allowance {
  readonly grant: Grant;
  readonly rule: PolicyRule;
  readonly ruleIndex: number;
}
