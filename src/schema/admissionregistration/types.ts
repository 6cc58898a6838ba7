/** The TypeScript types of what this folder declares, for rooms that work on objects; `../objects.ts` gathers them. */
export type {
  MutatingWebhook,
  MutatingWebhookConfiguration,
  MutatingWebhookV1beta1,
  MutatingWebhookConfigurationV1beta1,
} from './mutatingWebhookConfiguration.ts';
export type {
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
  ValidatingWebhookV1beta1,
  ValidatingWebhookConfigurationV1beta1,
} from './validatingWebhookConfiguration.ts';
export type { ServiceReference, WebhookClientConfig, RuleWithOperations } from './webhook.ts';
