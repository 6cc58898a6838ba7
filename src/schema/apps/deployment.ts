import {
  always,
  bool,
  int32,
  int64,
  intOrString,
  list,
  nullable,
  opt,
  ptr,
  string,
  struct,
  time,
} from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { PodTemplateSpec } from '../core/podSpec.ts';
import { LabelSelector } from '../meta/labelSelector.ts';
import { object } from '../meta/object.ts';
import { readFormerField } from './formerField.ts';

/** The revision to roll back to; once a field, now an annotation. */
export const ROLLBACK_TO = 'deprecated.deployment.rollback.to';

export const RollingUpdateDeployment = struct('api.apps.v1.RollingUpdateDeployment', {
  maxUnavailable: ptr(1, intOrString, { default: '25%' }),
  maxSurge: ptr(2, intOrString, { default: '25%' }),
});
export type RollingUpdateDeployment = Infer<typeof RollingUpdateDeployment>;

export const DeploymentStrategy = struct(
  'api.apps.v1.DeploymentStrategy',
  {
    type: opt(1, string, { default: 'RollingUpdate', doc: '`Recreate` or `RollingUpdate`.' }),
    rollingUpdate: ptr(2, RollingUpdateDeployment, { doc: 'How many pods are replaced at a time.' }),
  },
  {
    defaults(strategy) {
      if (strategy.type === 'RollingUpdate') strategy.rollingUpdate ??= {};
    },
    doc: 'How pods are replaced by new ones.',
  },
);
export type DeploymentStrategy = Infer<typeof DeploymentStrategy>;

export const DeploymentSpec = struct(
  'api.apps.v1.DeploymentSpec',
  {
    replicas: ptr(1, int32, { default: 1, doc: 'How many pods there are to be; 1 by default.' }),
    selector: nullable(2, LabelSelector, {
      required: true,
      doc: 'Labels of the pods that count. It cannot be changed.',
    }),
    template: always(3, PodTemplateSpec, { doc: 'What the pods look like.' }),
    strategy: opt(4, DeploymentStrategy, { strategy: 'retainKeys', doc: 'How pods are replaced by new ones.' }),
    minReadySeconds: opt(5, int32, { doc: 'Seconds that a pod has to be ready before it counts as available.' }),
    revisionHistoryLimit: ptr(6, int32, { default: 10, doc: 'How many old replica sets are kept for going back.' }),
    paused: opt(7, bool, { doc: 'Whether changes wait.' }),
    progressDeadlineSeconds: ptr(9, int32, {
      default: 600,
      doc: 'Seconds after which a change that makes no progress has failed.',
    }),
  },
  { doc: 'What is wanted of a deployment.' },
);
export type DeploymentSpec = Infer<typeof DeploymentSpec>;

export const DeploymentCondition = struct('api.apps.v1.DeploymentCondition', {
  type: always(1, string),
  status: always(2, string),
  lastUpdateTime: opt(6, time),
  lastTransitionTime: opt(7, time),
  reason: opt(4, string),
  message: opt(5, string),
});
export type DeploymentCondition = Infer<typeof DeploymentCondition>;

export const DeploymentStatus = struct('api.apps.v1.DeploymentStatus', {
  observedGeneration: opt(1, int64),
  replicas: opt(2, int32),
  updatedReplicas: opt(3, int32),
  readyReplicas: opt(7, int32),
  availableReplicas: opt(4, int32),
  unavailableReplicas: opt(5, int32),
  conditions: opt(6, list(DeploymentCondition), { mergeKey: 'type', strategy: 'merge' }),
  collisionCount: ptr(8, int32),
});
export type DeploymentStatus = Infer<typeof DeploymentStatus>;

export const Deployment = object(
  'api.apps.v1.Deployment',
  {
    spec: opt(2, DeploymentSpec, { doc: 'What is wanted of the deployment.' }),
    status: opt(3, DeploymentStatus, { doc: 'What is the case.' }),
  },
  {
    defaults({ metadata }) {
      const { [ROLLBACK_TO]: revision, ...others } = metadata.annotations ?? {};
      if (revision === undefined) return;
      metadata.annotations =
        revision === '' ? others : { ...others, [ROLLBACK_TO]: String(readFormerField(ROLLBACK_TO, revision)) };
    },
  },
);
export type Deployment = Infer<typeof Deployment>;
