import { always, bool, list, opt, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { object } from '../meta/object.ts';

export const NonResourceRule = struct('api.authorization.v1.NonResourceRule', {
  verbs: always(1, list(string)),
  nonResourceURLs: opt(2, list(string)),
});
export type NonResourceRule = Infer<typeof NonResourceRule>;

export const ResourceRule = struct('api.authorization.v1.ResourceRule', {
  verbs: always(1, list(string)),
  apiGroups: opt(2, list(string)),
  resources: opt(3, list(string)),
  resourceNames: opt(4, list(string)),
});
export type ResourceRule = Infer<typeof ResourceRule>;

export const SelfSubjectRulesReviewSpec = struct('api.authorization.v1.SelfSubjectRulesReviewSpec', {
  namespace: opt(1, string),
});
export type SelfSubjectRulesReviewSpec = Infer<typeof SelfSubjectRulesReviewSpec>;

export const SubjectRulesReviewStatus = struct('api.authorization.v1.SubjectRulesReviewStatus', {
  resourceRules: always(1, list(ResourceRule)),
  nonResourceRules: always(2, list(NonResourceRule)),
  incomplete: always(3, bool),
  evaluationError: opt(4, string),
});
export type SubjectRulesReviewStatus = Infer<typeof SubjectRulesReviewStatus>;

export const SelfSubjectRulesReview = object('api.authorization.v1.SelfSubjectRulesReview', {
  spec: always(2, SelfSubjectRulesReviewSpec),
  status: opt(3, SubjectRulesReviewStatus),
});
export type SelfSubjectRulesReview = Infer<typeof SelfSubjectRulesReview>;
