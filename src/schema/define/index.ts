export * from './types.ts';
export { atVersion, inPackage } from './atVersion.ts';
export * from './kind.ts';
export * as field from './fieldErrors.ts';
export { Path, type FieldError, type FieldErrors, type FieldErrorReason } from './fieldErrors.ts';
