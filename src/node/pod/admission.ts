import type { Node, Pod } from '../../client/index.ts';
import type { Names } from '../../names/index.ts';
import { matchesNodeSelector, qosClassOf, tolerates } from '../../schema/index.ts';
import { getOwn } from '../../std/index.ts';
import { requestsOf, wholeAmount } from './requests.ts';
import { sharing } from './sharing.ts';
import { sysctlProblem } from './sysctls.ts';

/** Why a node rejects a pod bound to it: the reason in its status, and the event's message. */
export interface Rejection {
  readonly reason: string;
  readonly message: string;
}

/** What a pod requires of a node. */
export interface Demand {
  readonly requests: ReadonlyMap<string, number>;
  readonly ports: readonly HostPort[];
}

export interface Admission {
  readonly node: Node;
  /** The requirements of the pods that already run on the node. */
  readonly others: readonly Demand[];
  readonly names: Names;
}

/** The lowest priority of critical pods. */
export const CRITICAL = 2_000_000_000;

/**
 * Whether the node's agent admits a pod. Checks in this order: pressure, kernel parameters, resources, affinity, ports.
 */
export function rejectionOf(pod: Pod, admission: Admission): Rejection | undefined {
  return (
    underPressure(pod, admission) ??
    sysctlProblem(pod) ??
    lacksResource(pod, admission) ??
    (isSelected(pod, admission.node) ? undefined : predicate('NodeAffinity')) ??
    (hasFreePorts(pod, admission.others) ? undefined : predicate('NodePorts'))
  );
}

const predicate = (name: string): Rejection => ({ reason: name, message: `Predicate ${name} failed` });

/** Whether the pod is critical for the cluster. */
export const isCritical = ({ spec }: Pod): boolean => (spec.priority ?? 0) >= CRITICAL;

/** A node under pressure admits no more pods; under memory pressure it still admits pods with memory requests. */
function underPressure(pod: Pod, { node, names }: Admission): Rejection | undefined {
  const conditions = (node.status.conditions ?? [])
    .filter(({ type, status }) => type.endsWith('Pressure') && status === 'True')
    .map(({ type }) => type);
  if (conditions.length === 0 || isCritical(pod)) return undefined;
  if (conditions.length === 1 && conditions[0] === 'MemoryPressure') {
    if (qosClassOf(pod.spec) !== 'BestEffort') return undefined;
    const taint = { key: names.fill('node.{label}/memory-pressure'), effect: 'NoSchedule' };
    if (pod.spec.tolerations?.some((toleration) => tolerates(toleration, taint))) return undefined;
  }
  return { reason: 'Evicted', message: `The node had condition: [${conditions.join(' ')}]. ` };
}

interface Lack {
  readonly name: string;
  readonly requested: number;
  readonly used: number;
  readonly capacity: number;
}

/** The insufficient resources of the node for a pod beside the others. */
function* lacks(pod: Pod, { node, others }: Admission): Generator<Lack, void> {
  const allocatable = node.status.allocatable ?? {};
  const most = wholeAmount('pods', getOwn(allocatable, 'pods') ?? '0');
  if (others.length + 1 > most) yield { name: 'pods', requested: 1, used: others.length, capacity: most };
  for (const [name, requested] of requestsOf(pod)) {
    const available = getOwn(allocatable, name);
    // Unknown extended resources are cluster-level and ignored.
    if (requested === 0 || (available === undefined && name.includes('/'))) continue;
    const used = others.reduce((sum, { requests }) => sum + (requests.get(name) ?? 0), 0);
    const capacity = wholeAmount(name, available ?? '0');
    if (requested + used > capacity) yield { name, requested, used, capacity };
  }
}

/** The shortage of each resource. */
export const shortfallOf = (pod: Pod, admission: Admission): ReadonlyMap<string, number> =>
  new Map([...lacks(pod, admission)].map(({ name, requested, used, capacity }) => [name, requested + used - capacity]));

function lacksResource(pod: Pod, admission: Admission): Rejection | undefined {
  const [first] = lacks(pod, admission);
  return first && shortOf(first);
}

const shortOf = ({ name, requested, used, capacity }: Lack): Rejection => ({
  reason: `OutOf${name}`,
  message: `Node didn't have enough resource: ${name}, requested: ${requested}, used: ${used}, capacity: ${capacity}`,
});

function isSelected({ spec }: Pod, { metadata }: Node): boolean {
  const labels = metadata.labels ?? {};
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return (
    Object.entries(spec.nodeSelector ?? {}).every(([key, value]) => getOwn(labels, key) === value) &&
    (!required || matchesNodeSelector(required, { name: metadata.name, labels }))
  );
}

interface HostPort {
  readonly ip: string;
  readonly protocol: string;
  readonly port: number;
}

const EVERYWHERE = '0.0.0.0';

const shared = sharing<Demand>(({ requests, ports }) => JSON.stringify([[...requests], ports]));

export const demandOf = (pod: Pod): Demand => shared({ requests: requestsOf(pod), ports: hostPortsOf(pod) });

/** Host ports of containers, without init containers. */
function hostPortsOf({ spec }: Pod): HostPort[] {
  return (spec.containers ?? []).flatMap(({ ports = [] }) =>
    ports.flatMap(({ hostPort, hostIP, protocol }) =>
      hostPort ? [{ ip: hostIP || EVERYWHERE, protocol: protocol ?? 'TCP', port: hostPort }] : [],
    ),
  );
}

function hasFreePorts(pod: Pod, others: readonly Demand[]): boolean {
  return !hostPortsOf(pod).some((a) => others.some(({ ports }) => ports.some((b) => collide(a, b))));
}

const collide = (a: HostPort, b: HostPort): boolean =>
  a.port === b.port && a.protocol === b.protocol && (a.ip === b.ip || a.ip === EVERYWHERE || b.ip === EVERYWHERE);
