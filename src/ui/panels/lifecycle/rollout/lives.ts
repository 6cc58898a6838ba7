/** Pods over time, from the states that are kept of them. */
import { controllerOf, type ApiObject } from '../../../../schema/index.ts';
import { asList, asNumber, asText, at } from '../../../stores/jsonValues.ts';
import type { PodRecord } from '../../../stores/podStates.ts';

/** From when until when, in milliseconds since the epoch; an open end is now. */
export interface Span {
  readonly from: number;
  readonly to: number | undefined;
}

export interface PodLife extends Span {
  readonly uid: string;
  readonly name: string;
  readonly owner: string;
  readonly node: string;
  /** When it was ready. */
  readonly ready: readonly Span[];
  /** When its deletion began. */
  readonly leaving: number | undefined;
  readonly phase: string;
  /** When its last container ended, of one that is over. */
  readonly ended: number | undefined;
}

const timeOf = (value: unknown): number | undefined => {
  const time = Date.parse(asText(value));
  return Number.isNaN(time) ? undefined : time;
};

const known = new WeakMap<PodRecord, PodLife>();

/** The life of a pod, worked out once for each record. Undefined where nothing was kept. */
export function lifeOf(record: PodRecord): PodLife | undefined {
  const life = known.get(record) ?? readLife(record);
  if (life) known.set(record, life);
  return life;
}

function readLife({ states, gone }: PodRecord): PodLife | undefined {
  const last = states.at(-1);
  if (!last) return undefined;
  const { uid = '', name = '', creationTimestamp } = last.metadata;
  const from = timeOf(creationTimestamp) ?? 0;
  const leaving = leavingSince(states);
  const to = gone ? Math.max(from, goneAt(last, leaving)) : undefined;
  return {
    uid,
    name,
    owner: controllerOf(last)?.uid ?? '',
    node: asText(at(last, 'spec', 'nodeName')),
    from,
    to,
    ready: readySpans(states, to),
    leaving,
    phase: asText(at(last, 'status', 'phase')),
    ended: endOf(last),
  };
}

function leavingSince(states: readonly ApiObject[]): number | undefined {
  const first = states.find(({ metadata }) => metadata.deletionTimestamp !== undefined);
  const due = timeOf(first?.metadata.deletionTimestamp);
  return due === undefined ? undefined : due - (first?.metadata.deletionGracePeriodSeconds ?? 0) * 1000;
}

/** No field says when an object was removed: a pod's last container ended then. */
const goneAt = (last: ApiObject, leaving: number | undefined): number => Math.max(leaving ?? 0, endOf(last) ?? 0);

function endOf(last: ApiObject): number | undefined {
  const ended = asList(at(last, 'status', 'containerStatuses')).flatMap(
    (each) => timeOf(at(each, 'state', 'terminated', 'finishedAt')) ?? [],
  );
  return ended.length > 0 ? Math.max(...ended) : undefined;
}

function readySpans(states: readonly ApiObject[], end: number | undefined): readonly Span[] {
  const spans: Span[] = [];
  let since: number | undefined;
  for (const state of states) {
    const ready = asList(at(state, 'status', 'conditions')).find((each) => at(each, 'type') === 'Ready');
    const when = timeOf(at(ready, 'lastTransitionTime'));
    if (when === undefined) continue;
    if (at(ready, 'status') === 'True') since ??= when;
    else if (since !== undefined) {
      spans.push({ from: since, to: when });
      since = undefined;
    }
  }
  if (since !== undefined) spans.push({ from: since, to: end });
  return spans;
}

/** Lives of all pods that are kept, oldest first. */
export function livesOf(records: ReadonlyMap<string, PodRecord>): readonly PodLife[] {
  return [...records.values()].flatMap((record) => lifeOf(record) ?? []).sort((a, b) => a.from - b.from);
}

/** How many pods of each owner were ready, from one moment to the next. */
export interface BandStep {
  readonly from: number;
  readonly counts: ReadonlyMap<string, number>;
}

/** The steps in which the numbers of ready pods changed, up to `now`. */
export function bandsOf(lives: readonly PodLife[], now: number): readonly BandStep[] {
  const changes = lives
    .flatMap(({ owner, ready }) =>
      ready.flatMap(({ from, to }) => [
        { at: from, owner, by: 1 },
        ...(to === undefined ? [] : [{ at: to, owner, by: -1 }]),
      ]),
    )
    .filter(({ at: when }) => when <= now)
    .sort((a, b) => a.at - b.at);
  const steps: BandStep[] = [];
  const counts = new Map<string, number>();
  for (const { at: when, owner, by } of changes) {
    counts.set(owner, (counts.get(owner) ?? 0) + by);
    if (steps.at(-1)?.from === when) steps.pop();
    steps.push({ from: when, counts: new Map(counts) });
  }
  return steps;
}

/** How many pods there were, ready or not, from one moment to the next up to `now`. */
export function countsOf(
  lives: readonly PodLife[],
  now: number,
): readonly { readonly from: number; readonly count: number }[] {
  const changes = lives
    .flatMap(({ from, to }) => [{ at: from, by: 1 }, ...(to === undefined ? [] : [{ at: to, by: -1 }])])
    .filter(({ at: when }) => when <= now)
    .sort((a, b) => a.at - b.at || a.by - b.by);
  const steps: { from: number; count: number }[] = [];
  let count = 0;
  for (const { at: when, by } of changes) {
    count += by;
    if (steps.at(-1)?.from === when) steps.pop();
    steps.push({ from: when, count });
  }
  return steps;
}

/** `25%` or a number, of so many; percentages are rounded up for surge and down for unavailability. */
export function share(value: unknown, of: number, round: 'up' | 'down'): number {
  if (typeof value === 'string' && value.endsWith('%')) {
    const exact = (parseFloat(value) * of) / 100;
    return round === 'up' ? Math.ceil(exact) : Math.floor(exact);
  }
  return asNumber(value) ?? 0;
}

/** How many pods a Deployment may have at most and must have available at least while it rolls out. */
export function limitsOf(deployment: ApiObject): { readonly most: number; readonly least: number } {
  const replicas = asNumber(at(deployment, 'spec', 'replicas')) ?? 1;
  const surge = share(at(deployment, 'spec', 'strategy', 'rollingUpdate', 'maxSurge'), replicas, 'up');
  const missing = share(at(deployment, 'spec', 'strategy', 'rollingUpdate', 'maxUnavailable'), replicas, 'down');
  const isRolling = asText(at(deployment, 'spec', 'strategy', 'type')) === 'RollingUpdate';
  if (!isRolling) return { most: replicas, least: 0 };
  // Both at 0 would let nothing happen: the reference lets one be missing then.
  return { most: replicas + surge, least: replicas - (surge === 0 && missing === 0 ? 1 : missing) };
}
