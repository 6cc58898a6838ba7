import { always, int32, int64, intOrString, kind, map, opt, ptr, struct, time } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { policy } from '../groups.ts';
import { LabelSelector } from '../meta/labelSelector.ts';
import { object } from '../meta/object.ts';
import { tables, workloads } from '../parts/index.ts';

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

export const poddisruptionbudgets = kind(PodDisruptionBudget, {
  group: policy,
  kind: 'PodDisruptionBudget',
  resource: 'poddisruptionbudgets',
  shortNames: ['pdb'],
  namespaced: true,
  rules: workloads.of('podDisruptionBudgetRules'),
  doc: 'How many pods of a set have to stay available while others are evicted.',
  versions: [{ version: 'v1beta1', type: PodDisruptionBudget }],
  status: true,
  columns: tables.of('podDisruptionBudgetColumns'),
});
