import { atVersion, int32, kind, microTime, opt, ptr, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { age, name, text } from '../meta/columns.ts';
import { coordination } from '../groups.ts';
import { object } from '../meta/object.ts';
import { leaseRules } from './lease.rules.ts';

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

export const leases = kind(Lease, {
  group: coordination,
  kind: 'Lease',
  resource: 'leases',
  namespaced: true,
  doc: 'A lock that is held for a time and renewed by its holder.',
  versions: [
    { version: 'v1', type: Lease },
    {
      version: 'v1beta1',
      type: atVersion(Lease, 'v1beta1'),
      deprecated: { since: 'v1.19', removed: 'v1.22', replacement: 'coordination.{domain}/v1' },
    },
  ],
  rules: leaseRules,
  columns: [name, text('Holder', 'Who holds the lease.', ({ spec }) => spec.holderIdentity ?? ''), age],
});
