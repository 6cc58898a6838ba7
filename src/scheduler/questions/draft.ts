/** A hypothetical change and its effects. */
import { keyOf, type Node, type Pod } from '../../client/index.ts';
import { getOwn } from '../../std/index.ts';
import { imagesBeside, type KnownImages } from '../framework/imageIndex.ts';
import { makeNodeInfo, podInfoOf, withNode, withoutPod, type NodeInfo } from '../framework/nodeInfo.ts';
import type { Plugin } from '../framework/plugin.ts';
import { Snapshot } from '../framework/snapshot.ts';
import type { Situation } from './situation.ts';

/** Unspecified parts stay as they are. */
export interface Draft {
  /** The changed pod. */
  readonly pod?: Pod;
  /** Changed nodes; those with new names are added. */
  readonly nodes?: readonly Node[];
  /** Names of removed nodes. */
  readonly withoutNodes?: readonly string[];
  /** Removed pods, as `namespace/name`. */
  readonly withoutPods?: readonly string[];
  /** The profile that schedules the pod. */
  readonly profile?: string;
  /** Weights of score plugins, by name. */
  readonly weights?: Readonly<Record<string, number>>;
}

/** The changed situation; the caller handles the pod and the profile. */
export function situationWith(situation: Situation, draft: Draft): Situation {
  const nodes = nodesWith(situation.snapshot.nodes, draft);
  return {
    ...situation,
    plugins: situation.plugins.map((plugin) => weighted(plugin, draft.weights)),
    snapshot: nodes === situation.snapshot.nodes ? situation.snapshot : new Snapshot(nodes),
  };
}

function weighted(plugin: Plugin, weights: Draft['weights']): Plugin {
  const weight = plugin.score && getOwn(weights, plugin.name);
  return weight === undefined ? plugin : { ...plugin, weight };
}

function nodesWith(all: readonly NodeInfo[], draft: Draft): readonly NodeInfo[] {
  const { nodes = [], withoutNodes = [], withoutPods = [] } = draft;
  if (nodes.length + withoutNodes.length + withoutPods.length === 0) return all;
  const drafted = new Map(nodes.map((node) => [node.metadata.name ?? '', node]));
  const gone = new Set(withoutPods);
  const stay = all.filter(({ name }) => !withoutNodes.includes(name));
  const imagesAmong = (node: Node): KnownImages =>
    imagesBeside(
      node,
      stay.filter(({ name }) => name !== node.metadata.name),
    );
  const changed = stay.map((info) => {
    const node = drafted.get(info.name);
    drafted.delete(info.name);
    return without(node ? withNode(info, node, imagesAmong(node)) : info, gone);
  });
  return [...changed, ...Array.from(drafted.values(), (node) => makeNodeInfo(node, imagesAmong(node)))];
}

const without = (node: NodeInfo, gone: ReadonlySet<string>): NodeInfo =>
  node.pods.filter(({ pod }) => gone.has(keyOf(pod))).reduce(withoutPod, node);

/** The situation as if a pod were unscheduled, and the pod in it. */
export function asIfWaiting(situation: Situation, pod: Pod): { readonly situation: Situation; readonly pod: Pod } {
  const there = situation.snapshot.get(pod.spec.nodeName ?? '');
  const { nodeName: _, ...spec } = pod.spec;
  const waiting = pod.spec.nodeName ? { ...pod, spec } : pod;
  const info = there?.pods.find(({ uid }) => uid === podInfoOf(pod).uid);
  if (!there || !info) return { situation, pod: waiting };
  return { situation: { ...situation, snapshot: situation.snapshot.with(withoutPod(there, info)) }, pod: waiting };
}
