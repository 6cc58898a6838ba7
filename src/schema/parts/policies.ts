/** What ways in, policies, certificates and webhooks are checked by. */
export { ingressRules } from '../networking/ingress.rules.ts';
export { ingressClassRules } from '../networking/ingressClass.rules.ts';
export { networkPolicyRules } from '../networking/networkPolicy.rules.ts';
export { certificateSigningRequestRules } from '../certificates/certificateSigningRequest.rules.ts';
export { mutatingWebhookConfigurationRules } from '../admissionregistration/webhook.rules.ts';
export { validatingWebhookConfigurationRules } from '../admissionregistration/webhook.rules.ts';
