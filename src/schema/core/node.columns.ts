/** Columns of nodes. */
import { getOwn } from '../../std/index.ts';
import type { CellContext, Column } from '../define/index.ts';
import { age, name, text, wide } from '../meta/columns.ts';
import type { Node } from './node.ts';

export const nodeColumns: readonly Column<Node>[] = [
  name,
  text('Status', 'Whether the node is ready, and whether pods may be placed on it.', statusOf),
  text('Roles', 'What the node is for.', roles),
  age,
  text(
    'Version',
    'Version of the node agent.',
    ({ status }, { names }) => info(status.nodeInfo, names.fill('{agent}Version')) ?? '',
  ),
  wide('Internal-IP', 'Address inside the cluster.', (node) => address(node, 'InternalIP')),
  wide('External-IP', 'Address outside the cluster.', (node) => address(node, 'ExternalIP')),
  wide('OS-Image', 'Operating system.', ({ status }) => info(status.nodeInfo, 'osImage') || '<unknown>'),
  wide(
    'Kernel-Version',
    'Version of the kernel.',
    ({ status }) => info(status.nodeInfo, 'kernelVersion') || '<unknown>',
  ),
  wide(
    'Container-Runtime',
    'Container runtime and its version.',
    ({ status }) => info(status.nodeInfo, 'containerRuntimeVersion') || '<unknown>',
  ),
];

/** Names of some of the fields depend on the naming profile. */
const info = (nodeInfo: Readonly<Record<string, unknown>>, field: string): string | undefined => {
  const value = getOwn(nodeInfo, field);
  return typeof value === 'string' ? value : undefined;
};

function statusOf({ spec, status }: Node): string {
  const ready = status.conditions?.find(({ type }) => type === 'Ready');
  const state = ready ? (ready.status === 'True' ? 'Ready' : 'NotReady') : 'Unknown';
  return spec.unschedulable ? `${state},SchedulingDisabled` : state;
}

function roles({ metadata }: Node, { names }: CellContext): string {
  const prefix = names.fill('node-role.{label}/');
  const role = names.fill('{label}/role');
  const found = Object.entries(metadata.labels ?? {}).map(([key, value]) =>
    key.startsWith(prefix) ? key.slice(prefix.length) : key === role ? value : '',
  );
  return [...new Set(found.filter(Boolean))].sort().join(',') || '<none>';
}

const address = ({ status }: Node, type: string): string =>
  status.addresses?.find((candidate) => candidate.type === type)?.address ?? '<none>';
