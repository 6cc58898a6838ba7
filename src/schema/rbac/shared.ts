import { always, list, opt, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { rbac } from '../groups.ts';

export const PolicyRule = struct(
  'api.rbac.v1.PolicyRule',
  {
    verbs: always(1, list(string), { doc: 'What may be done; `*` stands for everything.' }),
    apiGroups: opt(2, list(string), { doc: 'Groups of the resources; the core group is the empty text.' }),
    resources: opt(3, list(string), {
      doc: 'Resources, as they stand in paths; parts of them as `pods/log`. `*` stands for all.',
    }),
    resourceNames: opt(4, list(string), {
      doc: 'Names of objects to which the rule is restricted. It cannot restrict create and deletecollection.',
    }),
    nonResourceURLs: opt(5, list(string), {
      doc: 'Paths that are no resources; only in cluster roles. A path may end in `*`.',
    }),
  },
  { doc: 'What may be done to which resources, or to which paths that are no resources.' },
);
export type PolicyRule = Infer<typeof PolicyRule>;

export const Subject = struct(
  'api.rbac.v1.Subject',
  {
    kind: always(1, string, { doc: '`User`, `Group` or `ServiceAccount`.' }),
    apiGroup: opt(2, string, {
      doc: 'Group of the subject: empty for service accounts, by default that of these kinds for users and groups.',
    }),
    name: always(3, string, { doc: 'Name of the subject.' }),
    namespace: opt(4, string, { doc: 'Namespace of a service account; users and groups have none.' }),
  },
  {
    defaults(subject, { fill }) {
      if (subject.kind === 'User' || subject.kind === 'Group') subject.apiGroup ??= fill(rbac.name);
    },
    doc: 'Someone to whom a role is granted: a user, a group or a service account.',
  },
);
export type Subject = Infer<typeof Subject>;

export const RoleRef = struct(
  'api.rbac.v1.RoleRef',
  {
    apiGroup: always(1, string, { doc: 'Group of the role.' }),
    kind: always(2, string, { doc: '`Role` or `ClusterRole`.' }),
    name: always(3, string, { doc: 'Name of the role.' }),
  },
  {
    defaults(ref, { fill }) {
      if (ref.apiGroup === '') ref.apiGroup = fill(rbac.name);
    },
    doc: 'The role that a binding grants. It cannot be changed: another role makes another binding.',
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
