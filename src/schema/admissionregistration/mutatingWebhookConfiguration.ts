import { always, atVersion, int32, list, nullable, opt, ptr, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { LabelSelector } from '../meta/labelSelector.ts';
import { object } from '../meta/object.ts';
import { RuleWithOperations, WebhookClientConfig } from './webhook.ts';

export const MutatingWebhook = struct('api.admissionregistration.v1.MutatingWebhook', {
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
  objectSelector: ptr(11, LabelSelector, { default: {}, doc: 'Objects for which it is called.' }),
  sideEffects: nullable(6, string, {
    required: true,
    doc: 'Whether calling it changes anything else: `None`, `NoneOnDryRun`, and in v1beta1 `Some` or `Unknown`.',
  }),
  timeoutSeconds: ptr(7, int32, { default: 10, doc: 'Seconds after which calling it has failed; 1 to 30.' }),
  admissionReviewVersions: always(8, list(string), {
    doc: 'Versions of the review that it understands, most preferred first.',
  }),
  reinvocationPolicy: ptr(10, string, {
    default: 'Never',
    doc: '`IfNeeded` calls it again where a later one has changed the object; `Never` does not.',
  }),
});
export type MutatingWebhook = Infer<typeof MutatingWebhook>;

export const MutatingWebhookConfiguration = object('api.admissionregistration.v1.MutatingWebhookConfiguration', {
  webhooks: opt(2, list(MutatingWebhook), {
    mergeKey: 'name',
    strategy: 'merge',
    doc: 'Webhooks, called one after the other.',
  }),
});
export type MutatingWebhookConfiguration = Infer<typeof MutatingWebhookConfiguration>;

export const MutatingWebhookV1beta1 = struct('api.admissionregistration.v1beta1.MutatingWebhook', {
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
  objectSelector: ptr(11, LabelSelector, { default: {}, doc: 'Objects for which it is called.' }),
  sideEffects: ptr(6, string, {
    default: 'Unknown',
    doc: 'Whether calling it changes anything else: `None`, `NoneOnDryRun`, and in v1beta1 `Some` or `Unknown`.',
  }),
  timeoutSeconds: ptr(7, int32, { default: 30, doc: 'Seconds after which calling it has failed; 1 to 30.' }),
  admissionReviewVersions: opt(8, list(string), {
    default: ['v1beta1'],
    doc: 'Versions of the review that it understands, most preferred first.',
  }),
  reinvocationPolicy: ptr(10, string, {
    default: 'Never',
    doc: '`IfNeeded` calls it again where a later one has changed the object; `Never` does not.',
  }),
});
export type MutatingWebhookV1beta1 = Infer<typeof MutatingWebhookV1beta1>;

export const MutatingWebhookConfigurationV1beta1 = object(
  'api.admissionregistration.v1beta1.MutatingWebhookConfiguration',
  {
    webhooks: opt(2, list(MutatingWebhookV1beta1), {
      doc: 'Webhooks, called one after the other.',
      mergeKey: 'name',
      strategy: 'merge',
    }),
  },
);
export type MutatingWebhookConfigurationV1beta1 = Infer<typeof MutatingWebhookConfigurationV1beta1>;
