import { always, bool, int32, list, opt, ptr, string, struct, time } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { object } from '../meta/object.ts';

export const UserSubject = struct('api.flowcontrol.v1beta1.UserSubject', {
  name: always(1, string),
});
export type UserSubject = Infer<typeof UserSubject>;

export const GroupSubject = struct('api.flowcontrol.v1beta1.GroupSubject', {
  name: always(1, string),
});
export type GroupSubject = Infer<typeof GroupSubject>;

export const ServiceAccountSubject = struct('api.flowcontrol.v1beta1.ServiceAccountSubject', {
  namespace: always(1, string),
  name: always(2, string),
});
export type ServiceAccountSubject = Infer<typeof ServiceAccountSubject>;

export const Subject = struct(
  'api.flowcontrol.v1beta1.Subject',
  {
    kind: always(1, string),
    user: ptr(2, UserSubject),
    group: ptr(3, GroupSubject),
    serviceAccount: ptr(4, ServiceAccountSubject),
  },
  { unions: [{ discriminator: 'kind', fields: { group: 'Group', serviceAccount: 'ServiceAccount', user: 'User' } }] },
);
export type Subject = Infer<typeof Subject>;

export const ResourcePolicyRule = struct('api.flowcontrol.v1beta1.ResourcePolicyRule', {
  verbs: always(1, list(string), { list: 'set' }),
  apiGroups: always(2, list(string), { list: 'set' }),
  resources: always(3, list(string), { list: 'set' }),
  clusterScope: opt(4, bool),
  namespaces: always(5, list(string), { required: false, list: 'set' }),
});
export type ResourcePolicyRule = Infer<typeof ResourcePolicyRule>;

export const NonResourcePolicyRule = struct('api.flowcontrol.v1beta1.NonResourcePolicyRule', {
  verbs: always(1, list(string), { list: 'set' }),
  nonResourceURLs: always(6, list(string), { list: 'set' }),
});
export type NonResourcePolicyRule = Infer<typeof NonResourcePolicyRule>;

export const PolicyRulesWithSubjects = struct('api.flowcontrol.v1beta1.PolicyRulesWithSubjects', {
  subjects: always(1, list(Subject), { list: 'atomic' }),
  resourceRules: opt(2, list(ResourcePolicyRule), { list: 'atomic' }),
  nonResourceRules: opt(3, list(NonResourcePolicyRule), { list: 'atomic' }),
});
export type PolicyRulesWithSubjects = Infer<typeof PolicyRulesWithSubjects>;

export const FlowDistinguisherMethod = struct('api.flowcontrol.v1beta1.FlowDistinguisherMethod', {
  type: always(1, string),
});
export type FlowDistinguisherMethod = Infer<typeof FlowDistinguisherMethod>;

export const PriorityLevelConfigurationReference = struct(
  'api.flowcontrol.v1beta1.PriorityLevelConfigurationReference',
  {
    name: always(1, string),
  },
);
export type PriorityLevelConfigurationReference = Infer<typeof PriorityLevelConfigurationReference>;

export const FlowSchemaSpec = struct('api.flowcontrol.v1beta1.FlowSchemaSpec', {
  priorityLevelConfiguration: always(1, PriorityLevelConfigurationReference),
  matchingPrecedence: always(2, int32, { required: false, default: 1000 }),
  distinguisherMethod: ptr(3, FlowDistinguisherMethod),
  rules: opt(4, list(PolicyRulesWithSubjects), { list: 'atomic' }),
});
export type FlowSchemaSpec = Infer<typeof FlowSchemaSpec>;

export const FlowSchemaCondition = struct('api.flowcontrol.v1beta1.FlowSchemaCondition', {
  type: opt(1, string),
  status: opt(2, string),
  lastTransitionTime: opt(3, time),
  reason: opt(4, string),
  message: opt(5, string),
});
export type FlowSchemaCondition = Infer<typeof FlowSchemaCondition>;

export const FlowSchemaStatus = struct('api.flowcontrol.v1beta1.FlowSchemaStatus', {
  conditions: opt(1, list(FlowSchemaCondition), { list: 'map', keys: ['type'] }),
});
export type FlowSchemaStatus = Infer<typeof FlowSchemaStatus>;

export const FlowSchema = object('api.flowcontrol.v1beta1.FlowSchema', {
  spec: opt(2, FlowSchemaSpec),
  status: opt(3, FlowSchemaStatus),
});
export type FlowSchema = Infer<typeof FlowSchema>;
