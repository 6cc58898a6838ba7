export * from './define/index.ts';
export * from './derive/index.ts';
export * from './values/index.ts';
export * as status from './status.ts';
export { StatusError, isReason, type Status, type StatusCause, type StatusDetails, type ResourceName } from './status.ts';
