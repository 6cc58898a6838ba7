import { kind } from '../define/index.ts';
import { admissionregistration } from '../groups.ts';
import { policies, tables } from '../parts/index.ts';
import {
  ValidatingWebhookConfiguration,
  ValidatingWebhookConfigurationV1beta1,
} from './validatingWebhookConfiguration.ts';

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
  storedAs: 'v1beta1',
  rules: policies.of('validatingWebhookConfigurationRules'),
  columns: tables.of('webhookColumns'),
});
