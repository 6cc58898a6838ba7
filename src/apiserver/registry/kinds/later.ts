/** The behaviour of kinds that a new cluster does not use. */
export { localReviews, rulesReviews, selfReviews, subjectReviews } from './accessReviews.ts';
export { definitions } from './definitions.ts';
export { nodes } from './nodes.ts';
export { bindings, pods } from './pods.ts';
export { serviceAccounts } from './serviceAccounts.ts';
export { signingRequests } from './signingRequests.ts';
export { tokenReviews } from './tokenReviews.ts';
