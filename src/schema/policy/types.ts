/** The TypeScript types of what this folder declares, for rooms that work on objects; `../objects.ts` gathers them. */
export type { Eviction } from './eviction.ts';
export type { PodDisruptionBudgetSpec, PodDisruptionBudgetStatus, PodDisruptionBudget } from './podDisruptionBudget.ts';
export type {
  AllowedCSIDriver,
  AllowedFlexVolume,
  AllowedHostPath,
  IDRange,
  FSGroupStrategyOptions,
  HostPortRange,
  RunAsGroupStrategyOptions,
  RunAsUserStrategyOptions,
  RuntimeClassStrategyOptions,
  SELinuxStrategyOptions,
  SupplementalGroupsStrategyOptions,
  PodSecurityPolicySpec,
  PodSecurityPolicy,
} from './podSecurityPolicy.ts';
