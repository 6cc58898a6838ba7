import { always, int32, int64, list, nullable, opt, ptr, string, struct, time } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { PodTemplateSpec } from '../core/podSpec.ts';
import { LabelSelector } from '../meta/labelSelector.ts';
import { object } from '../meta/object.ts';

export const ReplicaSetSpec = struct('api.apps.v1.ReplicaSetSpec', {
  replicas: ptr(1, int32, { default: 1 }),
  minReadySeconds: opt(4, int32),
  selector: nullable(2, LabelSelector, { required: true }),
  template: opt(3, PodTemplateSpec),
});
export type ReplicaSetSpec = Infer<typeof ReplicaSetSpec>;

export const ReplicaSetCondition = struct('api.apps.v1.ReplicaSetCondition', {
  type: always(1, string),
  status: always(2, string),
  lastTransitionTime: opt(3, time),
  reason: opt(4, string),
  message: opt(5, string),
});
export type ReplicaSetCondition = Infer<typeof ReplicaSetCondition>;

export const ReplicaSetStatus = struct('api.apps.v1.ReplicaSetStatus', {
  replicas: always(1, int32),
  fullyLabeledReplicas: opt(2, int32),
  readyReplicas: opt(4, int32),
  availableReplicas: opt(5, int32),
  observedGeneration: opt(3, int64),
  conditions: opt(6, list(ReplicaSetCondition), { mergeKey: 'type', strategy: 'merge' }),
});
export type ReplicaSetStatus = Infer<typeof ReplicaSetStatus>;

export const ReplicaSet = object('api.apps.v1.ReplicaSet', {
  spec: opt(2, ReplicaSetSpec),
  status: opt(3, ReplicaSetStatus),
});
export type ReplicaSet = Infer<typeof ReplicaSet>;
