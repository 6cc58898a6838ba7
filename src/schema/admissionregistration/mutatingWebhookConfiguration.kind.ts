import { kind } from '../define/index.ts';
import { admissionregistration } from '../groups.ts';
import { policies, tables } from '../parts/index.ts';
import { MutatingWebhookConfiguration, MutatingWebhookConfigurationV1beta1 } from './mutatingWebhookConfiguration.ts';

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
  storedAs: 'v1beta1',
  rules: policies.of('mutatingWebhookConfigurationRules'),
  columns: tables.of('webhookColumns'),
});
