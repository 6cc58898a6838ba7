import { always, atVersion, int32, kind, list, nullable, opt, ptr, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { webhookColumns } from './columns.ts';
import { admissionregistration } from '../groups.ts';
import { LabelSelector } from '../meta/labelSelector.ts';
import { object } from '../meta/object.ts';
import { RuleWithOperations, WebhookClientConfig } from './webhook.ts';
import { mutatingWebhookConfigurationRules } from './webhook.rules.ts';

export const MutatingWebhook = struct('api.admissionregistration.v1.MutatingWebhook', {
  name: always(1, string),
  clientConfig: always(2, WebhookClientConfig),
  rules: opt(3, list(RuleWithOperations)),
  failurePolicy: ptr(4, string, { default: 'Fail' }),
  matchPolicy: ptr(9, string, { default: 'Equivalent' }),
  namespaceSelector: ptr(5, LabelSelector, { default: {} }),
  objectSelector: ptr(11, LabelSelector, { default: {} }),
  sideEffects: nullable(6, string, { required: true }),
  timeoutSeconds: ptr(7, int32, { default: 10 }),
  admissionReviewVersions: always(8, list(string)),
  reinvocationPolicy: ptr(10, string, { default: 'Never' }),
});
export type MutatingWebhook = Infer<typeof MutatingWebhook>;

export const MutatingWebhookConfiguration = object('api.admissionregistration.v1.MutatingWebhookConfiguration', {
  webhooks: opt(2, list(MutatingWebhook), { mergeKey: 'name', strategy: 'merge' }),
});
export type MutatingWebhookConfiguration = Infer<typeof MutatingWebhookConfiguration>;

export const MutatingWebhookV1beta1 = struct('api.admissionregistration.v1beta1.MutatingWebhook', {
  name: always(1, string),
  clientConfig: always(2, atVersion(WebhookClientConfig, 'v1beta1')),
  rules: opt(3, list(atVersion(RuleWithOperations, 'v1beta1'))),
  failurePolicy: ptr(4, string, { default: 'Ignore' }),
  matchPolicy: ptr(9, string, { default: 'Exact' }),
  namespaceSelector: ptr(5, LabelSelector, { default: {} }),
  objectSelector: ptr(11, LabelSelector, { default: {} }),
  sideEffects: ptr(6, string, { default: 'Unknown' }),
  timeoutSeconds: ptr(7, int32, { default: 30 }),
  admissionReviewVersions: opt(8, list(string), { default: ['v1beta1'] }),
  reinvocationPolicy: ptr(10, string, { default: 'Never' }),
});
export type MutatingWebhookV1beta1 = Infer<typeof MutatingWebhookV1beta1>;

export const MutatingWebhookConfigurationV1beta1 = object(
  'api.admissionregistration.v1beta1.MutatingWebhookConfiguration',
  {
    webhooks: opt(2, list(MutatingWebhookV1beta1), { mergeKey: 'name', strategy: 'merge' }),
  },
);
export type MutatingWebhookConfigurationV1beta1 = Infer<typeof MutatingWebhookConfigurationV1beta1>;

export const mutatingwebhookconfigurations = kind(MutatingWebhookConfiguration, {
  group: admissionregistration,
  kind: 'MutatingWebhookConfiguration',
  resource: 'mutatingwebhookconfigurations',
  categories: ['api-extensions'],
  namespaced: false,
  doc: 'Webhooks that may change objects on their way in, and the requests that they are called for.',
  versions: [
    { version: 'v1', type: MutatingWebhookConfiguration },
    {
      version: 'v1beta1',
      type: MutatingWebhookConfigurationV1beta1,
      deprecated: { since: 'v1.16', removed: 'v1.22', replacement: 'admissionregistration.{domain}/v1' },
    },
  ],
  rules: mutatingWebhookConfigurationRules,
  columns: webhookColumns,
});
