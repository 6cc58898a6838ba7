import { always, int32, list, ptr, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { object } from '../meta/object.ts';

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
