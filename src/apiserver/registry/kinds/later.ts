/** What kinds do of which a new cluster sees no request. */
export { localReviews, rulesReviews, selfReviews, subjectReviews } from './accessReviews.ts';
export { definitions } from './definitions.ts';
export { nodes } from './nodes.ts';
export { bindings, pods } from './pods.ts';
export { serviceAccounts } from './serviceAccounts.ts';
export { signingRequests } from './signingRequests.ts';
export { tokenReviews } from './tokenReviews.ts';
