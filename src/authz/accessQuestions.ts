/** Questions that people ask about access; they are not part of request handling. */
export { changesFor } from './rbac/changes.ts';
export { matrix, whatCan, whoCan } from './rbac/questions.ts';
export { shiftsBy } from './rbac/shifts.ts';
