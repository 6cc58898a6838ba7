/** Questions that people ask about access; no request waits for them. */
export { changesFor } from './rbac/changes.ts';
export { matrix, whatCan, whoCan } from './rbac/questions.ts';
export { shiftsBy } from './rbac/shifts.ts';
