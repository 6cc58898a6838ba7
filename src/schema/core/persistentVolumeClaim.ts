import { always, list, map, named, opt, ptr, quantity, string, struct, time } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { roundResources } from './resourceList.ts';
import { LabelSelector } from '../meta/labelSelector.ts';
import { object } from '../meta/object.ts';
import { ResourceRequirements } from './container.ts';
import { TypedLocalObjectReference } from './references.ts';

export const PersistentVolumeClaimSpec = struct('api.core.v1.PersistentVolumeClaimSpec', {
  accessModes: opt(1, list(named('v1.PersistentVolumeAccessMode', string))),
  selector: ptr(4, LabelSelector),
  resources: opt(2, ResourceRequirements),
  volumeName: opt(3, string),
  storageClassName: ptr(5, string),
  volumeMode: ptr(6, named('v1.PersistentVolumeMode', string), { default: 'Filesystem' }),
  dataSource: ptr(7, TypedLocalObjectReference),
});
export type PersistentVolumeClaimSpec = Infer<typeof PersistentVolumeClaimSpec>;

export const PersistentVolumeClaimCondition = struct('api.core.v1.PersistentVolumeClaimCondition', {
  type: always(1, string),
  status: always(2, string),
  lastProbeTime: opt(3, time),
  lastTransitionTime: opt(4, time),
  reason: opt(5, string),
  message: opt(6, string),
});
export type PersistentVolumeClaimCondition = Infer<typeof PersistentVolumeClaimCondition>;

export const PersistentVolumeClaimStatus = struct(
  'api.core.v1.PersistentVolumeClaimStatus',
  {
    phase: opt(1, string, { default: 'Pending' }),
    accessModes: opt(2, list(string)),
    capacity: opt(3, map(quantity)),
    conditions: opt(4, list(PersistentVolumeClaimCondition), { mergeKey: 'type', strategy: 'merge' }),
  },
  {
    defaults(status) {
      roundResources(status.capacity);
    },
  },
);
export type PersistentVolumeClaimStatus = Infer<typeof PersistentVolumeClaimStatus>;

export const PersistentVolumeClaim = object('api.core.v1.PersistentVolumeClaim', {
  spec: opt(2, PersistentVolumeClaimSpec),
  status: opt(3, PersistentVolumeClaimStatus),
});
export type PersistentVolumeClaim = Infer<typeof PersistentVolumeClaim>;
