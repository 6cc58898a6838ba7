/** Columns of the policy kinds. */
import type { Column } from '../define/index.ts';
import { age, integer, name, text } from '../meta/columns.ts';
import type { PodDisruptionBudget } from './podDisruptionBudget.ts';
import type { PodSecurityPolicy } from './podSecurityPolicy.ts';

export const podDisruptionBudgetColumns: readonly Column<PodDisruptionBudget>[] = [
  name,
  text('Min Available', 'Fewest pods that have to stay available.', ({ spec }) => String(spec.minAvailable ?? 'N/A')),
  text('Max Unavailable', 'Most pods that may be unavailable.', ({ spec }) => String(spec.maxUnavailable ?? 'N/A')),
  integer('Allowed Disruptions', 'Pods that may be evicted now.', ({ status }) => status.disruptionsAllowed),
  age,
];

export const podSecurityPolicyColumns: readonly Column<PodSecurityPolicy>[] = [
  name,
  // A text, while the other switch is a boolean: the reference shows them so.
  text('Priv', 'Whether containers may be privileged.', ({ spec }) => String(spec.privileged ?? false)),
  text('Caps', 'Capabilities that containers may ask for.', ({ spec }) => spec.allowedCapabilities?.join(',') ?? ''),
  text('SELinux', 'Rule for SELinux labels.', ({ spec }) => spec.seLinux.rule),
  text('RunAsUser', 'Rule for users.', ({ spec }) => spec.runAsUser.rule),
  text('FsGroup', 'Rule for the group of volumes.', ({ spec }) => spec.fsGroup.rule ?? ''),
  text('SupGroup', 'Rule for further groups.', ({ spec }) => spec.supplementalGroups.rule ?? ''),
  text(
    'ReadOnlyRootFs',
    'Whether root file systems have to be read-only.',
    ({ spec }) => spec.readOnlyRootFilesystem ?? false,
  ),
  text('Volumes', 'Kinds of volumes that pods may use.', ({ spec }) => spec.volumes?.join(',') ?? ''),
];
