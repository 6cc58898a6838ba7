/** Modules that few clusters use. */
export { abacAuthorizer, parseAbacPolicies } from './abac.ts';
export { webhookAuthorizer } from './webhook.ts';
