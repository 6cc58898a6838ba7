import { always, int32, int64, intOrString, list, nullable, opt, ptr, string, struct, time } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { PodTemplateSpec } from '../core/podSpec.ts';
import { LabelSelector } from '../meta/labelSelector.ts';
import { object } from '../meta/object.ts';
import { readFormerField } from './formerField.ts';

/** How often the template changed; once a field, now an annotation. */
export const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

export const RollingUpdateDaemonSet = struct('api.apps.v1.RollingUpdateDaemonSet', {
  maxUnavailable: ptr(1, intOrString, { default: 1 }),
});
export type RollingUpdateDaemonSet = Infer<typeof RollingUpdateDaemonSet>;

export const DaemonSetUpdateStrategy = struct(
  'api.apps.v1.DaemonSetUpdateStrategy',
  {
    type: opt(1, string, { default: 'RollingUpdate' }),
    rollingUpdate: ptr(2, RollingUpdateDaemonSet),
  },
  {
    defaults(strategy) {
      if (strategy.type === 'RollingUpdate') strategy.rollingUpdate ??= {};
    },
  },
);
export type DaemonSetUpdateStrategy = Infer<typeof DaemonSetUpdateStrategy>;

export const DaemonSetSpec = struct('api.apps.v1.DaemonSetSpec', {
  selector: nullable(1, LabelSelector, { required: true }),
  template: always(2, PodTemplateSpec),
  updateStrategy: opt(3, DaemonSetUpdateStrategy),
  minReadySeconds: opt(4, int32),
  revisionHistoryLimit: ptr(6, int32, { default: 10 }),
});
export type DaemonSetSpec = Infer<typeof DaemonSetSpec>;

export const DaemonSetCondition = struct('api.apps.v1.DaemonSetCondition', {
  type: always(1, string),
  status: always(2, string),
  lastTransitionTime: opt(3, time),
  reason: opt(4, string),
  message: opt(5, string),
});
export type DaemonSetCondition = Infer<typeof DaemonSetCondition>;

export const DaemonSetStatus = struct('api.apps.v1.DaemonSetStatus', {
  currentNumberScheduled: always(1, int32),
  numberMisscheduled: always(2, int32),
  desiredNumberScheduled: always(3, int32),
  numberReady: always(4, int32),
  observedGeneration: opt(5, int64),
  updatedNumberScheduled: opt(6, int32),
  numberAvailable: opt(7, int32),
  numberUnavailable: opt(8, int32),
  collisionCount: ptr(9, int32),
  conditions: opt(10, list(DaemonSetCondition), { mergeKey: 'type', strategy: 'merge' }),
});
export type DaemonSetStatus = Infer<typeof DaemonSetStatus>;

export const DaemonSet = object(
  'api.apps.v1.DaemonSet',
  {
    spec: opt(2, DaemonSetSpec),
    status: opt(3, DaemonSetStatus),
  },
  {
    defaults({ metadata }) {
      // Every daemon set carries the number, also one that has not been counted yet.
      const generation = readFormerField(TEMPLATE_GENERATION, metadata.annotations?.[TEMPLATE_GENERATION] ?? '0');
      metadata.annotations = { ...metadata.annotations, [TEMPLATE_GENERATION]: String(generation) };
    },
  },
);
export type DaemonSet = Infer<typeof DaemonSet>;
