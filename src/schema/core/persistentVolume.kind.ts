import { kind } from '../define/index.ts';
import { core } from '../groups.ts';
import { tables, workloads } from '../parts/index.ts';
import { PersistentVolume } from './persistentVolume.ts';

export const persistentvolumes = kind(PersistentVolume, {
  group: core,
  kind: 'PersistentVolume',
  resource: 'persistentvolumes',
  shortNames: ['pv'],
  namespaced: false,
  returnsDeleted: true,
  doc: 'A piece of storage in the cluster, provided by an administrator or a provisioner.',
  versions: [{ version: 'v1', type: PersistentVolume }],
  // Stored without a phase at first: the first write after the creation always changes what is stored.
  restore: ({ status }) => void (status.phase ??= 'Pending'),
  rules: workloads.of('persistentVolumeRules'),
  status: true,
  columns: tables.of('persistentVolumeColumns'),
});
