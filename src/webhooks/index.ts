/** User-written webhooks: their list, addresses and recorded calls. */
export type { Objects } from './address.ts';
export type { Call } from './calls.ts';
export type { Job, Limits, Run, Sandbox } from './sandbox.ts';
export { createWebhooks, type ServiceFetch, type Webhooks } from './service.ts';
export { addressText, ConnectionError } from './address.ts';
export { certificateProblem } from './handshake.ts';
export { servingCertificates } from './serving.ts';
