import { always, atVersion, int32, list, nullable, opt, ptr, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { LabelSelector } from '../meta/labelSelector.ts';
import { object } from '../meta/object.ts';
import { RuleWithOperations, WebhookClientConfig } from './webhook.ts';

export const ValidatingWebhook = struct('api.admissionregistration.v1.ValidatingWebhook', {
  name: always(1, string, { doc: 'Name of the webhook, in the form of a domain with three parts or more.' }),
  clientConfig: always(2, WebhookClientConfig, { doc: 'How the webhook is called.' }),
  rules: opt(3, list(RuleWithOperations), { doc: 'Requests for which it is called.' }),
  failurePolicy: ptr(4, string, {
    default: 'Fail',
    doc: 'What an error in calling means: `Fail` refuses the request, `Ignore` goes on.',
  }),
  matchPolicy: ptr(9, string, {
    default: 'Equivalent',
    doc: 'Whether requests through other versions of the same resource count: `Exact` or `Equivalent`.',
  }),
  namespaceSelector: ptr(5, LabelSelector, {
    default: {},
    doc: 'Namespaces in which it is called; it can leave out its own.',
  }),
  objectSelector: ptr(10, LabelSelector, { default: {}, doc: 'Objects for which it is called.' }),
  sideEffects: nullable(6, string, {
    required: true,
    doc: 'Whether calling it changes anything else: `None`, `NoneOnDryRun`, and in v1beta1 `Some` or `Unknown`.',
  }),
  timeoutSeconds: ptr(7, int32, { default: 10, doc: 'Seconds after which calling it has failed; 1 to 30.' }),
  admissionReviewVersions: always(8, list(string), {
    doc: 'Versions of the review that it understands, most preferred first.',
  }),
});
export type ValidatingWebhook = Infer<typeof ValidatingWebhook>;

export const ValidatingWebhookConfiguration = object('api.admissionregistration.v1.ValidatingWebhookConfiguration', {
  webhooks: opt(2, list(ValidatingWebhook), {
    mergeKey: 'name',
    strategy: 'merge',
    doc: 'Webhooks, called side by side.',
  }),
});
export type ValidatingWebhookConfiguration = Infer<typeof ValidatingWebhookConfiguration>;

export const ValidatingWebhookV1beta1 = struct('api.admissionregistration.v1beta1.ValidatingWebhook', {
  name: always(1, string, { doc: 'Name of the webhook, in the form of a domain with three parts or more.' }),
  clientConfig: always(2, atVersion(WebhookClientConfig, 'v1beta1'), { doc: 'How the webhook is called.' }),
  rules: opt(3, list(atVersion(RuleWithOperations, 'v1beta1')), { doc: 'Requests for which it is called.' }),
  failurePolicy: ptr(4, string, {
    default: 'Ignore',
    doc: 'What an error in calling means: `Fail` refuses the request, `Ignore` goes on.',
  }),
  matchPolicy: ptr(9, string, {
    default: 'Exact',
    doc: 'Whether requests through other versions of the same resource count: `Exact` or `Equivalent`.',
  }),
  namespaceSelector: ptr(5, LabelSelector, {
    default: {},
    doc: 'Namespaces in which it is called; it can leave out its own.',
  }),
  objectSelector: ptr(10, LabelSelector, { default: {}, doc: 'Objects for which it is called.' }),
  sideEffects: ptr(6, string, {
    default: 'Unknown',
    doc: 'Whether calling it changes anything else: `None`, `NoneOnDryRun`, and in v1beta1 `Some` or `Unknown`.',
  }),
  timeoutSeconds: ptr(7, int32, { default: 30, doc: 'Seconds after which calling it has failed; 1 to 30.' }),
  admissionReviewVersions: opt(8, list(string), {
    default: ['v1beta1'],
    doc: 'Versions of the review that it understands, most preferred first.',
  }),
});
export type ValidatingWebhookV1beta1 = Infer<typeof ValidatingWebhookV1beta1>;

export const ValidatingWebhookConfigurationV1beta1 = object(
  'api.admissionregistration.v1beta1.ValidatingWebhookConfiguration',
  {
    webhooks: opt(2, list(ValidatingWebhookV1beta1), {
      doc: 'Webhooks, called side by side.',
      mergeKey: 'name',
      strategy: 'merge',
    }),
  },
);
export type ValidatingWebhookConfigurationV1beta1 = Infer<typeof ValidatingWebhookConfigurationV1beta1>;
