export type { ServeOptions } from './arguments.ts';
export type { Served } from './serve.ts';
export { serve } from './serve.ts';
