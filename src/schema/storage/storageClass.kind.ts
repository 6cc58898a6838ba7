import { atVersion, kind } from '../define/index.ts';
import { storage } from '../groups.ts';
import { tables, workloads } from '../parts/index.ts';
import { StorageClass } from './storageClass.ts';

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
