import { always, atVersion, bool, kind, list, map, opt, ptr, string } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { TopologySelectorTerm } from '../core/topology.ts';
import { storage } from '../groups.ts';
import { object } from '../meta/object.ts';
import { tables, workloads } from '../parts/index.ts';

export const StorageClass = object('api.storage.v1.StorageClass', {
  provisioner: always(2, string),
  parameters: opt(3, map(string)),
  reclaimPolicy: ptr(4, string, { default: 'Delete' }),
  mountOptions: opt(5, list(string)),
  allowVolumeExpansion: ptr(6, bool),
  volumeBindingMode: ptr(7, string, { default: 'Immediate' }),
  allowedTopologies: opt(8, list(TopologySelectorTerm)),
});
export type StorageClass = Infer<typeof StorageClass>;

export const storageclasses = kind(StorageClass, {
  group: storage,
  kind: 'StorageClass',
  resource: 'storageclasses',
  shortNames: ['sc'],
  namespaced: false,
  returnsDeleted: true,
  doc: 'A kind of storage, and how to provision a volume of it.',
  versions: [
    { version: 'v1', type: StorageClass },
    {
      version: 'v1beta1',
      type: atVersion(StorageClass, 'v1beta1'),
      deprecated: { since: 'v1.19', removed: 'v1.22', replacement: 'storage.{domain}/v1' },
    },
  ],
  rules: workloads.of('storageClassRules'),
  columns: tables.of('storageClassColumns'),
});
