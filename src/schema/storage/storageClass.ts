import { always, bool, list, map, opt, ptr, string } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { TopologySelectorTerm } from '../core/topology.ts';
import { object } from '../meta/object.ts';

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
