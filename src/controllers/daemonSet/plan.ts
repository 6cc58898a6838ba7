import { nameOf } from '../../client/index.ts';
import type { DaemonSet, Node, Pod } from '../../client/index.ts';
import type { Names } from '../../names/index.ts';
import { scaledValue } from '../../schema/index.ts';
import { availableIn, isReady } from '../runtime/index.ts';
import { fits, isCurrent, nodeOf } from './placement.ts';

export type DaemonSetStatus = DaemonSet['status'];

export interface View {
  readonly set: DaemonSet;
  readonly nodes: readonly Node[];
  readonly pods: readonly Pod[];
  /** The hash of the newest revision. */
  readonly hash: string;
  readonly names: Names;
  readonly now: number;
  /** Milliseconds until a failed daemon on a node may be deleted. */
  readonly backoff: (node: string) => number;
}

export interface DaemonPlan {
  /** Names of nodes without their daemon. */
  readonly create: readonly string[];
  readonly remove: readonly Pod[];
  /** The failed ones among the removed pods. */
  readonly failed: readonly Pod[];
  /** Milliseconds until the next failed daemon may be deleted; undefined if there is none. */
  readonly retryIn: number | undefined;
}

const BURST = 250;

function byNode({ pods }: View): Map<string, Pod[]> {
  const found = new Map<string, Pod[]>();
  for (const pod of pods) {
    const node = nodeOf(pod);
    if (node !== undefined) found.set(node, [...(found.get(node) ?? []), pod]);
  }
  return found;
}

/** Scheduled pods first, then the oldest, then by name. */
function bySeniority(a: Pod, b: Pod): number {
  const scheduled = Number(Boolean(b.spec.nodeName)) - Number(Boolean(a.spec.nodeName));
  return (
    scheduled ||
    compareTexts(a.metadata.creationTimestamp, b.metadata.creationTimestamp) ||
    compareTexts(a.metadata.name, b.metadata.name)
  );
}

function compareTexts(a: string | null = '', b: string | null = ''): number {
  return a === b ? 0 : (a ?? '') < (b ?? '') ? -1 : 1;
}

const isLeaving = (pod: Pod): boolean => pod.metadata.deletionTimestamp !== undefined;

/** One daemon on each matching node, none elsewhere. */
export function planDaemons(view: View): DaemonPlan {
  const there = byNode(view);
  const create: string[] = [];
  const remove: Pod[] = [];
  const failed: Pod[] = [];
  const waits: number[] = [];
  for (const node of view.nodes) {
    const name = nameOf(node);
    const pods = there.get(name) ?? [];
    const { run, stay } = fits(view.set, node, view.names);
    if (run && pods.length === 0) create.push(name);
    if (!stay) remove.push(...pods.filter((pod) => !isLeaving(pod)));
    if (!stay) continue;
    const delay = view.backoff(name);
    const broken = pods.filter((pod) => pod.status.phase === 'Failed' && !isLeaving(pod));
    if (broken.length > 0 && delay > 0) waits.push(delay);
    const removable = delay > 0 ? [] : broken;
    failed.push(...removable);
    const alive = pods.filter((pod) => pod.status.phase !== 'Failed' && !isLeaving(pod)).sort(bySeniority);
    remove.push(...removable, ...alive.slice(1));
  }
  remove.push(...podsWithoutNode(view, there));
  const retryIn = waits.length === 0 ? undefined : Math.min(...waits);
  return { create: create.slice(0, BURST), remove: remove.slice(0, BURST), failed, retryIn };
}

/** Daemons whose target node no longer exists. */
function podsWithoutNode({ nodes }: View, there: ReadonlyMap<string, readonly Pod[]>): Pod[] {
  const known = new Set(nodes.map((node) => node.metadata.name));
  const lost = [...there].filter(([node]) => !known.has(node)).flatMap(([, pods]) => pods);
  return lost.filter((pod) => !pod.spec.nodeName && !isLeaving(pod));
}

function isAvailable(pod: Pod, { set, now }: View): boolean {
  return availableIn(pod, set.spec.minReadySeconds ?? 0, now) === 0;
}

/**
 * Outdated daemons that may be deleted now: unavailable ones, and as many available ones as `maxUnavailable` permits.
 */
export function planUpdate(view: View): readonly Pod[] {
  const { set, hash } = view;
  if (set.spec.updateStrategy?.type !== 'RollingUpdate') return [];
  const there = byNode(view);
  const wanted = view.nodes.filter((node) => fits(set, node, view.names).run);
  const serves = (node: Node): boolean =>
    (there.get(nameOf(node)) ?? []).some((pod) => isAvailable(pod, view) && !isLeaving(pod));
  const unavailable = wanted.filter((node) => !serves(node)).length;
  const old = view.pods.filter((pod) => !isCurrent(pod, hash) && nodeOf(pod) !== undefined);
  const idle = old.filter((pod) => !isAvailable(pod, view) && !isLeaving(pod));
  const serving = old.filter((pod) => isAvailable(pod, view) && !isLeaving(pod));
  const limit = scaledValue(set.spec.updateStrategy.rollingUpdate?.maxUnavailable ?? 1, wanted.length, 'up') ?? 1;
  return [...idle, ...serving.slice(0, Math.max(0, limit - unavailable))];
}

export function statusOf(view: View): DaemonSetStatus {
  const there = byNode(view);
  const counts = { desired: 0, current: 0, misscheduled: 0, ready: 0, updated: 0, available: 0 };
  for (const node of view.nodes) {
    const pods = there.get(nameOf(node)) ?? [];
    const { run } = fits(view.set, node, view.names);
    if (!run && pods.length > 0) counts.misscheduled += 1;
    if (!run) continue;
    counts.desired += 1;
    const [pod] = [...pods].sort(bySeniority);
    if (!pod) continue;
    counts.current += 1;
    if (isReady(pod)) counts.ready += 1;
    if (isAvailable(pod, view)) counts.available += 1;
    if (isCurrent(pod, view.hash)) counts.updated += 1;
  }
  return {
    ...view.set.status,
    currentNumberScheduled: counts.current,
    numberMisscheduled: counts.misscheduled,
    desiredNumberScheduled: counts.desired,
    numberReady: counts.ready,
    observedGeneration: view.set.metadata.generation ?? 0,
    updatedNumberScheduled: counts.updated,
    numberAvailable: counts.available,
    numberUnavailable: counts.desired - counts.available,
  };
}

/** Milliseconds until the next daemon becomes available. */
export function nextAvailable({ set, pods, now }: View): number | undefined {
  const waits = pods
    .map((pod) => availableIn(pod, set.spec.minReadySeconds ?? 0, now))
    .filter((ms) => ms > 0 && ms < Infinity);
  return waits.length === 0 ? undefined : Math.min(...waits);
}
