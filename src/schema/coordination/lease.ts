import { int32, microTime, opt, ptr, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { object } from '../meta/object.ts';

export const LeaseSpec = struct('api.coordination.v1.LeaseSpec', {
  holderIdentity: ptr(1, string),
  leaseDurationSeconds: ptr(2, int32),
  acquireTime: ptr(3, microTime),
  renewTime: ptr(4, microTime),
  leaseTransitions: ptr(5, int32),
});
export type LeaseSpec = Infer<typeof LeaseSpec>;

export const Lease = object('api.coordination.v1.Lease', {
  spec: opt(2, LeaseSpec),
});
export type Lease = Infer<typeof Lease>;
