/** Versions of kinds that this server does not have, newer and older ones, and what they become. */

export interface VersionRule {
  readonly kinds: readonly string[];
  /** As templates: `{domain}` stands for the profile's. */
  readonly from: readonly string[];
  readonly to: string;
  /** Fields that the version does not have. */
  readonly drop?: readonly (readonly string[])[];
  /** Fields that are called otherwise there. */
  readonly rename?: readonly { readonly path: readonly string[]; readonly to: string }[];
  /** It has to say what it selects, which used to be its template's labels. */
  readonly needsSelector?: boolean;
  /** What is different there besides. */
  readonly remark?: string;
}

export const versionRules: readonly VersionRule[] = [
  {
    kinds: ['CronJob'],
    from: ['batch/v1'],
    to: 'batch/v1beta1',
    drop: [['spec', 'timeZone']],
    remark: 'Schedules are in the time zone of the controller manager, UTC.',
  },
  { kinds: ['HorizontalPodAutoscaler'], from: ['autoscaling/v2'], to: 'autoscaling/v2beta2' },
  {
    kinds: ['PodDisruptionBudget'],
    from: ['policy/v1'],
    to: 'policy/v1beta1',
    drop: [['spec', 'unhealthyPodEvictionPolicy']],
    remark: 'In policy/v1beta1 an empty selector selects no pods; in policy/v1 it selects all.',
  },
  { kinds: ['EndpointSlice'], from: ['discovery.{domain}/v1'], to: 'discovery.{domain}/v1beta1' },
  {
    kinds: ['FlowSchema', 'PriorityLevelConfiguration'],
    from: ['v1', 'v1beta2', 'v1beta3'].map((version) => `flowcontrol.apiserver.{domain}/${version}`),
    to: 'flowcontrol.apiserver.{domain}/v1beta1',
    rename: [{ path: ['spec', 'limited', 'nominalConcurrencyShares'], to: 'assuredConcurrencyShares' }],
  },
  {
    kinds: ['Deployment', 'DaemonSet', 'ReplicaSet', 'StatefulSet'],
    from: ['extensions/v1beta1', 'apps/v1beta1', 'apps/v1beta2'],
    to: 'apps/v1',
    needsSelector: true,
  },
  { kinds: ['NetworkPolicy'], from: ['extensions/v1beta1'], to: 'networking.{domain}/v1' },
];
