import { always, int32, int64, list, map, opt, ptr, string, struct, time } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { object } from '../meta/object.ts';
import { PodTemplateSpec } from './podSpec.ts';

export const ReplicationControllerSpec = struct('api.core.v1.ReplicationControllerSpec', {
  replicas: ptr(1, int32, { default: 1 }),
  minReadySeconds: opt(4, int32),
  selector: opt(2, map(string)),
  template: ptr(3, PodTemplateSpec),
});
export type ReplicationControllerSpec = Infer<typeof ReplicationControllerSpec>;

export const ReplicationControllerCondition = struct('api.core.v1.ReplicationControllerCondition', {
  type: always(1, string),
  status: always(2, string),
  lastTransitionTime: opt(3, time),
  reason: opt(4, string),
  message: opt(5, string),
});
export type ReplicationControllerCondition = Infer<typeof ReplicationControllerCondition>;

export const ReplicationControllerStatus = struct('api.core.v1.ReplicationControllerStatus', {
  replicas: always(1, int32),
  fullyLabeledReplicas: opt(2, int32),
  readyReplicas: opt(4, int32),
  availableReplicas: opt(5, int32),
  observedGeneration: opt(3, int64),
  conditions: opt(6, list(ReplicationControllerCondition), { mergeKey: 'type', strategy: 'merge' }),
});
export type ReplicationControllerStatus = Infer<typeof ReplicationControllerStatus>;

export const ReplicationController = object(
  'api.core.v1.ReplicationController',
  {
    spec: opt(2, ReplicationControllerSpec),
    status: opt(3, ReplicationControllerStatus),
  },
  {
    defaults({ metadata, spec }) {
      const labels = spec.template?.metadata.labels;
      if (!labels) return;
      spec.selector ??= { ...labels };
      metadata.labels ??= { ...labels };
    },
  },
);
export type ReplicationController = Infer<typeof ReplicationController>;
