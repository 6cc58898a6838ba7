import { always, bool, list, map, opt, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { object } from '../meta/object.ts';

export const ImageReviewContainerSpec = struct('api.imagepolicy.v1alpha1.ImageReviewContainerSpec', {
  image: opt(1, string, { doc: 'The image, as the container names it.' }),
});
export type ImageReviewContainerSpec = Infer<typeof ImageReviewContainerSpec>;

export const ImageReviewSpec = struct('api.imagepolicy.v1alpha1.ImageReviewSpec', {
  containers: opt(1, list(ImageReviewContainerSpec), { doc: 'What each container of the pod runs.' }),
  annotations: opt(2, map(string), { doc: 'Annotations of the pod that are meant for the reviewer.' }),
  namespace: opt(3, string, { doc: 'Where the pod is to run.' }),
});
export type ImageReviewSpec = Infer<typeof ImageReviewSpec>;

export const ImageReviewStatus = struct('api.imagepolicy.v1alpha1.ImageReviewStatus', {
  allowed: always(1, bool, { doc: 'Whether all images may run.' }),
  reason: opt(2, string, { doc: 'Why they may not.' }),
  auditAnnotations: opt(3, map(string), { doc: 'What the audit record is to say of it.' }),
});
export type ImageReviewStatus = Infer<typeof ImageReviewStatus>;

export const ImageReview = object('api.imagepolicy.v1alpha1.ImageReview', {
  spec: always(2, ImageReviewSpec),
  status: opt(3, ImageReviewStatus),
});
export type ImageReview = Infer<typeof ImageReview>;
