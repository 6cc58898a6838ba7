import type { Pod } from '../../client/index.ts';
import { selectorOfObject, type objects, type Selector } from '../../schema/index.ts';
import { getOwn, deepEqual } from '../../std/index.ts';
import { hostPortsOf, type HostPort } from './hostPorts.ts';
import {
  nonZeroRequestOf,
  nonZeroUseOf,
  requestOf,
  scoredRequestOf,
  type CpuAndMemory,
  type Resources,
} from './resources.ts';

/** A parsed term of pod affinity. */
export interface AffinityTerm {
  readonly namespaces: readonly string[];
  readonly selector: Selector;
  readonly topologyKey: string;
  /** 1 for required terms, the declared weight for preferred ones. */
  readonly weight: number;
  /** Equal for equivalent terms. */
  readonly key: string;
}

/** The precomputed data of a pod. */
export interface PodInfo {
  readonly pod: Pod;
  readonly uid: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly priority: number;
  readonly isTerminating: boolean;
  /** Equal for pods of one namespace with the same labels and the same deletion state. */
  readonly group: string;
  readonly request: Resources;
  /** Its part of `nonZeroRequested` of its node. */
  readonly nonZero: CpuAndMemory;
  /** CPU and memory for scoring. */
  readonly scored: CpuAndMemory;
  readonly requiredAffinity: readonly AffinityTerm[];
  readonly requiredAntiAffinity: readonly AffinityTerm[];
  readonly preferredAffinity: readonly AffinityTerm[];
  readonly preferredAntiAffinity: readonly AffinityTerm[];
  readonly ports: readonly HostPort[];
  /** The number of its claims and disks, which may conflict with other pods. */
  readonly disks: number;
}

const known = new WeakMap<Pod, PodInfo>();

/** Computed once for each object. */
export function podInfoOf(pod: Pod): PodInfo {
  let info = known.get(pod);
  if (!info) known.set(pod, (info = makePodInfo(pod)));
  return info;
}

function makePodInfo(pod: Pod): PodInfo {
  const { uid = '', namespace = '', labels = {}, deletionTimestamp } = pod.metadata;
  const isTerminating = deletionTimestamp !== undefined;
  const nonZero = nonZeroRequestOf(pod);
  return {
    ...{ pod, uid, namespace, labels, isTerminating },
    priority: pod.spec.priority ?? 0,
    group: groupOf(namespace, labels, isTerminating),
    request: requestOf(pod),
    nonZero: nonZeroUseOf(pod, nonZero),
    scored: scoredRequestOf(pod, nonZero),
    ...affinityTermsOf(pod),
    ports: hostPortsOf(pod),
    disks: disksOf(pod),
  };
}

/** Volumes that a node can have only in a limited number, or only once. */
const DISKS = [
  'persistentVolumeClaim',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'azureDisk',
  'cinder',
  'iscsi',
  'rbd',
] as const satisfies readonly (keyof objects.Volume)[];

const disksOf = ({ spec }: Pod): number =>
  (spec.volumes ?? []).filter((volume) => DISKS.some((kind) => volume[kind] !== undefined)).length;

/** The same pod after a change. Its requests can't change, so they are not recomputed unless its labels changed. */
export function changedInfo(before: PodInfo, pod: Pod): PodInfo {
  const { labels = {}, deletionTimestamp } = pod.metadata;
  if (before.isTerminating !== (deletionTimestamp !== undefined) || !deepEqual(before.labels, labels))
    return podInfoOf(pod);
  const info = { ...before, pod };
  known.set(pod, info);
  return info;
}

function groupOf(namespace: string, labels: Readonly<Record<string, string>>, isTerminating: boolean): string {
  const sorted = Object.keys(labels)
    .sort()
    .map((key) => `${key}=${getOwn(labels, key)}`);
  return `${namespace}/${isTerminating ? '-' : ''}${sorted.join(',')}`;
}

type Terms = Pick<PodInfo, 'requiredAffinity' | 'requiredAntiAffinity' | 'preferredAffinity' | 'preferredAntiAffinity'>;

const NO_TERMS: Terms = {
  requiredAffinity: [],
  requiredAntiAffinity: [],
  preferredAffinity: [],
  preferredAntiAffinity: [],
};

function affinityTermsOf(pod: Pod): Terms {
  const { podAffinity, podAntiAffinity } = pod.spec.affinity ?? {};
  if (!podAffinity && !podAntiAffinity) return NO_TERMS;
  const required = (terms: readonly objects.PodAffinityTerm[] = []): AffinityTerm[] =>
    terms.map((term) => termOf(pod, term, 1));
  const preferred = (terms: readonly objects.WeightedPodAffinityTerm[] = []): AffinityTerm[] =>
    terms.map(({ weight, podAffinityTerm }) => termOf(pod, podAffinityTerm, weight));
  return {
    requiredAffinity: required(podAffinity?.requiredDuringSchedulingIgnoredDuringExecution),
    requiredAntiAffinity: required(podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution),
    preferredAffinity: preferred(podAffinity?.preferredDuringSchedulingIgnoredDuringExecution),
    preferredAntiAffinity: preferred(podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution),
  };
}

function termOf(pod: Pod, term: objects.PodAffinityTerm, weight: number): AffinityTerm {
  const { topologyKey, labelSelector } = term;
  const named = term.namespaces ?? [];
  const namespaces = named.length > 0 ? named : [pod.metadata.namespace ?? ''];
  const selector = selectorOfObject(labelSelector);
  const key = JSON.stringify([namespaces, selector.matchesNothing, selector.toString(), topologyKey, weight]);
  return { namespaces, selector, topologyKey, weight, key };
}

/** Whether a term matches pods of a namespace with these labels. */
export function selects(term: AffinityTerm, { namespace, labels }: Pick<PodInfo, 'namespace' | 'labels'>): boolean {
  return term.namespaces.includes(namespace) && term.selector.matches(labels);
}
