/** What became reachable or unreachable between two states of a cluster, and through which change. */
import {
  changesBetween,
  keyOf,
  Matrix,
  type MatrixPort,
  type NetworkObjects,
  type NetworkView,
} from '../../network/index.ts';
import type { objects } from '../../schema/index.ts';

/** The kinds whose changes can open or close connections between pods that stay. */
const DECIDING = { networkpolicies: 'NetworkPolicy', namespaces: 'Namespace', pods: 'Pod' } as const;
type Deciding = keyof typeof DECIDING;

/** An object that was made, changed or deleted. */
export interface ObjectChange {
  readonly kind: (typeof DECIDING)[Deciding];
  /** `namespace/name`. */
  readonly key: string;
  readonly how: 'created' | 'changed' | 'deleted';
  /** The revision that it has now; undefined where it was deleted. */
  readonly revision: string | undefined;
}

/** A pair of pods whose connection opened or closed, and the changes that did it. */
export interface ReachChange {
  readonly from: objects.Pod;
  readonly to: objects.Pod;
  readonly opens: boolean;
  /** Each of them alone would have done it; empty where only several together did. */
  readonly through: readonly ObjectChange[];
}

export interface Since {
  /** How many pods there were then and are now. */
  readonly pods: number;
  readonly changes: readonly ObjectChange[];
  readonly reach: readonly ReachChange[];
}

/** Compares two states at a port. Changes are tried one by one on the older state: that costs a matrix for each. */
export function reachSince(before: NetworkView, after: NetworkView, port: MatrixPort): Since {
  const pods = after.all('pods').filter((pod) => before.get('pods', keyOf(pod)) !== undefined);
  const olderPods = pods.flatMap((pod) => before.get('pods', keyOf(pod)) ?? []);
  const old = new Matrix(olderPods, port, before);
  const changes = (Object.keys(DECIDING) as Deciding[]).flatMap((resource) => changesOf(resource, before, after));
  const effects = changes.map((change) => ({ change, pairs: pairsOf(old, withChange(before, after, change), port) }));
  const reach = changesBetween(old, new Matrix(pods, port, after)).map(({ from, to, opens }): ReachChange => {
    const key = pairKey(from, to, opens);
    return { from, to, opens, through: effects.flatMap(({ change, pairs }) => (pairs.has(key) ? [change] : [])) };
  });
  return {
    pods: pods.length,
    changes: effects.flatMap(({ change, pairs }) => (pairs.size > 0 ? [change] : [])),
    reach,
  };
}

const pairKey = (from: objects.Pod, to: objects.Pod, opens: boolean): string =>
  `${opens ? '+' : '-'} ${keyOf(from)} ${keyOf(to)}`;

function pairsOf(old: Matrix, view: NetworkView, port: MatrixPort): ReadonlySet<string> {
  const pods = old.pods.flatMap((pod) => view.get('pods', keyOf(pod)) ?? []);
  const changed = changesBetween(old, new Matrix(pods, port, view));
  return new Set(changed.map(({ from, to, opens }) => pairKey(from, to, opens)));
}

function changesOf(resource: Deciding, before: NetworkView, after: NetworkView): ObjectChange[] {
  const kind = DECIDING[resource];
  const gone = before
    .all(resource)
    .filter((object) => !after.get(resource, keyOf(object)))
    .map((object): ObjectChange => ({ kind, key: keyOf(object), how: 'deleted', revision: undefined }));
  const now = after.all(resource).flatMap((object): ObjectChange[] => {
    const older = before.get(resource, keyOf(object));
    const revision = object.metadata?.resourceVersion;
    if (older && decides(resource, older) === decides(resource, object)) return [];
    return [{ kind, key: keyOf(object), how: older ? 'changed' : 'created', revision }];
  });
  // Pods that came or went are no change between those that stayed.
  return [...gone, ...now].filter(({ how }) => resource !== 'pods' || how === 'changed');
}

/** What of an object decides about connections. */
function decides<R extends Deciding>(resource: R, object: NetworkObjects[R]): string {
  const { metadata } = object;
  const labels = JSON.stringify(Object.entries(metadata?.labels ?? {}).sort());
  return resource === 'networkpolicies' ? JSON.stringify(object.spec) : labels;
}

/** The older state with one object as it is now. */
function withChange(before: NetworkView, after: NetworkView, { kind, key, how }: ObjectChange): NetworkView {
  const view = before.fork();
  for (const resource of Object.keys(DECIDING) as Deciding[]) {
    if (DECIDING[resource] !== kind) continue;
    const object = (how === 'deleted' ? before : after).get(resource, key);
    if (object && how === 'deleted') view.remove(resource, object);
    else if (object) view.set(resource, object);
  }
  return view;
}
