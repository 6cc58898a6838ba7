/** Modules that few clusters ask. */
export { abacAuthorizer, parseAbacPolicies } from './abac.ts';
export { webhookAuthorizer } from './webhook.ts';
