import type { Node, Pod } from '../../src/client/index.ts';
import { namesOf } from '../../src/names/index.ts';
import { AssumedVolumes } from '../../src/scheduler/assumedVolumes.ts';
import { onNode, podInfoOf, type NodeInfo } from '../../src/scheduler/framework/nodeInfo.ts';
import { Snapshot } from '../../src/scheduler/framework/snapshot.ts';
import type { Cycle, Listers } from '../../src/scheduler/framework/plugin.ts';

interface PodOptions {
  readonly labels?: Record<string, string>;
  readonly requests?: Record<string, string>;
  readonly spec?: Partial<Pod['spec']>;
  readonly status?: Partial<Pod['status']>;
  readonly namespace?: string;
}

/** A pod with one container, as a server would answer it. */
export function pod(
  name: string,
  { labels = {}, requests = {}, spec = {}, status = {}, namespace = 'ns' }: PodOptions = {},
): Pod {
  const containers = [{ name: 'c', image: 'nginx', resources: { requests } }];
  const metadata = { name, namespace, uid: `uid-${name}`, labels, creationTimestamp: null };
  return { metadata, spec: { containers, ...spec }, status } as unknown as Pod;
}

interface NodeOptions {
  readonly labels?: Record<string, string>;
  readonly allocatable?: Record<string, string>;
  readonly spec?: Partial<Node['spec']>;
}

export function node(name: string, { labels = {}, allocatable = {}, spec = {} }: NodeOptions = {}): Node {
  const metadata = { name, labels: { 'cluster.io/hostname': name, ...labels }, creationTimestamp: null };
  const status = { allocatable: { cpu: '4', memory: '8Gi', pods: '10', ...allocatable } };
  return { metadata, spec, status } as unknown as Node;
}

export function withPods(target: Node, ...pods: Pod[]): NodeInfo {
  return onNode(target, pods);
}

const nothing: Listers = {
  names: namesOf('cluster.io'),
  claim: () => undefined,
  volume: () => undefined,
  volumesOfClass: () => [],
  assumed: new AssumedVolumes(),
  storageClass: () => undefined,
  csiNode: () => undefined,
  servicesFor: () => [],
  replicationControllersFor: () => [],
  replicaSetsFor: () => [],
  statefulSetsFor: () => [],
};

export function cycle(wanted: Pod, nodes: readonly NodeInfo[], listers: Partial<Listers> = {}): Cycle {
  return { pod: wanted, info: podInfoOf(wanted), snapshot: new Snapshot(nodes), listers: { ...nothing, ...listers } };
}
