/** The order in which several objects are applied: what others need comes first. */
import { getOwn } from '../../std/index.ts';

/** Kinds by when they are applied. Kinds that are not listed, custom resources among them, come between the two lists. */
const first = [
  'Namespace',
  'CustomResourceDefinition',
  'PriorityClass',
  'RuntimeClass',
  'StorageClass',
  'ResourceQuota',
  'LimitRange',
  'PodSecurityPolicy',
  'ServiceAccount',
  'Secret',
  'ConfigMap',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'ClusterRole',
  'Role',
  'ClusterRoleBinding',
  'RoleBinding',
  'NetworkPolicy',
  'Service',
];
const last = [
  // A pod is refused until its namespace has a service account. Workloads are not: their controllers try again.
  'Pod',
  'HorizontalPodAutoscaler',
  'PodDisruptionBudget',
  'Ingress',
  'APIService',
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
];

const ranks: Readonly<Record<string, number>> = Object.fromEntries([
  ...first.map((kind, index) => [kind, index - first.length]),
  ...last.map((kind, index) => [kind, index + 1]),
]);

/** The same objects in the order in which to apply them; those of one kind keep theirs. */
export function inApplyOrder<T extends { readonly kind: string }>(objects: readonly T[]): readonly T[] {
  return [...objects].sort((a, b) => (getOwn(ranks, a.kind) ?? 0) - (getOwn(ranks, b.kind) ?? 0));
}
