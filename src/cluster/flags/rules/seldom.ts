/** The rules of flags that few clusters have. */
export { auditRules } from './audit.ts';
export { authenticationRules } from './authentication.ts';
