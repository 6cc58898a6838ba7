export * from './scheme.ts';
