import { always, atVersion, int32, kind, list, ptr, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { storage } from '../groups.ts';
import { object } from '../meta/object.ts';
import { tables, workloads } from '../parts/index.ts';

export const VolumeNodeResources = struct('api.storage.v1.VolumeNodeResources', {
  count: ptr(1, int32),
});
export type VolumeNodeResources = Infer<typeof VolumeNodeResources>;

export const CSINodeDriver = struct('api.storage.v1.CSINodeDriver', {
  name: always(1, string),
  nodeID: always(2, string),
  topologyKeys: always(3, list(string), { required: false }),
  allocatable: ptr(4, VolumeNodeResources),
});
export type CSINodeDriver = Infer<typeof CSINodeDriver>;

export const CSINodeSpec = struct('api.storage.v1.CSINodeSpec', {
  drivers: always(1, list(CSINodeDriver), { mergeKey: 'name', strategy: 'merge' }),
});
export type CSINodeSpec = Infer<typeof CSINodeSpec>;

export const CSINode = object('api.storage.v1.CSINode', {
  spec: always(2, CSINodeSpec),
});
export type CSINode = Infer<typeof CSINode>;

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
