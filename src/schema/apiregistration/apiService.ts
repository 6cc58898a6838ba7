import { always, atVersion, bool, bytes, int32, kind, list, opt, ptr, string, struct, time } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { age, name, text } from '../meta/columns.ts';
import { apiregistration } from '../groups.ts';
import { object } from '../meta/object.ts';
import { apiServiceRules } from './apiService.rules.ts';

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

export const apiservices = kind(APIService, {
  group: apiregistration,
  kind: 'APIService',
  resource: 'apiservices',
  categories: ['api-extensions'],
  namespaced: false,
  untracked: true,
  doc: 'Says who serves a group and version: this server or a remote one.',
  versions: [
    { version: 'v1', type: APIService },
    {
      version: 'v1beta1',
      type: atVersion(APIService, 'v1beta1'),
      deprecated: { since: 'v1.19', removed: 'v1.22', replacement: 'apiregistration.{domain}/v1' },
    },
  ],
  rules: apiServiceRules,
  status: true,
  columns: [
    name,
    text('Service', 'Who serves the version.', ({ spec: { service } }) =>
      service ? `${service.namespace ?? ''}/${service.name ?? ''}` : 'Local',
    ),
    text('Available', 'Whether the version can be reached.', ({ status }) => {
      const available = status.conditions?.find(({ type }) => type === 'Available');
      if (!available) return 'Unknown';
      const { status: state, reason = '' } = available;
      return state === 'True' || reason === '' ? state : `${state} (${reason})`;
    }),
    age,
  ],
});
