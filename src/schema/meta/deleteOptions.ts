import { bool, int64, list, opt, ptr, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { document } from './object.ts';

export const Preconditions = struct('apimachinery.pkg.apis.meta.v1.Preconditions', {
  uid: ptr(1, string),
  resourceVersion: ptr(2, string),
});
export type Preconditions = Infer<typeof Preconditions>;

export const DeleteOptions = document('apimachinery.pkg.apis.meta.v1.DeleteOptions', {
  gracePeriodSeconds: ptr(1, int64),
  preconditions: ptr(2, Preconditions),
  orphanDependents: ptr(3, bool),
  propagationPolicy: ptr(4, string),
  dryRun: opt(5, list(string)),
});
export type DeleteOptions = Infer<typeof DeleteOptions>;
