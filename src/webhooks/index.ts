/** Webhooks that people write: which there are, where they answer, what came of each call. */
export type { Job, Limits, Run, Sandbox } from './sandbox.ts';
