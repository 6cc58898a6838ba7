import { always, int32, int64, intOrString, map, opt, ptr, struct, time } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { LabelSelector } from '../meta/labelSelector.ts';
import { object } from '../meta/object.ts';

export const PodDisruptionBudgetSpec = struct('api.policy.v1beta1.PodDisruptionBudgetSpec', {
  minAvailable: ptr(1, intOrString),
  selector: ptr(2, LabelSelector),
  maxUnavailable: ptr(3, intOrString),
});
export type PodDisruptionBudgetSpec = Infer<typeof PodDisruptionBudgetSpec>;

export const PodDisruptionBudgetStatus = struct('api.policy.v1beta1.PodDisruptionBudgetStatus', {
  observedGeneration: opt(1, int64),
  disruptedPods: opt(2, map(time)),
  disruptionsAllowed: always(3, int32),
  currentHealthy: always(4, int32),
  desiredHealthy: always(5, int32),
  expectedPods: always(6, int32),
});
export type PodDisruptionBudgetStatus = Infer<typeof PodDisruptionBudgetStatus>;

export const PodDisruptionBudget = object('api.policy.v1beta1.PodDisruptionBudget', {
  spec: opt(2, PodDisruptionBudgetSpec),
  status: opt(3, PodDisruptionBudgetStatus),
});
export type PodDisruptionBudget = Infer<typeof PodDisruptionBudget>;
