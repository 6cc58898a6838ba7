import { always, bool, bytes, int32, list, opt, ptr, string, struct, time } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { object } from '../meta/object.ts';

export const ServiceReference = struct('{prefix}-aggregator.pkg.apis.apiregistration.v1.ServiceReference', {
  namespace: opt(1, string),
  name: opt(2, string),
  port: ptr(3, int32, { default: 443 }),
});
export type ServiceReference = Infer<typeof ServiceReference>;

export const APIServiceSpec = struct('{prefix}-aggregator.pkg.apis.apiregistration.v1.APIServiceSpec', {
  service: ptr(1, ServiceReference),
  group: opt(2, string),
  version: opt(3, string),
  insecureSkipTLSVerify: opt(4, bool),
  caBundle: opt(5, bytes, { list: 'atomic' }),
  groupPriorityMinimum: always(7, int32),
  versionPriority: always(8, int32),
});
export type APIServiceSpec = Infer<typeof APIServiceSpec>;

export const APIServiceCondition = struct('{prefix}-aggregator.pkg.apis.apiregistration.v1.APIServiceCondition', {
  type: always(1, string),
  status: always(2, string),
  lastTransitionTime: opt(3, time),
  reason: opt(4, string),
  message: opt(5, string),
});
export type APIServiceCondition = Infer<typeof APIServiceCondition>;

export const APIServiceStatus = struct('{prefix}-aggregator.pkg.apis.apiregistration.v1.APIServiceStatus', {
  conditions: opt(1, list(APIServiceCondition), { list: 'map', keys: ['type'], mergeKey: 'type', strategy: 'merge' }),
});
export type APIServiceStatus = Infer<typeof APIServiceStatus>;

export const APIService = object('{prefix}-aggregator.pkg.apis.apiregistration.v1.APIService', {
  spec: opt(2, APIServiceSpec),
  status: opt(3, APIServiceStatus),
});
export type APIService = Infer<typeof APIService>;
