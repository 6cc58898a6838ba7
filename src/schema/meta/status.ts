import { int32, list, opt, ptr, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { ListMeta } from './listMeta.ts';
import { document } from './object.ts';

export const StatusCause = struct('apimachinery.pkg.apis.meta.v1.StatusCause', {
  reason: opt(1, string),
  message: opt(2, string),
  field: opt(3, string),
});
export type StatusCause = Infer<typeof StatusCause>;

export const StatusDetails = struct('apimachinery.pkg.apis.meta.v1.StatusDetails', {
  name: opt(1, string),
  group: opt(2, string),
  kind: opt(3, string),
  causes: opt(4, list(StatusCause)),
  retryAfterSeconds: opt(5, int32),
  uid: opt(6, string),
});
export type StatusDetails = Infer<typeof StatusDetails>;

export const Status = document('apimachinery.pkg.apis.meta.v1.Status', {
  metadata: opt(1, ListMeta),
  status: opt(2, string),
  message: opt(3, string),
  reason: opt(4, string),
  details: ptr(5, StatusDetails),
  code: opt(6, int32),
});
export type Status = Infer<typeof Status>;
