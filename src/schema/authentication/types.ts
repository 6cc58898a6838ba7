/** The TypeScript types of what this folder declares, for rooms that work on objects; `../objects.ts` gathers them. */
export type { BoundObjectReference, TokenRequestSpec, TokenRequestStatus, TokenRequest } from './tokenRequest.ts';
export type { UserInfo, TokenReviewSpec, TokenReviewStatus, TokenReview } from './tokenReview.ts';
