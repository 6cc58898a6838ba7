export * from './events.ts';
export { createTracer, type Tracer } from './tracer.ts';
