import type { Draft, Node } from '../client/index.ts';
import type { Names } from '../names/index.ts';
import { getOwn, rfc3339, type Random } from '../std/index.ts';

/** Annotations on nodes and pods that change their behaviour. */
export const AGENT = 'simulation.vitrine.dev/agent';
/** Static pod manifests of a node, as YAML; they become a file of the node. */
const STATIC_PODS = 'simulation.vitrine.dev/static-pods';

/** The static pods of a node's annotation. */
export const manifestsIn = ({ metadata }: Node): string | undefined => getOwn(metadata.annotations, STATIC_PODS);

const VERSION = 'v1.20.2';
const CAPACITY = {
  cpu: '4',
  memory: '8145856Ki',
  pods: '110',
  'ephemeral-storage': '101430960Ki',
  'hugepages-1Gi': '0',
  'hugepages-2Mi': '0',
};
const ALLOCATABLE = { ...CAPACITY, memory: '8043456Ki', 'ephemeral-storage': '93478772582' };
const ZONES = ['a', 'b', 'c'];

type NodeStatus = Node['status'];
type NodeCondition = NonNullable<NodeStatus['conditions']>[number];

/** A node of the simulation, numbered from 1, as its agent registers it. Addresses are assigned later. */
export function machine(index: number, names: Names): Draft<Node> {
  const name = `node-${index}`;
  const zone = ZONES[(index - 1) % ZONES.length] ?? 'a';
  return {
    metadata: {
      name,
      labels: {
        ...platformLabels(name, names),
        [names.fill('topology.{label}/region')]: 'local',
        [names.fill('topology.{label}/zone')]: `local-${zone}`,
      },
      annotations: { [AGENT]: 'true', [names.fill('volumes.{label}/controller-managed-attach-detach')]: 'true' },
    },
  };
}

function platformLabels(name: string, names: Names): Record<string, string> {
  const platform = { arch: 'amd64', os: 'linux' };
  const labels: Record<string, string> = { [names.fill('{label}/hostname')]: name };
  for (const [key, value] of Object.entries(platform)) {
    labels[names.fill(`{label}/${key}`)] = value;
    labels[names.fill(`beta.{label}/${key}`)] = value;
  }
  return labels;
}

export interface MachineState {
  readonly names: Names;
  readonly now: number;
  /** The node's address, if it has not reported one. */
  readonly address: string;
  readonly random: Random;
  /** The bad conditions: `MemoryPressure`, `DiskPressure`, `PIDPressure`, `Ready`. */
  readonly troubles: ReadonlySet<string>;
  readonly images: NonNullable<Node['status']['images']>;
}

/** The status that a node's agent reports: capacity, conditions, addresses, node info. Unchanged parts are kept. */
export function statusOf(node: Node, state: MachineState): NodeStatus {
  const before = node.status;
  return {
    ...before,
    capacity: before.capacity ?? CAPACITY,
    allocatable: allocatableOf(before),
    conditions: conditionsOf(before, state),
    addresses: before.addresses ?? [
      { type: 'InternalIP', address: state.address },
      { type: 'Hostname', address: node.metadata.name },
    ],
    nodeInfo: before.nodeInfo?.machineID ? before.nodeInfo : systemInfo(state),
    ...(state.images.length > 0 ? { images: state.images.map((image) => ({ ...image })) } : {}),
  } as NodeStatus;
}

/**
 * The allocatable resources of pods. Extended resources that somebody added to the capacity are allocatable; removed
 * ones no longer are.
 */
export function allocatableOf({
  capacity = CAPACITY,
  allocatable,
}: NodeStatus): NonNullable<NodeStatus['allocatable']> {
  const own = allocatable ?? (capacity === CAPACITY ? ALLOCATABLE : capacity);
  const isExtended = (name: string): boolean => name.includes('/');
  const kept = Object.entries(own).filter(([name]) => !isExtended(name));
  return Object.fromEntries([...kept, ...Object.entries(capacity).filter(([name]) => isExtended(name))]);
}

interface Wellness {
  readonly type: string;
  readonly well: readonly [status: string, reason: string, message: string];
  readonly ill: readonly [status: string, reason: string, message: string];
}

/** All nodes share its texts. */
let known: { readonly agent: string; readonly wellness: readonly Wellness[] } | undefined;

function wellnessOf(agent: string): readonly Wellness[] {
  if (known?.agent !== agent) known = { agent, wellness: wellness(agent) };
  return known.wellness;
}

function wellness(agent: string): readonly Wellness[] {
  return [
    pressure(
      'MemoryPressure',
      `${agent} has sufficient memory available`,
      'HasSufficientMemory',
      'HasInsufficientMemory',
      agent,
    ),
    pressure('DiskPressure', `${agent} has no disk pressure`, 'HasNoDiskPressure', 'HasDiskPressure', agent),
    pressure('PIDPressure', `${agent} has sufficient PID available`, 'HasSufficientPID', 'HasInsufficientPID', agent),
    {
      type: 'Ready',
      well: ['True', `${capital(agent)}Ready`, `${agent} is posting ready status`],
      ill: ['False', `${capital(agent)}NotReady`, 'container runtime is down'],
    },
  ];
}

function pressure(type: string, message: string, fine: string, bad: string, agent: string): Wellness {
  return {
    type,
    well: ['False', `${capital(agent)}${fine}`, message],
    ill: ['True', `${capital(agent)}${bad}`, `${agent} is short of resources`],
  };
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

function conditionsOf(before: NodeStatus, { names, now, troubles }: MachineState): NodeCondition[] {
  const others = (before.conditions ?? []).filter(
    (c) => !['MemoryPressure', 'DiskPressure', 'PIDPressure', 'Ready'].includes(c.type),
  );
  const own = wellnessOf(names.agent).map(({ type, well, ill }) => {
    const [status, reason, message] = troubles.has(type) ? ill : well;
    const known = before.conditions?.find((condition) => condition.type === type);
    const lastTransitionTime = known?.status === status ? (known.lastTransitionTime ?? rfc3339(now)) : rfc3339(now);
    return { type, status, lastHeartbeatTime: rfc3339(now), lastTransitionTime, reason, message };
  });
  return [...others, ...own];
}

function systemInfo({ names, random }: MachineState): Record<string, string> {
  return {
    machineID: random.uuid().replaceAll('-', ''),
    systemUUID: random.uuid(),
    bootID: random.uuid(),
    kernelVersion: '5.4.0-simulated',
    osImage: 'Vitrine (simulated)',
    containerRuntimeVersion: 'simulation://1.0.0',
    [names.fill('{agent}Version')]: VERSION,
    [names.fill('{prefix}ProxyVersion')]: VERSION,
    operatingSystem: 'linux',
    architecture: 'amd64',
  };
}
