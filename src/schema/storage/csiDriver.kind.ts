import { kind } from '../define/index.ts';
import { storage } from '../groups.ts';
import { tables, workloads } from '../parts/index.ts';
import { CSIDriver, CSIDriverV1beta1 } from './csiDriver.ts';

export const csidrivers = kind(CSIDriver, {
  group: storage,
  kind: 'CSIDriver',
  resource: 'csidrivers',
  namespaced: false,
  returnsDeleted: true,
  doc: 'What the cluster has to know of a storage driver.',
  versions: [
    { version: 'v1', type: CSIDriver },
    {
      version: 'v1beta1',
      type: CSIDriverV1beta1,
      deprecated: { since: 'v1.19', removed: 'v1.22', replacement: 'storage.{domain}/v1' },
    },
  ],
  storedAs: 'v1beta1',
  rules: workloads.of('csiDriverRules'),
  columns: tables.of('csiDriverColumns'),
});
