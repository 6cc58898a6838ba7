import { getOwn } from '../../std/index.ts';
import { always, atVersion, int32, int64, list, opt, ptr, quantity, string, struct, time } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { LabelSelector } from '../meta/labelSelector.ts';
import { object } from '../meta/object.ts';

export const MetricTarget = struct('api.autoscaling.v2beta2.MetricTarget', {
  type: always(1, string),
  value: ptr(2, quantity),
  averageValue: ptr(3, quantity),
  averageUtilization: ptr(4, int32),
});
export type MetricTarget = Infer<typeof MetricTarget>;

export const ContainerResourceMetricSource = struct('api.autoscaling.v2beta2.ContainerResourceMetricSource', {
  name: always(1, string),
  target: always(2, MetricTarget),
  container: always(3, string),
});
export type ContainerResourceMetricSource = Infer<typeof ContainerResourceMetricSource>;

export const MetricValueStatus = struct('api.autoscaling.v2beta2.MetricValueStatus', {
  value: ptr(1, quantity),
  averageValue: ptr(2, quantity),
  averageUtilization: ptr(3, int32),
});
export type MetricValueStatus = Infer<typeof MetricValueStatus>;

export const ContainerResourceMetricStatus = struct('api.autoscaling.v2beta2.ContainerResourceMetricStatus', {
  name: always(1, string),
  current: always(2, MetricValueStatus),
  container: always(3, string),
});
export type ContainerResourceMetricStatus = Infer<typeof ContainerResourceMetricStatus>;

export const CrossVersionObjectReference = struct('api.autoscaling.v2beta2.CrossVersionObjectReference', {
  kind: always(1, string),
  name: always(2, string),
  apiVersion: opt(3, string),
});
export type CrossVersionObjectReference = Infer<typeof CrossVersionObjectReference>;

export const MetricIdentifier = struct('api.autoscaling.v2beta2.MetricIdentifier', {
  name: always(1, string),
  selector: ptr(2, LabelSelector),
});
export type MetricIdentifier = Infer<typeof MetricIdentifier>;

export const ExternalMetricSource = struct('api.autoscaling.v2beta2.ExternalMetricSource', {
  metric: always(1, MetricIdentifier),
  target: always(2, MetricTarget),
});
export type ExternalMetricSource = Infer<typeof ExternalMetricSource>;

export const ExternalMetricStatus = struct('api.autoscaling.v2beta2.ExternalMetricStatus', {
  metric: always(1, MetricIdentifier),
  current: always(2, MetricValueStatus),
});
export type ExternalMetricStatus = Infer<typeof ExternalMetricStatus>;

export const HPAScalingPolicy = struct('api.autoscaling.v2beta2.HPAScalingPolicy', {
  type: always(1, string),
  value: always(2, int32),
  periodSeconds: always(3, int32),
});
export type HPAScalingPolicy = Infer<typeof HPAScalingPolicy>;

export const HPAScalingRules = struct('api.autoscaling.v2beta2.HPAScalingRules', {
  stabilizationWindowSeconds: ptr(3, int32),
  selectPolicy: ptr(1, string),
  policies: ptr(2, list(HPAScalingPolicy)),
});
export type HPAScalingRules = Infer<typeof HPAScalingRules>;

/** Up at once, by what is more: four pods or twice as many within 15 seconds. */
const scaleUp = (): HPAScalingRules => ({
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
});

/** Down to nothing within 15 seconds, after the window that the controller has by default. */
const scaleDown = (): HPAScalingRules => ({
  selectPolicy: 'Max',
  policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
});

export const HorizontalPodAutoscalerBehavior = struct(
  'api.autoscaling.v2beta2.HorizontalPodAutoscalerBehavior',
  {
    scaleUp: ptr(1, HPAScalingRules),
    scaleDown: ptr(2, HPAScalingRules),
  },
  {
    defaults(behavior) {
      behavior.scaleUp = { ...scaleUp(), ...behavior.scaleUp };
      behavior.scaleDown = { ...scaleDown(), ...behavior.scaleDown };
    },
  },
);
export type HorizontalPodAutoscalerBehavior = Infer<typeof HorizontalPodAutoscalerBehavior>;

export const ObjectMetricSource = struct('api.autoscaling.v2beta2.ObjectMetricSource', {
  describedObject: always(1, CrossVersionObjectReference),
  target: always(2, MetricTarget),
  metric: always(3, MetricIdentifier),
});
export type ObjectMetricSource = Infer<typeof ObjectMetricSource>;

export const PodsMetricSource = struct('api.autoscaling.v2beta2.PodsMetricSource', {
  metric: always(1, MetricIdentifier),
  target: always(2, MetricTarget),
});
export type PodsMetricSource = Infer<typeof PodsMetricSource>;

export const ResourceMetricSource = struct('api.autoscaling.v2beta2.ResourceMetricSource', {
  name: always(1, string),
  target: always(2, MetricTarget),
});
export type ResourceMetricSource = Infer<typeof ResourceMetricSource>;

export const MetricSpec = struct('api.autoscaling.v2beta2.MetricSpec', {
  type: always(1, string),
  object: ptr(2, ObjectMetricSource),
  pods: ptr(3, PodsMetricSource),
  resource: ptr(4, ResourceMetricSource),
  containerResource: ptr(7, ContainerResourceMetricSource),
  external: ptr(5, ExternalMetricSource),
});
export type MetricSpec = Infer<typeof MetricSpec>;

export const HorizontalPodAutoscalerSpec = struct('api.autoscaling.v2beta2.HorizontalPodAutoscalerSpec', {
  scaleTargetRef: always(1, CrossVersionObjectReference),
  minReplicas: ptr(2, int32, { default: 1 }),
  maxReplicas: always(3, int32),
  metrics: opt(4, list(MetricSpec), {
    default: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } }],
  }),
  behavior: ptr(5, HorizontalPodAutoscalerBehavior),
});
export type HorizontalPodAutoscalerSpec = Infer<typeof HorizontalPodAutoscalerSpec>;

export const HorizontalPodAutoscalerCondition = struct('api.autoscaling.v2beta2.HorizontalPodAutoscalerCondition', {
  type: always(1, string),
  status: always(2, string),
  lastTransitionTime: opt(3, time),
  reason: opt(4, string),
  message: opt(5, string),
});
export type HorizontalPodAutoscalerCondition = Infer<typeof HorizontalPodAutoscalerCondition>;

export const ObjectMetricStatus = struct('api.autoscaling.v2beta2.ObjectMetricStatus', {
  metric: always(1, MetricIdentifier),
  current: always(2, MetricValueStatus),
  describedObject: always(3, CrossVersionObjectReference),
});
export type ObjectMetricStatus = Infer<typeof ObjectMetricStatus>;

export const PodsMetricStatus = struct('api.autoscaling.v2beta2.PodsMetricStatus', {
  metric: always(1, MetricIdentifier),
  current: always(2, MetricValueStatus),
});
export type PodsMetricStatus = Infer<typeof PodsMetricStatus>;

export const ResourceMetricStatus = struct('api.autoscaling.v2beta2.ResourceMetricStatus', {
  name: always(1, string),
  current: always(2, MetricValueStatus),
});
export type ResourceMetricStatus = Infer<typeof ResourceMetricStatus>;

export const MetricStatus = struct('api.autoscaling.v2beta2.MetricStatus', {
  type: always(1, string),
  object: ptr(2, ObjectMetricStatus),
  pods: ptr(3, PodsMetricStatus),
  resource: ptr(4, ResourceMetricStatus),
  containerResource: ptr(7, ContainerResourceMetricStatus),
  external: ptr(5, ExternalMetricStatus),
});
export type MetricStatus = Infer<typeof MetricStatus>;

export const HorizontalPodAutoscalerStatus = struct('api.autoscaling.v2beta2.HorizontalPodAutoscalerStatus', {
  observedGeneration: ptr(1, int64),
  lastScaleTime: ptr(2, time),
  currentReplicas: always(3, int32),
  desiredReplicas: always(4, int32),
  currentMetrics: always(5, list(MetricStatus), { required: false }),
  conditions: always(6, list(HorizontalPodAutoscalerCondition)),
});
export type HorizontalPodAutoscalerStatus = Infer<typeof HorizontalPodAutoscalerStatus>;

export const HorizontalPodAutoscaler = object('api.autoscaling.v2beta2.HorizontalPodAutoscaler', {
  spec: opt(2, HorizontalPodAutoscalerSpec),
  status: opt(3, HorizontalPodAutoscalerStatus),
});
export type HorizontalPodAutoscaler = Infer<typeof HorizontalPodAutoscaler>;

export const HorizontalPodAutoscalerSpecV1 = struct('api.autoscaling.v1.HorizontalPodAutoscalerSpec', {
  scaleTargetRef: always(1, atVersion(CrossVersionObjectReference, 'v1')),
  minReplicas: ptr(2, int32, { default: 1 }),
  maxReplicas: always(3, int32),
  targetCPUUtilizationPercentage: ptr(4, int32),
});
export type HorizontalPodAutoscalerSpecV1 = Infer<typeof HorizontalPodAutoscalerSpecV1>;

export const HorizontalPodAutoscalerStatusV1 = struct('api.autoscaling.v1.HorizontalPodAutoscalerStatus', {
  observedGeneration: ptr(1, int64),
  lastScaleTime: ptr(2, time),
  currentReplicas: always(3, int32),
  desiredReplicas: always(4, int32),
  currentCPUUtilizationPercentage: ptr(5, int32),
});
export type HorizontalPodAutoscalerStatusV1 = Infer<typeof HorizontalPodAutoscalerStatusV1>;

export const HorizontalPodAutoscalerV1 = object(
  'api.autoscaling.v1.HorizontalPodAutoscaler',
  {
    spec: opt(2, HorizontalPodAutoscalerSpecV1),
    status: opt(3, HorizontalPodAutoscalerStatusV1),
  },
  {
    defaults({ metadata, spec }, { fill }) {
      // Metrics in the annotation are added to the one with a field.
      const others = getOwn(metadata.annotations, fill('autoscaling.alpha.{label}/metrics'));
      if (others === undefined) spec.targetCPUUtilizationPercentage ??= 80;
    },
  },
);
export type HorizontalPodAutoscalerV1 = Infer<typeof HorizontalPodAutoscalerV1>;

export const ContainerResourceMetricSourceV2beta1 = struct('api.autoscaling.v2beta1.ContainerResourceMetricSource', {
  name: always(1, string),
  targetAverageUtilization: ptr(2, int32),
  targetAverageValue: ptr(3, quantity),
  container: always(4, string),
});
export type ContainerResourceMetricSourceV2beta1 = Infer<typeof ContainerResourceMetricSourceV2beta1>;

export const ContainerResourceMetricStatusV2beta1 = struct('api.autoscaling.v2beta1.ContainerResourceMetricStatus', {
  name: always(1, string),
  currentAverageUtilization: ptr(2, int32),
  currentAverageValue: always(3, quantity),
  container: always(4, string),
});
export type ContainerResourceMetricStatusV2beta1 = Infer<typeof ContainerResourceMetricStatusV2beta1>;

export const ExternalMetricSourceV2beta1 = struct('api.autoscaling.v2beta1.ExternalMetricSource', {
  metricName: always(1, string),
  metricSelector: ptr(2, LabelSelector),
  targetValue: ptr(3, quantity),
  targetAverageValue: ptr(4, quantity),
});
export type ExternalMetricSourceV2beta1 = Infer<typeof ExternalMetricSourceV2beta1>;

export const ExternalMetricStatusV2beta1 = struct('api.autoscaling.v2beta1.ExternalMetricStatus', {
  metricName: always(1, string),
  metricSelector: ptr(2, LabelSelector),
  currentValue: always(3, quantity),
  currentAverageValue: ptr(4, quantity),
});
export type ExternalMetricStatusV2beta1 = Infer<typeof ExternalMetricStatusV2beta1>;

export const ObjectMetricSourceV2beta1 = struct('api.autoscaling.v2beta1.ObjectMetricSource', {
  target: always(1, atVersion(CrossVersionObjectReference, 'v2beta1')),
  metricName: always(2, string),
  targetValue: always(3, quantity),
  selector: ptr(4, LabelSelector),
  averageValue: ptr(5, quantity),
});
export type ObjectMetricSourceV2beta1 = Infer<typeof ObjectMetricSourceV2beta1>;

export const PodsMetricSourceV2beta1 = struct('api.autoscaling.v2beta1.PodsMetricSource', {
  metricName: always(1, string),
  targetAverageValue: always(2, quantity),
  selector: ptr(3, LabelSelector),
});
export type PodsMetricSourceV2beta1 = Infer<typeof PodsMetricSourceV2beta1>;

export const ResourceMetricSourceV2beta1 = struct('api.autoscaling.v2beta1.ResourceMetricSource', {
  name: always(1, string),
  targetAverageUtilization: ptr(2, int32),
  targetAverageValue: ptr(3, quantity),
});
export type ResourceMetricSourceV2beta1 = Infer<typeof ResourceMetricSourceV2beta1>;

export const MetricSpecV2beta1 = struct('api.autoscaling.v2beta1.MetricSpec', {
  type: always(1, string),
  object: ptr(2, ObjectMetricSourceV2beta1),
  pods: ptr(3, PodsMetricSourceV2beta1),
  resource: ptr(4, ResourceMetricSourceV2beta1),
  containerResource: ptr(7, ContainerResourceMetricSourceV2beta1),
  external: ptr(5, ExternalMetricSourceV2beta1),
});
export type MetricSpecV2beta1 = Infer<typeof MetricSpecV2beta1>;

export const HorizontalPodAutoscalerSpecV2beta1 = struct('api.autoscaling.v2beta1.HorizontalPodAutoscalerSpec', {
  scaleTargetRef: always(1, atVersion(CrossVersionObjectReference, 'v2beta1')),
  minReplicas: ptr(2, int32, { default: 1 }),
  maxReplicas: always(3, int32),
  metrics: opt(4, list(MetricSpecV2beta1), {
    default: [{ type: 'Resource', resource: { name: 'cpu', targetAverageUtilization: 80 } }],
  }),
});
export type HorizontalPodAutoscalerSpecV2beta1 = Infer<typeof HorizontalPodAutoscalerSpecV2beta1>;

export const ObjectMetricStatusV2beta1 = struct('api.autoscaling.v2beta1.ObjectMetricStatus', {
  target: always(1, atVersion(CrossVersionObjectReference, 'v2beta1')),
  metricName: always(2, string),
  currentValue: always(3, quantity),
  selector: ptr(4, LabelSelector),
  averageValue: ptr(5, quantity),
});
export type ObjectMetricStatusV2beta1 = Infer<typeof ObjectMetricStatusV2beta1>;

export const PodsMetricStatusV2beta1 = struct('api.autoscaling.v2beta1.PodsMetricStatus', {
  metricName: always(1, string),
  currentAverageValue: always(2, quantity),
  selector: ptr(3, LabelSelector),
});
export type PodsMetricStatusV2beta1 = Infer<typeof PodsMetricStatusV2beta1>;

export const ResourceMetricStatusV2beta1 = struct('api.autoscaling.v2beta1.ResourceMetricStatus', {
  name: always(1, string),
  currentAverageUtilization: ptr(2, int32),
  currentAverageValue: always(3, quantity),
});
export type ResourceMetricStatusV2beta1 = Infer<typeof ResourceMetricStatusV2beta1>;

export const MetricStatusV2beta1 = struct('api.autoscaling.v2beta1.MetricStatus', {
  type: always(1, string),
  object: ptr(2, ObjectMetricStatusV2beta1),
  pods: ptr(3, PodsMetricStatusV2beta1),
  resource: ptr(4, ResourceMetricStatusV2beta1),
  containerResource: ptr(7, ContainerResourceMetricStatusV2beta1),
  external: ptr(5, ExternalMetricStatusV2beta1),
});
export type MetricStatusV2beta1 = Infer<typeof MetricStatusV2beta1>;

export const HorizontalPodAutoscalerStatusV2beta1 = struct('api.autoscaling.v2beta1.HorizontalPodAutoscalerStatus', {
  observedGeneration: ptr(1, int64),
  lastScaleTime: ptr(2, time),
  currentReplicas: always(3, int32),
  desiredReplicas: always(4, int32),
  currentMetrics: always(5, list(MetricStatusV2beta1), { required: false }),
  conditions: always(6, list(atVersion(HorizontalPodAutoscalerCondition, 'v2beta1'))),
});
export type HorizontalPodAutoscalerStatusV2beta1 = Infer<typeof HorizontalPodAutoscalerStatusV2beta1>;

export const HorizontalPodAutoscalerV2beta1 = object('api.autoscaling.v2beta1.HorizontalPodAutoscaler', {
  spec: opt(2, HorizontalPodAutoscalerSpecV2beta1),
  status: opt(3, HorizontalPodAutoscalerStatusV2beta1),
});
export type HorizontalPodAutoscalerV2beta1 = Infer<typeof HorizontalPodAutoscalerV2beta1>;
