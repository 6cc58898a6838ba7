/** Nodes: what they are, how they do, and what runs on them. */
import { leases, nodes, pathOf, pods, type Client, type Lease, type Node, type Pod } from '../../client/index.ts';
import { Quantity, quantityOf, StatusError, type objects } from '../../schema/index.ts';
import { getOwn } from '../../std/index.ts';
import { describeError } from '../command/errors.ts';
import { ageOf } from '../output/text.ts';
import { describer } from './describer.ts';
import {
  field,
  given,
  indent,
  longTime,
  meta,
  nameAlone,
  NONE,
  section,
  several,
  sortedEntries,
  UNSET,
  type Line,
} from './lines.ts';

export const nodeDescriber = describer(nodes, async (node, { client, list, now }) => {
  const { metadata, spec } = node;
  const fieldSelector = `spec.nodeName=${metadata.name},status.phase!=Failed,status.phase!=Succeeded`;
  const running = await list(pods, { fieldSelector }).catch((error: unknown) => {
    if (error instanceof StatusError && error.status.code === 403) return undefined;
    throw error;
  });
  return [
    nameAlone(node),
    field('Roles', rolesOf(node, client).join(',') || NONE),
    ...meta(node),
    field('CreationTimestamp', longTime(metadata.creationTimestamp)),
    ...several('Taints', taints(spec.taints)),
    field('Unschedulable', spec.unschedulable ?? false),
    ...(await leaseLines(client, metadata.name ?? '')),
    ...statusLines(node, client),
    ...(running ? podLines(running, node, now) : ['Pods:\tnot authorized']),
  ];
});

/** By the labels that name a role each, and the one that names it as its value. */
function rolesOf({ metadata }: Node, { names }: Client): readonly string[] {
  const prefix = names.fill('node-role.{label}/');
  const found = Object.entries(metadata.labels ?? {}).map(([key, value]) =>
    key.startsWith(prefix) ? key.slice(prefix.length) : key === names.fill('{label}/role') ? value : '',
  );
  return [...new Set(found.filter(Boolean))].sort();
}

const taints = (list: readonly objects.Taint[] = []): readonly string[] =>
  [...list]
    .sort((a, b) => (`${a.effect},${a.key}` < `${b.effect},${b.key}` ? -1 : 1))
    .map(({ key, value, effect }) => `${key}${value ? `=${value}` : ''}:${effect}`);

async function leaseLines(client: Client, name: string): Promise<readonly Line[]> {
  try {
    const path = pathOf(leases, client.names, client.names.nodeLeaseNamespace, name);
    const { spec } = (await client.json(path)) as Lease;
    const time = (text: string | null | undefined): string => (text ? longTime(text) : UNSET);
    return section('Lease', [
      field('HolderIdentity', spec.holderIdentity ?? UNSET),
      field('AcquireTime', time(spec.acquireTime)),
      field('RenewTime', time(spec.renewTime)),
    ]);
  } catch (error) {
    return [field('Lease', `Failed to get lease: ${describeError(error).replace(/^Error from server.*?: /, '')}`)];
  }
}

const CONDITION_HEADS = [
  'Type\tStatus\tLastHeartbeatTime\tLastTransitionTime\tReason\tMessage',
  '----\t------\t-----------------\t------------------\t------\t-------',
];

function statusLines({ spec, status }: Node, client: Client): readonly Line[] {
  const rows = (status.conditions ?? []).map((condition) =>
    [
      ...[`${condition.type} `, `${condition.status} `],
      ...[`${longTime(condition.lastHeartbeatTime)} `, `${longTime(condition.lastTransitionTime)} `],
      ...[`${condition.reason ?? ''} `, condition.message ?? ''],
    ].join('\t'),
  );
  return [
    ...(rows.length === 0 ? [] : section('Conditions', [...CONDITION_HEADS, ...rows])),
    ...section(
      'Addresses',
      (status.addresses ?? []).map(({ type, address }) => field(type, address)),
    ),
    ...amounts('Capacity', status.capacity),
    ...amounts('Allocatable', status.allocatable),
    ...section('System Info', systemInfo(status.nodeInfo, client)),
    ...given('PodCIDR', spec.podCIDR),
    ...given('PodCIDRs', spec.podCIDRs?.join(',')),
    ...given('ProviderID', spec.providerID),
  ];
}

const amounts = (title: string, map: Readonly<Record<string, string>> | undefined): readonly Line[] => {
  const lines = sortedEntries(map).map(([name, amount]) => field(name, amount));
  return lines.length === 0 ? [] : section(title, lines);
};

const systemInfo = (info: objects.NodeSystemInfo | undefined, { names }: Client): readonly Line[] => [
  field('Machine ID', info?.machineID ?? ''),
  field('System UUID', info?.systemUUID ?? ''),
  field('Boot ID', info?.bootID ?? ''),
  field('Kernel Version', info?.kernelVersion ?? ''),
  field('OS Image', info?.osImage ?? ''),
  field('Operating System', info?.operatingSystem ?? ''),
  field('Architecture', info?.architecture ?? ''),
  field('Container Runtime Version', info?.containerRuntimeVersion ?? ''),
  field('Kubelet Version', ownText(info, names.fill('{agent}Version'))),
  field('Kube-Proxy Version', ownText(info, names.fill('{prefix}ProxyVersion'))),
];

const ownText = (info: object | undefined, key: string): string => String(getOwn({ ...info }, key) ?? '');

type Amounts = ReadonlyMap<string, Quantity>;
type Kind = 'requests' | 'limits';

/** What a pod asks for: its containers together, or the largest of those that run before them, and its overhead. */
export function podAmounts({ spec }: Pod, kind: Kind): Amounts {
  const total = new Map<string, Quantity>();
  const add = (map: Readonly<Record<string, string>> | undefined): void => {
    for (const [name, text] of Object.entries(map ?? {}))
      total.set(name, (total.get(name) ?? Quantity.zero).add(quantityOf(text)));
  };
  for (const { resources } of spec.containers ?? []) add(resources?.[kind]);
  for (const { resources } of spec.initContainers ?? [])
    for (const [name, text] of Object.entries(resources?.[kind] ?? {})) {
      const before = total.get(name);
      if (!before || quantityOf(text).compare(before) > 0) total.set(name, quantityOf(text));
    }
  for (const [name, text] of Object.entries(spec.overhead ?? {}))
    if (kind === 'requests' || total.has(name))
      total.set(name, (total.get(name) ?? Quantity.zero).add(quantityOf(text)));
  return total;
}

/** `250m (12%)`: an amount, and its part of what the node has. */
function share(amount: Quantity | undefined, of: string | undefined, perMille = false): string {
  const [part, whole] = [amount ?? Quantity.zero, quantityOf(of)];
  const [a, b] = perMille ? [part.milliValue(), whole.milliValue()] : [part.value(), whole.value()];
  return `${part.toString()} (${b === 0 ? 0 : Math.trunc((a / b) * 100)}%)`;
}

function podLines(running: readonly Pod[], node: Node, now: number): readonly Line[] {
  const { capacity, allocatable = capacity } = node.status;
  const of = (name: string): string | undefined => getOwn(allocatable, name);
  const rows = running.map((pod) => {
    const [requests, limits] = [podAmounts(pod, 'requests'), podAmounts(pod, 'limits')];
    const cells = [
      ...[share(requests.get('cpu'), of('cpu'), true), share(limits.get('cpu'), of('cpu'), true)],
      ...[share(requests.get('memory'), of('memory')), share(limits.get('memory'), of('memory'))],
    ];
    return [pod.metadata.namespace, pod.metadata.name, '', ...cells, ageOf(pod.metadata.creationTimestamp, now)].join(
      '\t',
    );
  });
  const heads = [
    'Namespace\tName\t\tCPU Requests\tCPU Limits\tMemory Requests\tMemory Limits\tAGE',
    '---------\t----\t\t------------\t----------\t---------------\t-------------\t---',
  ];
  return [
    field('Non-terminated Pods', `(${running.length} in total)`),
    ...indent(1, [...heads, ...rows]),
    ...allocatedLines(running, Object.keys(allocatable ?? {}), of),
  ];
}

const STANDARD = ['cpu', 'memory', 'ephemeral-storage'];

function allocatedLines(
  running: readonly Pod[],
  known: readonly string[],
  of: (name: string) => string | undefined,
): readonly Line[] {
  const total = (kind: Kind, name: string): Quantity =>
    running.reduce((sum, pod) => sum.add(podAmounts(pod, kind).get(name) ?? Quantity.zero), Quantity.zero);
  const huge = known.filter((name) => name.startsWith('hugepages-')).sort();
  const extended = known.filter((name) => ![...STANDARD, ...huge, 'pods'].includes(name)).sort();
  const shares = [...STANDARD, ...huge].map((name) => {
    const part = (kind: Kind): string => share(total(kind, name), of(name), name === 'cpu');
    return [name, part('requests'), part('limits')].join('\t');
  });
  return section('Allocated resources', [
    '(Total limits may be over 100 percent, i.e., overcommitted.)',
    ...['Resource\tRequests\tLimits', '--------\t--------\t------'],
    ...shares,
    ...extended.map((name) => [name, total('requests', name), total('limits', name)].join('\t')),
  ]);
}
