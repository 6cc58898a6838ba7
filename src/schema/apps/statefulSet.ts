import { always, int32, int64, list, nullable, opt, ptr, string, struct, time } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { PersistentVolumeClaim } from '../core/persistentVolumeClaim.ts';
import { PodTemplateSpec } from '../core/podSpec.ts';
import { LabelSelector } from '../meta/labelSelector.ts';
import { embedded, object } from '../meta/object.ts';

export const RollingUpdateStatefulSetStrategy = struct('api.apps.v1.RollingUpdateStatefulSetStrategy', {
  partition: ptr(1, int32),
});
export type RollingUpdateStatefulSetStrategy = Infer<typeof RollingUpdateStatefulSetStrategy>;

export const StatefulSetUpdateStrategy = struct(
  'api.apps.v1.StatefulSetUpdateStrategy',
  {
    type: opt(1, string),
    rollingUpdate: ptr(2, RollingUpdateStatefulSetStrategy),
  },
  {
    defaults(strategy) {
      if (strategy.type === undefined) {
        strategy.type = 'RollingUpdate';
        strategy.rollingUpdate = {};
      }
      if (strategy.type === 'RollingUpdate' && strategy.rollingUpdate) strategy.rollingUpdate.partition ??= 0;
    },
  },
);
export type StatefulSetUpdateStrategy = Infer<typeof StatefulSetUpdateStrategy>;

export const StatefulSetSpec = struct('api.apps.v1.StatefulSetSpec', {
  replicas: ptr(1, int32, { default: 1 }),
  selector: nullable(2, LabelSelector, { required: true }),
  template: always(3, PodTemplateSpec),
  volumeClaimTemplates: opt(4, list(embedded(PersistentVolumeClaim, 'v1', 'PersistentVolumeClaim'))),
  serviceName: always(5, string),
  podManagementPolicy: opt(6, string, { default: 'OrderedReady' }),
  updateStrategy: opt(7, StatefulSetUpdateStrategy),
  revisionHistoryLimit: ptr(8, int32, { default: 10 }),
});
export type StatefulSetSpec = Infer<typeof StatefulSetSpec>;

export const StatefulSetCondition = struct('api.apps.v1.StatefulSetCondition', {
  type: always(1, string),
  status: always(2, string),
  lastTransitionTime: opt(3, time),
  reason: opt(4, string),
  message: opt(5, string),
});
export type StatefulSetCondition = Infer<typeof StatefulSetCondition>;

export const StatefulSetStatus = struct('api.apps.v1.StatefulSetStatus', {
  observedGeneration: opt(1, int64),
  replicas: always(2, int32),
  readyReplicas: opt(3, int32),
  currentReplicas: opt(4, int32),
  updatedReplicas: opt(5, int32),
  currentRevision: opt(6, string),
  updateRevision: opt(7, string),
  collisionCount: ptr(9, int32),
  conditions: opt(10, list(StatefulSetCondition), { mergeKey: 'type', strategy: 'merge' }),
});
export type StatefulSetStatus = Infer<typeof StatefulSetStatus>;

export const StatefulSet = object('api.apps.v1.StatefulSet', {
  spec: opt(2, StatefulSetSpec),
  status: opt(3, StatefulSetStatus),
});
export type StatefulSet = Infer<typeof StatefulSet>;
