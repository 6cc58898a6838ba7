import { always, atVersion, int32, kind, list, nullable, opt, ptr, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { webhookColumns } from './columns.ts';
import { admissionregistration } from '../groups.ts';
import { LabelSelector } from '../meta/labelSelector.ts';
import { object } from '../meta/object.ts';
import { RuleWithOperations, WebhookClientConfig } from './webhook.ts';
import { validatingWebhookConfigurationRules } from './webhook.rules.ts';

export const ValidatingWebhook = struct('api.admissionregistration.v1.ValidatingWebhook', {
  name: always(1, string),
  clientConfig: always(2, WebhookClientConfig),
  rules: opt(3, list(RuleWithOperations)),
  failurePolicy: ptr(4, string, { default: 'Fail' }),
  matchPolicy: ptr(9, string, { default: 'Equivalent' }),
  namespaceSelector: ptr(5, LabelSelector, { default: {} }),
  objectSelector: ptr(10, LabelSelector, { default: {} }),
  sideEffects: nullable(6, string, { required: true }),
  timeoutSeconds: ptr(7, int32, { default: 10 }),
  admissionReviewVersions: always(8, list(string)),
});
export type ValidatingWebhook = Infer<typeof ValidatingWebhook>;

export const ValidatingWebhookConfiguration = object('api.admissionregistration.v1.ValidatingWebhookConfiguration', {
  webhooks: opt(2, list(ValidatingWebhook), { mergeKey: 'name', strategy: 'merge' }),
});
export type ValidatingWebhookConfiguration = Infer<typeof ValidatingWebhookConfiguration>;

export const ValidatingWebhookV1beta1 = struct('api.admissionregistration.v1beta1.ValidatingWebhook', {
  name: always(1, string),
  clientConfig: always(2, atVersion(WebhookClientConfig, 'v1beta1')),
  rules: opt(3, list(atVersion(RuleWithOperations, 'v1beta1'))),
  failurePolicy: ptr(4, string, { default: 'Ignore' }),
  matchPolicy: ptr(9, string, { default: 'Exact' }),
  namespaceSelector: ptr(5, LabelSelector, { default: {} }),
  objectSelector: ptr(10, LabelSelector, { default: {} }),
  sideEffects: ptr(6, string, { default: 'Unknown' }),
  timeoutSeconds: ptr(7, int32, { default: 30 }),
  admissionReviewVersions: opt(8, list(string), { default: ['v1beta1'] }),
});
export type ValidatingWebhookV1beta1 = Infer<typeof ValidatingWebhookV1beta1>;

export const ValidatingWebhookConfigurationV1beta1 = object(
  'api.admissionregistration.v1beta1.ValidatingWebhookConfiguration',
  {
    webhooks: opt(2, list(ValidatingWebhookV1beta1), { mergeKey: 'name', strategy: 'merge' }),
  },
);
export type ValidatingWebhookConfigurationV1beta1 = Infer<typeof ValidatingWebhookConfigurationV1beta1>;

export const validatingwebhookconfigurations = kind(ValidatingWebhookConfiguration, {
  group: admissionregistration,
  kind: 'ValidatingWebhookConfiguration',
  resource: 'validatingwebhookconfigurations',
  categories: ['api-extensions'],
  namespaced: false,
  doc: 'Webhooks that accept or refuse requests, and the requests that they are called for.',
  versions: [
    { version: 'v1', type: ValidatingWebhookConfiguration },
    {
      version: 'v1beta1',
      type: ValidatingWebhookConfigurationV1beta1,
      deprecated: { since: 'v1.16', removed: 'v1.22', replacement: 'admissionregistration.{domain}/v1' },
    },
  ],
  rules: validatingWebhookConfigurationRules,
  columns: webhookColumns,
});
