import { atVersion, kind } from '../define/index.ts';
import { age, name, text } from '../meta/columns.ts';
import { coordination } from '../groups.ts';
import { leaseRules } from './lease.rules.ts';
import { Lease } from './lease.ts';

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
  storedAs: 'v1beta1',
  rules: leaseRules,
  columns: [name, text('Holder', 'Who holds the lease.', ({ spec }) => spec.holderIdentity ?? ''), age],
});
