import { always, list, opt, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { rbac } from '../groups.ts';

export const PolicyRule = struct('api.rbac.v1.PolicyRule', {
  verbs: always(1, list(string)),
  apiGroups: opt(2, list(string)),
  resources: opt(3, list(string)),
  resourceNames: opt(4, list(string)),
  nonResourceURLs: opt(5, list(string)),
});
export type PolicyRule = Infer<typeof PolicyRule>;

export const Subject = struct(
  'api.rbac.v1.Subject',
  {
    kind: always(1, string),
    apiGroup: opt(2, string),
    name: always(3, string),
    namespace: opt(4, string),
  },
  {
    defaults(subject, { fill }) {
      if (subject.kind === 'User' || subject.kind === 'Group') subject.apiGroup ??= fill(rbac.name);
    },
  },
);
export type Subject = Infer<typeof Subject>;

export const RoleRef = struct(
  'api.rbac.v1.RoleRef',
  {
    apiGroup: always(1, string),
    kind: always(2, string),
    name: always(3, string),
  },
  {
    defaults(ref, { fill }) {
      if (ref.apiGroup === '') ref.apiGroup = fill(rbac.name);
    },
  },
);
export type RoleRef = Infer<typeof RoleRef>;

export const PolicyRuleV1alpha1 = struct('api.rbac.v1alpha1.PolicyRule', {
  verbs: always(1, list(string)),
  apiGroups: opt(3, list(string)),
  resources: opt(4, list(string)),
  resourceNames: opt(5, list(string)),
  nonResourceURLs: opt(6, list(string)),
});
export type PolicyRuleV1alpha1 = Infer<typeof PolicyRuleV1alpha1>;

export const SubjectV1alpha1 = struct(
  'api.rbac.v1alpha1.Subject',
  {
    kind: always(1, string),
    apiVersion: opt(2, string),
    name: always(3, string),
    namespace: opt(4, string),
  },
  {
    defaults(subject, { fill }) {
      if (subject.kind === 'ServiceAccount') subject.apiVersion ??= 'v1';
      if (subject.kind === 'User' || subject.kind === 'Group') subject.apiVersion ??= fill(`${rbac.name}/v1alpha1`);
    },
  },
);
export type SubjectV1alpha1 = Infer<typeof SubjectV1alpha1>;
