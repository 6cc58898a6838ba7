/** Pods on their nodes, at any revision since somebody began to look. */
import type { ApiObject } from '../../../../schema/index.ts';
import type { State } from '../../../theme/states.ts';
import { asList, asText, at } from '../../../stores/jsonValues.ts';

export interface PodView {
  /** `namespace/name`. */
  readonly key: string;
  /** Empty while it has none. */
  readonly node: string;
  readonly state: State;
  readonly phase: string;
}

interface Known {
  readonly revision: number;
  /** Undefined where the pod is gone. */
  readonly view: PodView | undefined;
}

const MOST_STATES = 40;
const MOST_PHASES = 3000;

function stateOf(pod: ApiObject, phase: string): State {
  if (pod.metadata.deletionTimestamp !== undefined) return 'deleted';
  if (phase === 'Succeeded') return 'completed';
  if (phase === 'Failed') return 'failed';
  if (phase !== 'Running') return 'pending';
  const containers = asList(at(pod, 'status', 'containerStatuses'));
  return containers.every((each) => at(each, 'ready') === true) ? 'ready' : 'pending';
}

function viewOf(pod: ApiObject): PodView {
  const phase = asText(at(pod, 'status', 'phase')) || 'Pending';
  const { namespace = '', name = '' } = pod.metadata;
  const node = asText(at(pod, 'spec', 'nodeName'));
  return { key: `${namespace}/${name}`, node, phase, state: stateOf(pod, phase) };
}

const isSame = (a: PodView | undefined, b: PodView | undefined): boolean =>
  a?.node === b?.node && a?.state === b?.state && a?.phase === b?.phase;

const inOrder = (pods: Iterable<PodView>): readonly PodView[] => [...pods].sort((a, b) => (a.key < b.key ? -1 : 1));

export class PodStates {
  readonly #known = new Map<string, readonly Known[]>();
  /** By node and uid, the pods as they are now. */
  readonly #now = new Map<string, Map<string, PodView>>();
  /** The nodes whose pods have changed since `#shown`. */
  readonly #changed = new Set<string>();
  /** The answer for the latest revision. What does not change is the same value again, however many pods there are. */
  #shown: ReadonlyMap<string, readonly PodView[]> = new Map();
  /** Pods that are gone, oldest first: forgotten when there are many. */
  readonly #gone = new Set<string>();
  /** By revision, the phase that a pod was in. */
  readonly #phases = new Map<number, string>();

  /** Takes in a state of a pod. */
  note(pod: ApiObject): void {
    const uid = pod.metadata.uid ?? '';
    this.#gone.delete(uid);
    const revision = Number(pod.metadata.resourceVersion);
    const view = viewOf(pod);
    this.#add(uid, { revision, view });
    this.#phases.set(revision, view.phase);
    for (const each of this.#phases.keys()) {
      if (this.#phases.size <= MOST_PHASES) break;
      this.#phases.delete(each);
    }
  }

  /** The phase of the pod that a revision wrote. */
  phaseAt(revision: number | undefined): string | undefined {
    return revision === undefined ? undefined : this.#phases.get(revision);
  }

  /** Takes in that a pod is gone. */
  remove(pod: ApiObject): void {
    const uid = pod.metadata.uid ?? '';
    this.#add(uid, { revision: Number(pod.metadata.resourceVersion), view: undefined });
    this.#gone.add(uid);
    for (const each of this.#gone) {
      if (this.#gone.size <= 1000) break;
      this.#gone.delete(each);
      this.#known.delete(each);
    }
  }

  #add(uid: string, state: Known): void {
    const before = this.#known.get(uid) ?? [];
    this.#known.set(uid, [...before, state].slice(-MOST_STATES));
    this.#move(uid, before.at(-1)?.view, state.view);
  }

  #move(uid: string, from: PodView | undefined, to: PodView | undefined): void {
    if (isSame(from, to)) return;
    if (from) {
      this.#now.get(from.node)?.delete(uid);
      this.#changed.add(from.node);
    }
    if (!to) return;
    const on = this.#now.get(to.node) ?? new Map<string, PodView>();
    this.#now.set(to.node, on.set(uid, to));
    this.#changed.add(to.node);
  }

  /** The pods by node, as they were at a revision; the latest where it is undefined. */
  at(revision: number | undefined): ReadonlyMap<string, readonly PodView[]> {
    return revision === undefined ? this.#latest() : this.#past(revision);
  }

  #latest(): ReadonlyMap<string, readonly PodView[]> {
    if (this.#changed.size === 0) return this.#shown;
    const nodes = new Map(this.#shown);
    for (const node of this.#changed) {
      const pods = this.#now.get(node);
      if (pods && pods.size > 0) nodes.set(node, inOrder(pods.values()));
      else nodes.delete(node);
    }
    this.#changed.clear();
    this.#shown = nodes;
    return nodes;
  }

  #past(revision: number): ReadonlyMap<string, readonly PodView[]> {
    const nodes = new Map<string, PodView[]>();
    for (const states of this.#known.values()) {
      const view = states.findLast((each) => each.revision <= revision)?.view;
      if (!view) continue;
      const on = nodes.get(view.node);
      if (on) on.push(view);
      else nodes.set(view.node, [view]);
    }
    return new Map(Array.from(nodes, ([node, pods]) => [node, inOrder(pods)]));
  }
}
