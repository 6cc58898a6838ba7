import type { Node, Pod } from '../../client/index.ts';
import { deepEqual } from '../../std/index.ts';
import { hostPortsOf, type HostPort } from './hostPorts.ts';
import { imagesBeside, type KnownImages } from './imageIndex.ts';
import { podInfoOf, type PodInfo } from './podInfo.ts';
import { add, allocatableOf, NO_RESOURCES, subtract, type CpuAndMemory, type Resources } from './resources.ts';

export { hostPortsOf, podInfoOf, type HostPort, type PodInfo };

/** A node with the pods on it; immutable. */
export interface NodeInfo {
  readonly name: string;
  readonly node: Node;
  readonly labels: Readonly<Record<string, string>>;
  readonly pods: readonly PodInfo[];
  readonly allocatable: Resources;
  readonly requested: Resources;
  /** The usage for scoring: containers without requests count with a default. */
  readonly nonZeroRequested: CpuAndMemory;
  readonly ports: readonly HostPort[];
  /** Its pods with claims or disks. */
  readonly podsWithDisks: readonly PodInfo[];
  /** The images on the node by each of their names. */
  readonly images: KnownImages;
}

type OfNode = Pick<NodeInfo, 'name' | 'node' | 'labels' | 'allocatable' | 'images'>;
type OfPods = Omit<NodeInfo, keyof OfNode>;

const NO_PODS: OfPods = {
  pods: [],
  requested: NO_RESOURCES,
  nonZeroRequested: { cpu: 0, memory: 0 },
  ports: [],
  podsWithDisks: [],
};

/** A node with pods. The caller provides the image counts. */
export function makeNodeInfo(node: Node, images: KnownImages, pods: readonly PodInfo[] = []): NodeInfo {
  const { name = '', labels = {} } = node.metadata;
  return { name, node, labels, allocatable: allocatableOf(node), images, ...pods.reduce(plus, NO_PODS) };
}

/** The same pods on a changed node. Most reports of a node do not change its resources. */
export function withNode(info: NodeInfo, node: Node, images: KnownImages): NodeInfo {
  const { labels = {} } = node.metadata;
  const isSame = deepEqual(info.node.status.allocatable, node.status.allocatable);
  return { ...info, node, labels, images, allocatable: isSame ? info.allocatable : allocatableOf(node) };
}

/** The node with one more pod. */
export const withPod = (info: NodeInfo, pod: PodInfo): NodeInfo => ({ ...info, ...plus(info, pod) });

/** The node with hypothetically added pods. */
export const withPods = (info: NodeInfo, pods: readonly PodInfo[]): NodeInfo => pods.reduce(withPod, info);

function plus(info: OfPods, pod: PodInfo): OfPods {
  const { cpu, memory } = info.nonZeroRequested;
  return {
    pods: [...info.pods, pod],
    requested: add(info.requested, pod.request),
    nonZeroRequested: { cpu: cpu + pod.nonZero.cpu, memory: memory + pod.nonZero.memory },
    ports: pod.ports.length === 0 ? info.ports : [...info.ports, ...pod.ports],
    podsWithDisks: pod.disks > 0 ? [...info.podsWithDisks, pod] : info.podsWithDisks,
  };
}

/** The node without one of its pods. */
export function withoutPod(info: NodeInfo, gone: PodInfo): NodeInfo {
  const pods = info.pods.filter((pod) => pod !== gone);
  const { cpu, memory } = info.nonZeroRequested;
  return {
    ...info,
    pods,
    requested: subtract(info.requested, gone.request),
    nonZeroRequested: { cpu: cpu - gone.nonZero.cpu, memory: memory - gone.nonZero.memory },
    ports: gone.ports.length === 0 ? info.ports : pods.flatMap((pod) => pod.ports),
    podsWithDisks: gone.disks > 0 ? pods.filter((pod) => pod.disks > 0) : info.podsWithDisks,
  };
}

/** The node with a changed version of one of its pods; its requests are unchanged. */
export function withChangedPod(info: NodeInfo, before: PodInfo, after: PodInfo): NodeInfo {
  const pods = info.pods.map((pod) => (pod === before ? after : pod));
  return { ...info, pods, podsWithDisks: after.disks > 0 ? pods.filter((pod) => pod.disks > 0) : info.podsWithDisks };
}

/** A node with pods, for tests and questions. */
export const onNode = (node: Node, pods: readonly Pod[]): NodeInfo =>
  makeNodeInfo(node, imagesBeside(node, []), pods.map(podInfoOf));
