/** Webhooks that people write: which there are, where they answer, what came of each call. */
export type { Objects } from './address.ts';
export type { Call } from './calls.ts';
export type { Job, Limits, Run, Sandbox } from './sandbox.ts';
export { createWebhooks, type ServiceFetch, type Webhooks } from './service.ts';
export { addressText, ConnectionError } from './address.ts';
export { certificateProblem } from './handshake.ts';
export { servingCertificates } from './serving.ts';
