import { always, int32, int64, list, named, opt, ptr, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { LabelSelector } from '../meta/labelSelector.ts';

export const NodeSelectorRequirement = struct('api.core.v1.NodeSelectorRequirement', {
  key: always(1, string),
  operator: always(2, named('v1.NodeSelectorOperator', string)),
  values: opt(3, list(string)),
});
export type NodeSelectorRequirement = Infer<typeof NodeSelectorRequirement>;

export const NodeSelectorTerm = struct('api.core.v1.NodeSelectorTerm', {
  matchExpressions: opt(1, list(NodeSelectorRequirement)),
  matchFields: opt(2, list(NodeSelectorRequirement)),
});
export type NodeSelectorTerm = Infer<typeof NodeSelectorTerm>;

export const NodeSelector = struct('api.core.v1.NodeSelector', {
  nodeSelectorTerms: always(1, list(NodeSelectorTerm)),
});
export type NodeSelector = Infer<typeof NodeSelector>;

export const PreferredSchedulingTerm = struct('api.core.v1.PreferredSchedulingTerm', {
  weight: always(1, int32),
  preference: always(2, NodeSelectorTerm),
});
export type PreferredSchedulingTerm = Infer<typeof PreferredSchedulingTerm>;

export const NodeAffinity = struct('api.core.v1.NodeAffinity', {
  requiredDuringSchedulingIgnoredDuringExecution: ptr(1, NodeSelector),
  preferredDuringSchedulingIgnoredDuringExecution: opt(2, list(PreferredSchedulingTerm)),
});
export type NodeAffinity = Infer<typeof NodeAffinity>;

export const PodAffinityTerm = struct('api.core.v1.PodAffinityTerm', {
  labelSelector: ptr(1, LabelSelector),
  namespaces: opt(2, list(string)),
  topologyKey: always(3, string),
});
export type PodAffinityTerm = Infer<typeof PodAffinityTerm>;

export const WeightedPodAffinityTerm = struct('api.core.v1.WeightedPodAffinityTerm', {
  weight: always(1, int32),
  podAffinityTerm: always(2, PodAffinityTerm),
});
export type WeightedPodAffinityTerm = Infer<typeof WeightedPodAffinityTerm>;

export const PodAffinity = struct('api.core.v1.PodAffinity', {
  requiredDuringSchedulingIgnoredDuringExecution: opt(1, list(PodAffinityTerm)),
  preferredDuringSchedulingIgnoredDuringExecution: opt(2, list(WeightedPodAffinityTerm)),
});
export type PodAffinity = Infer<typeof PodAffinity>;

export const PodAntiAffinity = struct('api.core.v1.PodAntiAffinity', {
  requiredDuringSchedulingIgnoredDuringExecution: opt(1, list(PodAffinityTerm)),
  preferredDuringSchedulingIgnoredDuringExecution: opt(2, list(WeightedPodAffinityTerm)),
});
export type PodAntiAffinity = Infer<typeof PodAntiAffinity>;

export const Affinity = struct('api.core.v1.Affinity', {
  nodeAffinity: ptr(1, NodeAffinity),
  podAffinity: ptr(2, PodAffinity),
  podAntiAffinity: ptr(3, PodAntiAffinity),
});
export type Affinity = Infer<typeof Affinity>;

export const Toleration = struct('api.core.v1.Toleration', {
  key: opt(1, string),
  operator: opt(2, named('v1.TolerationOperator', string)),
  value: opt(3, string),
  effect: opt(4, named('v1.TaintEffect', string)),
  tolerationSeconds: ptr(5, int64),
});
export type Toleration = Infer<typeof Toleration>;

export const TopologySpreadConstraint = struct('api.core.v1.TopologySpreadConstraint', {
  maxSkew: always(1, int32),
  topologyKey: always(2, string),
  whenUnsatisfiable: always(3, named('v1.UnsatisfiableConstraintAction', string)),
  labelSelector: ptr(4, LabelSelector),
});
export type TopologySpreadConstraint = Infer<typeof TopologySpreadConstraint>;
