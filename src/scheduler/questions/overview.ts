/** The usage of nodes and the queue, small enough to send on every change. */
import { controllerOf } from '../../schema/index.ts';
import type { Pod } from '../../client/index.ts';
import type { Names } from '../../names/index.ts';
import type { NodeInfo } from '../framework/nodeInfo.ts';
import { amountOf } from '../framework/resources.ts';
import type { Lane, Waiting } from '../queue.ts';
import type { SchedulerNow } from '../scheduler.ts';
import { wakingEvents } from './wakingEvents.ts';

/** The requests of one owner's pods on a node. */
export interface Share {
  /** The kind and name of the pods' controller, or of the pod without one. */
  readonly owner: string;
  readonly namespace: string;
  readonly pods: number;
  /** In the order of the node's resources. */
  readonly amounts: readonly number[];
}

export interface NodeTile {
  readonly node: string;
  readonly zone: string;
  readonly unschedulable: boolean;
  /** As `key=value:effect`. */
  readonly taints: readonly string[];
  /** CPU in millicores, memory and storage in bytes, everything else as counts. */
  readonly resources: readonly { readonly name: string; readonly allocatable: number; readonly requested: number }[];
  /** Largest first; the last one, without an owner, may combine all others. */
  readonly shares: readonly Share[];
}

/** A pod in the queue, with the events that could help it. */
export interface QueuedPod extends Waiting {
  readonly wakes?: readonly string[];
}

export interface LaneView {
  readonly count: number;
  /** The first pods. */
  readonly first: readonly QueuedPod[];
  /** The number of pods for each reason. */
  readonly reasons: readonly { readonly reason: string; readonly count: number }[];
}

/** A configured profile. */
export interface ProfileView {
  readonly name: string;
  readonly filters: readonly string[];
  readonly scores: readonly { readonly plugin: string; readonly weight: number }[];
}

export interface Overview {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly nodes: readonly NodeTile[];
  readonly lanes: Readonly<Record<Lane, LaneView>>;
  readonly profiles: readonly ProfileView[];
  /** The extenders, and whether questions call them: they are not called for the past. */
  readonly extenders: readonly string[];
  readonly asksExtenders: boolean;
}

/** The maximum number of listed pods in a queue and of owners on a node; the others are counted. */
const MOST_WAITING = 50;
const MOST_SHARES = 12;
/** Above this number of nodes their owners are omitted. */
const MOST_DETAILED = 250;

export function overviewOf(now: SchedulerNow, asksExtenders: boolean): Overview {
  const { nodes } = now.cache.snapshot();
  const lanes = now.queue.lanes();
  const view = (lane: Lane): LaneView => laneOf(lanes[lane], now);
  return {
    at: now.at,
    extenders: now.extenders.map(({ name }) => name),
    asksExtenders,
    nodes: nodes.map((node) => tileOf(node, now.listers.names, nodes.length <= MOST_DETAILED)),
    lanes: { active: view('active'), backoff: view('backoff'), unschedulable: view('unschedulable') },
    profiles: Array.from(now.profiles.values(), ({ name, plugins }) => ({
      name,
      filters: plugins.flatMap((plugin) => (plugin.filter ? [plugin.name] : [])),
      scores: plugins.flatMap(({ name: plugin, score, weight = 1 }) => (score ? [{ plugin, weight }] : [])),
    })),
  };
}

function laneOf(waiting: readonly Waiting[], now: SchedulerNow): LaneView {
  const reasons = new Map<string, number>();
  for (const { reason = '' } of waiting) if (reason !== '') reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  const sorted = [...reasons].sort(([, a], [, b]) => b - a).slice(0, MOST_WAITING);
  return {
    count: waiting.length,
    first: waiting.slice(0, MOST_WAITING).map((each) => ({ ...each, ...wakesOf(each, now) })),
    reasons: sorted.map(([reason, count]) => ({ reason, count })),
  };
}

function wakesOf({ pod: key }: Waiting, now: SchedulerNow): Pick<QueuedPod, 'wakes'> {
  const pod = now.pod(key);
  const refusedBy = pod && now.decisionAbout(pod)?.refusedBy;
  return refusedBy ? { wakes: wakingEvents(refusedBy) } : {};
}

export const zoneNameOf = (labels: Readonly<Record<string, string>>, names: Names): string =>
  labels[names.fill('topology.{label}/zone')] ?? labels[names.fill('failure-domain.beta.{label}/zone')] ?? '';

const knownTiles = new WeakMap<NodeInfo, NodeTile>();

/** Computed once for each state of a node, so that a changed node leaves the others' results valid. */
function tileOf(info: NodeInfo, names: Names, detailed: boolean): NodeTile {
  if (!detailed) return makeTile(info, names, detailed);
  let tile = knownTiles.get(info);
  if (!tile) knownTiles.set(info, (tile = makeTile(info, names, detailed)));
  return tile;
}

function makeTile(info: NodeInfo, names: Names, detailed: boolean): NodeTile {
  const { name, node, labels, allocatable, requested, pods } = info;
  const { ephemeralStorage } = requested;
  const shown = ['cpu', 'memory', 'pods', ...(ephemeralStorage > 0 ? ['ephemeral-storage'] : [])];
  const extended = [...allocatable.scalars].flatMap(([resource, amount]) => (amount > 0 ? [resource] : []));
  const resources = [...shown, ...extended];
  return {
    node: name,
    zone: zoneNameOf(labels, names),
    unschedulable: node.spec.unschedulable === true,
    taints: (node.spec.taints ?? []).map(({ key, value, effect }) => `${key}${value ? `=${value}` : ''}:${effect}`),
    resources: resources.map((resource) => ({
      name: resource,
      allocatable: amountOf(allocatable, resource),
      requested: resource === 'pods' ? pods.length : amountOf(requested, resource),
    })),
    shares: detailed ? sharesOf(info, resources) : [],
  };
}

function sharesOf({ pods }: NodeInfo, resources: readonly string[]): readonly Share[] {
  const shares = new Map<string, { owner: string; namespace: string; pods: number; amounts: number[] }>();
  for (const { pod, namespace, request } of pods) {
    const owner = ownerOf(pod);
    const key = `${namespace}/${owner}`;
    const amounts = resources.map((resource) => (resource === 'pods' ? 1 : amountOf(request, resource)));
    const known = shares.get(key);
    if (!known) shares.set(key, { owner, namespace, pods: 1, amounts });
    else {
      known.pods += 1;
      for (const [i, amount] of amounts.entries()) known.amounts[i] = (known.amounts[i] ?? 0) + amount;
    }
  }
  const sorted = [...shares.values()].sort((a, b) => (b.amounts[0] ?? 0) - (a.amounts[0] ?? 0) || b.pods - a.pods);
  return sorted.length <= MOST_SHARES
    ? sorted
    : [...sorted.slice(0, MOST_SHARES - 1), othersOf(sorted.slice(MOST_SHARES - 1))];
}

const othersOf = (shares: readonly Share[]): Share => ({
  ...{ owner: '', namespace: '' },
  pods: shares.reduce((sum, { pods }) => sum + pods, 0),
  amounts: (shares[0]?.amounts ?? []).map((_, i) => shares.reduce((sum, { amounts }) => sum + (amounts[i] ?? 0), 0)),
});

function ownerOf(pod: Pod): string {
  const owner = controllerOf(pod);
  return owner ? `${owner.kind}/${owner.name}` : `Pod/${pod.metadata.name ?? ''}`;
}
