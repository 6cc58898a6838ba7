import { kind } from '../define/index.ts';
import { core } from '../groups.ts';
import { tables, workloads } from '../parts/index.ts';
import { PersistentVolumeClaim } from './persistentVolumeClaim.ts';

export const persistentvolumeclaims = kind(PersistentVolumeClaim, {
  group: core,
  kind: 'PersistentVolumeClaim',
  resource: 'persistentvolumeclaims',
  shortNames: ['pvc'],
  namespaced: true,
  returnsDeleted: true,
  doc: "A user's request for storage, bound to a persistent volume that satisfies it.",
  versions: [{ version: 'v1', type: PersistentVolumeClaim }],
  // Stored without a phase at first: the first write after the creation always changes what is stored.
  restore: ({ status }) => void (status.phase ??= 'Pending'),
  rules: workloads.of('persistentVolumeClaimRules'),
  status: true,
  columns: tables.of('persistentVolumeClaimColumns'),
});
