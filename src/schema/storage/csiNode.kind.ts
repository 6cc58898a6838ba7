import { atVersion, kind } from '../define/index.ts';
import { storage } from '../groups.ts';
import { tables, workloads } from '../parts/index.ts';
import { CSINode } from './csiNode.ts';

export const csinodes = kind(CSINode, {
  group: storage,
  kind: 'CSINode',
  resource: 'csinodes',
  namespaced: false,
  returnsDeleted: true,
  doc: 'The storage drivers that are installed on a node.',
  versions: [
    { version: 'v1', type: CSINode },
    {
      version: 'v1beta1',
      type: atVersion(CSINode, 'v1beta1'),
      deprecated: { since: 'v1.17', removed: 'v1.22', replacement: 'storage.{domain}/v1' },
    },
  ],
  rules: workloads.of('csiNodeRules'),
  columns: tables.of('csiNodeColumns'),
});
