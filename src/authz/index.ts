/** Deciding who may do what: one file or folder per module, and `chain.ts`, which asks them in order. */
export type * from './types.ts';
export { abacAuthorizer, AbacPolicyError, parseAbacPolicies } from './abac.ts';
export { alwaysAllow } from './alwaysAllow.ts';
export { alwaysDeny } from './alwaysDeny.ts';
export { authorizationChain } from './chain.ts';
export type { AuthorizationChain } from './chain.ts';
export { nodeAuthorizer, nodeOf } from './node/authorizer.ts';
export { NodeGraph } from './node/graph.ts';
export { rbacAuthorizer } from './rbac/authorizer.ts';
export { checkBinding, checkRole, SUPERUSERS } from './rbac/escalation.ts';
export type { EscalationDeps, Writing } from './rbac/escalation.ts';
export { defaultPolicy, makeNodeRules } from './rbac/policy/defaultPolicy.ts';
export { ensureDefaultPolicy } from './rbac/policy/ensure.ts';
export { PolicyIndex } from './rbac/policyIndex.ts';
export type * from './rbac/types.ts';
export { superusers } from './superusers.ts';
export { webhookAuthorizer } from './webhook.ts';
