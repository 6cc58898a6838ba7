export type { Backend } from './backends/backend.ts';
export * from './errors.ts';
export type * from './types.ts';
