import { always, atVersion, bool, boxed, list, map, opt, ptr, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { object } from '../meta/object.ts';

export const NonResourceAttributes = struct(
  'api.authorization.v1.NonResourceAttributes',
  {
    path: opt(1, string, { doc: 'The path.' }),
    verb: opt(2, string, { doc: 'Method of the request, in lower case.' }),
  },
  { doc: 'What is to be done to a path that is no resource.' },
);
export type NonResourceAttributes = Infer<typeof NonResourceAttributes>;

export const ResourceAttributes = struct(
  'api.authorization.v1.ResourceAttributes',
  {
    namespace: opt(1, string, { doc: 'Namespace; empty for kinds without one, or for all namespaces.' }),
    verb: opt(2, string, { doc: 'What is to be done.' }),
    group: opt(3, string, { doc: 'Group of the resource.' }),
    version: opt(4, string, { doc: 'Version of the resource.' }),
    resource: opt(5, string, { doc: 'The resource.' }),
    subresource: opt(6, string, { doc: 'Part of the resource.' }),
    name: opt(7, string, { doc: 'Name of the object; empty for all.' }),
  },
  { doc: 'What is to be done to a resource.' },
);
export type ResourceAttributes = Infer<typeof ResourceAttributes>;

export const SubjectAccessReviewSpec = struct(
  'api.authorization.v1.SubjectAccessReviewSpec',
  {
    resourceAttributes: ptr(1, ResourceAttributes, { doc: 'What is to be done to a resource.' }),
    nonResourceAttributes: ptr(2, NonResourceAttributes, { doc: 'What is to be done to a path that is no resource.' }),
    user: opt(3, string, { doc: 'Who is to do it.' }),
    groups: opt(4, list(string), { doc: 'Groups of who is to do it.' }),
    extra: opt(5, map(boxed(string)), { doc: 'What else is known of who is to do it.' }),
    uid: opt(6, string, { doc: 'Identity of who is to do it.' }),
  },
  { doc: 'A question about what someone may do.' },
);
export type SubjectAccessReviewSpec = Infer<typeof SubjectAccessReviewSpec>;

export const SubjectAccessReviewStatus = struct(
  'api.authorization.v1.SubjectAccessReviewStatus',
  {
    allowed: always(1, bool, { doc: 'Whether it is allowed.' }),
    denied: opt(4, bool, { doc: 'Whether it is expressly denied; else nobody had an opinion.' }),
    reason: opt(2, string, { doc: 'Why.' }),
    evaluationError: opt(3, string, { doc: 'What went wrong in finding out.' }),
  },
  { doc: 'The answer to a question about access.' },
);
export type SubjectAccessReviewStatus = Infer<typeof SubjectAccessReviewStatus>;

export const SubjectAccessReview = object('api.authorization.v1.SubjectAccessReview', {
  spec: always(2, SubjectAccessReviewSpec),
  status: opt(3, SubjectAccessReviewStatus),
});
export type SubjectAccessReview = Infer<typeof SubjectAccessReview>;

export const SubjectAccessReviewSpecV1beta1 = struct('api.authorization.v1beta1.SubjectAccessReviewSpec', {
  resourceAttributes: ptr(1, atVersion(ResourceAttributes, 'v1beta1')),
  nonResourceAttributes: ptr(2, atVersion(NonResourceAttributes, 'v1beta1')),
  user: opt(3, string),
  group: opt(4, list(string)),
  extra: opt(5, map(boxed(string))),
  uid: opt(6, string),
});
export type SubjectAccessReviewSpecV1beta1 = Infer<typeof SubjectAccessReviewSpecV1beta1>;

export const SubjectAccessReviewV1beta1 = object('api.authorization.v1beta1.SubjectAccessReview', {
  spec: always(2, SubjectAccessReviewSpecV1beta1),
  status: opt(3, atVersion(SubjectAccessReviewStatus, 'v1beta1')),
});
export type SubjectAccessReviewV1beta1 = Infer<typeof SubjectAccessReviewV1beta1>;
