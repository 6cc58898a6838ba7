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

export class PodStates {
  readonly #known = new Map<string, readonly Known[]>();
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
    this.#known.set(uid, [...(this.#known.get(uid) ?? []), state].slice(-MOST_STATES));
  }

  /** The pods by node, as they were at a revision; the latest where it is undefined. */
  at(revision: number | undefined): ReadonlyMap<string, readonly PodView[]> {
    const nodes = new Map<string, PodView[]>();
    for (const states of this.#known.values()) {
      const view = revision === undefined ? states.at(-1)?.view : states.findLast((s) => s.revision <= revision)?.view;
      if (!view) continue;
      const on = nodes.get(view.node);
      if (on) on.push(view);
      else nodes.set(view.node, [view]);
    }
    for (const pods of nodes.values()) pods.sort((a, b) => (a.key < b.key ? -1 : 1));
    return nodes;
  }
}
