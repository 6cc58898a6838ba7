/** Columns of the small kinds of the core group. */
import { getOwn } from '../../std/index.ts';
import type { Column } from '../define/index.ts';
import { age, name, text } from '../meta/columns.ts';
import type { ComponentStatus } from './componentStatus.ts';
import type { ConfigMap } from './configMap.ts';
import type { Namespace } from './namespace.ts';
import type { ResourceQuota } from './resourceQuota.ts';
import type { Secret } from './secret.ts';
import type { ServiceAccount } from './serviceAccount.ts';

const sizeOf = (map: object | undefined): number => Object.keys(map ?? {}).length;

export const namespaceColumns: readonly Column<Namespace>[] = [
  name,
  text('Status', 'Whether the namespace is in use or goes away.', ({ status }) => status.phase ?? ''),
  age,
];

export const configMapColumns: readonly Column<ConfigMap>[] = [
  name,
  text('Data', 'How many keys there are.', ({ data, binaryData }) => sizeOf(data) + sizeOf(binaryData)),
  age,
];

export const secretColumns: readonly Column<Secret>[] = [
  name,
  text('Type', 'What the secret is for.', ({ type = '' }) => type),
  text('Data', 'How many keys there are.', ({ data }) => sizeOf(data)),
  age,
];

export const serviceAccountColumns: readonly Column<ServiceAccount>[] = [
  name,
  text('Secrets', 'How many secrets belong to the account.', ({ secrets }) => secrets?.length ?? 0),
  age,
];

export const resourceQuotaColumns: readonly Column<ResourceQuota>[] = [
  name,
  age,
  text('Request', 'Use and limit of all but what limits add up to.', (quota) => usage(quota, false)),
  text('Limit', 'Use and limit of what limits add up to.', (quota) => usage(quota, true)),
];

function usage({ status }: ResourceQuota, limits: boolean): string {
  return Object.entries(status.hard ?? {})
    .filter(([resource]) => resource.startsWith('limits.') === limits)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([resource, hard]) => `${resource}: ${getOwn(status.used, resource) ?? '0'}/${hard}`)
    .join(', ');
}

const HEALTH: Readonly<Record<string, string>> = { True: 'Healthy', False: 'Unhealthy' };

const healthy = ({ conditions }: ComponentStatus) => conditions?.find(({ type }) => type === 'Healthy');

export const componentStatusColumns: readonly Column<ComponentStatus>[] = [
  name,
  text(
    'Status',
    'Whether the component is healthy.',
    (component) => getOwn(HEALTH, healthy(component)?.status ?? '') ?? 'Unknown',
  ),
  text('Message', 'What the component answered.', (component) => healthy(component)?.message ?? ''),
  text('Error', 'What went wrong in asking it.', (component) => healthy(component)?.error ?? ''),
];
