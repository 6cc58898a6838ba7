import type { Node, Pod } from '../../client/index.ts';
import type { Names } from '../../names/index.ts';
import { matchesNodeSelector, qosClassOf, tolerates } from '../../schema/index.ts';
import { getOwn } from '../../std/index.ts';
import { requestsOf, wholeAmount } from './requests.ts';
import { sysctlProblem } from './sysctls.ts';

/** Why a node doesn't run a pod that is bound to it: the reason of its status, and the event's message. */
export interface Rejection {
  readonly reason: string;
  readonly message: string;
}

/** What a pod takes of a node. */
export interface Demand {
  readonly requests: ReadonlyMap<string, number>;
  readonly ports: readonly HostPort[];
}

export interface Admission {
  readonly node: Node;
  /** What the pods take that the node runs already. */
  readonly others: readonly Demand[];
  readonly names: Names;
}

/** The priority from which a pod is needed to keep the cluster going. */
export const CRITICAL = 2_000_000_000;

/** Whether the node's agent runs a pod, in the order in which it asks: pressure, kernel parameters, resources, affinity, ports. */
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

/** Whether the cluster doesn't run without the pod. */
export const isCritical = ({ spec }: Pod): boolean => (spec.priority ?? 0) >= CRITICAL;

/** A node that is short of something takes no more pods; short of memory it still takes those that ask for some. */
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

/** What the node has too little of to run a pod beside the others. */
function* lacks(pod: Pod, { node, others }: Admission): Generator<Lack, void> {
  const allocatable = node.status.allocatable ?? {};
  const most = wholeAmount('pods', getOwn(allocatable, 'pods') ?? '0');
  if (others.length + 1 > most) yield { name: 'pods', requested: 1, used: others.length, capacity: most };
  for (const [name, requested] of requestsOf(pod)) {
    const available = getOwn(allocatable, name);
    // What the node doesn't know is none of its business: resources of the whole cluster.
    if (requested === 0 || (available === undefined && name.includes('/'))) continue;
    const used = others.reduce((sum, { requests }) => sum + (requests.get(name) ?? 0), 0);
    const capacity = wholeAmount(name, available ?? '0');
    if (requested + used > capacity) yield { name, requested, used, capacity };
  }
}

/** How much the node has too little of, by resource. */
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
    (!required || matchesNodeSelector(required, { name: metadata.name ?? '', labels }))
  );
}

interface HostPort {
  readonly ip: string;
  readonly protocol: string;
  readonly port: number;
}

const EVERYWHERE = '0.0.0.0';

export const demandOf = (pod: Pod): Demand => ({ requests: requestsOf(pod), ports: hostPortsOf(pod) });

/** Ports of the node that containers take; those of init containers don't count. */
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
