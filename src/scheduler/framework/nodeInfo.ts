import { keyOf, type Node, type Pod } from '../../client/index.ts';
import { selectorOfObject, type objects, type Selector } from '../../schema/index.ts';
import { add, allocatableOf, assumedRequestOf, requestOf, type Resources } from './resources.ts';

/** A term of pod affinity, ready to be asked. */
export interface AffinityTerm {
  readonly namespaces: readonly string[];
  readonly selector: Selector;
  readonly topologyKey: string;
  /** 1 for required terms, and what the term says for preferred ones. */
  readonly weight: number;
}

export interface PodInfo {
  readonly pod: Pod;
  readonly request: Resources;
  readonly assumed: Resources;
  readonly requiredAffinity: readonly AffinityTerm[];
  readonly requiredAntiAffinity: readonly AffinityTerm[];
  readonly preferredAffinity: readonly AffinityTerm[];
  readonly preferredAntiAffinity: readonly AffinityTerm[];
  readonly ports: readonly HostPort[];
}

export interface HostPort {
  readonly ip: string;
  readonly protocol: string;
  readonly port: number;
}

/** A node with what stands on it; immutable. */
export interface NodeInfo {
  readonly name: string;
  readonly node: Node;
  readonly labels: Readonly<Record<string, string>>;
  readonly pods: readonly PodInfo[];
  readonly allocatable: Resources;
  readonly requested: Resources;
  readonly assumed: Resources;
  readonly ports: readonly HostPort[];
}

const known = new WeakMap<Pod, PodInfo>();

/** Everything that plugins ask of a pod, worked out once for each object. */
export function podInfoOf(pod: Pod): PodInfo {
  const found = known.get(pod) ?? makePodInfo(pod);
  known.set(pod, found);
  return found;
}

function makePodInfo(pod: Pod): PodInfo {
  const { podAffinity, podAntiAffinity } = pod.spec.affinity ?? {};
  const required = (terms: readonly objects.PodAffinityTerm[] = []): AffinityTerm[] =>
    terms.map((term) => termOf(pod, term, 1));
  const preferred = (terms: readonly objects.WeightedPodAffinityTerm[] = []): AffinityTerm[] =>
    terms.map(({ weight, podAffinityTerm }) => termOf(pod, podAffinityTerm, weight));
  return {
    pod,
    request: requestOf(pod),
    assumed: assumedRequestOf(pod),
    requiredAffinity: required(podAffinity?.requiredDuringSchedulingIgnoredDuringExecution),
    requiredAntiAffinity: required(podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution),
    preferredAffinity: preferred(podAffinity?.preferredDuringSchedulingIgnoredDuringExecution),
    preferredAntiAffinity: preferred(podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution),
    ports: hostPortsOf(pod),
  };
}

function termOf(pod: Pod, term: objects.PodAffinityTerm, weight: number): AffinityTerm {
  const named = term.namespaces ?? [];
  const namespaces = named.length > 0 ? named : [pod.metadata.namespace ?? ''];
  return { namespaces, selector: selectorOfObject(term.labelSelector), topologyKey: term.topologyKey, weight };
}

/** Whether a term speaks of this pod. */
export function selects(term: AffinityTerm, pod: Pod): boolean {
  return term.namespaces.includes(pod.metadata.namespace ?? '') && term.selector.matches(pod.metadata.labels ?? {});
}

function hostPortsOf(pod: Pod): HostPort[] {
  return (pod.spec.containers ?? []).flatMap((container) =>
    (container.ports ?? []).flatMap(({ hostPort, hostIP, protocol }) =>
      hostPort ? [{ ip: hostIP || '0.0.0.0', protocol: protocol ?? 'TCP', port: hostPort }] : [],
    ),
  );
}

export function makeNodeInfo(node: Node, pods: readonly PodInfo[]): NodeInfo {
  return {
    name: node.metadata.name ?? '',
    node,
    labels: node.metadata.labels ?? {},
    pods,
    allocatable: allocatableOf(node),
    requested: pods.reduce((sum, pod) => add(sum, pod.request), {} as Resources),
    assumed: pods.reduce((sum, pod) => add(sum, pod.assumed), {} as Resources),
    ports: pods.flatMap((pod) => pod.ports),
  };
}

/** The node as it would be without some of its pods. */
export function without(info: NodeInfo, gone: readonly PodInfo[]): NodeInfo {
  return makeNodeInfo(
    info.node,
    info.pods.filter((pod) => !gone.includes(pod)),
  );
}

/** The node as it would be with more pods. */
export function withPods(info: NodeInfo, more: readonly PodInfo[]): NodeInfo {
  return more.length === 0 ? info : makeNodeInfo(info.node, [...info.pods, ...more]);
}

/** All nodes at one moment. */
export class Snapshot {
  readonly nodes: readonly NodeInfo[];
  readonly #byName: ReadonlyMap<string, NodeInfo>;

  constructor(nodes: readonly NodeInfo[]) {
    this.nodes = nodes;
    this.#byName = new Map(nodes.map((node) => [node.name, node]));
  }

  get(name: string): NodeInfo | undefined {
    return this.#byName.get(name);
  }

  /** The same moment, but for one node. */
  with(changed: NodeInfo): Snapshot {
    return new Snapshot(this.nodes.map((node) => (node.name === changed.name ? changed : node)));
  }
}

export const podKey = (info: PodInfo): string => keyOf(info.pod);
