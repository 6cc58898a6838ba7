import { always, bytes, inline, int32, list, opt, ptr, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';

export const ServiceReference = struct('api.admissionregistration.v1.ServiceReference', {
  namespace: always(1, string),
  name: always(2, string),
  path: ptr(3, string),
  port: ptr(4, int32, { default: 443 }),
});
export type ServiceReference = Infer<typeof ServiceReference>;

export const WebhookClientConfig = struct('api.admissionregistration.v1.WebhookClientConfig', {
  service: ptr(1, ServiceReference),
  caBundle: opt(2, bytes),
  url: ptr(3, string),
});
export type WebhookClientConfig = Infer<typeof WebhookClientConfig>;

const Rule = {
  fields: {
    apiGroups: opt(1, list(string)),
    apiVersions: opt(2, list(string)),
    resources: opt(3, list(string)),
    scope: ptr(4, string, { default: '*' }),
  },
};

export const RuleWithOperations = struct('api.admissionregistration.v1.RuleWithOperations', {
  operations: opt(1, list(string)),
  ...inline(2, Rule),
});
export type RuleWithOperations = Infer<typeof RuleWithOperations>;
