/** A pod's containers over time, from the states that are kept of the pod and the events about it. */
import type { ApiObject } from '../../../../schema/index.ts';
import { asList, asNumber, asText, at } from '../../../stores/jsonValues.ts';

export type Look = 'pending' | 'ready' | 'deleted' | 'failed' | 'completed' | 'changed' | 'added';

/** A stretch of a lane, in milliseconds since the epoch; an open end is now. */
export interface Phase {
  readonly from: number;
  readonly to: number | undefined;
  readonly look: Look;
  readonly text: string;
}

export interface Happening {
  readonly at: number;
  readonly look: Look;
  readonly text: string;
}

export interface ContainerLane {
  readonly name: string;
  readonly phases: readonly Phase[];
  readonly happenings: readonly Happening[];
}

const timeOf = (value: unknown): number | undefined => {
  const time = Date.parse(asText(value));
  return Number.isNaN(time) ? undefined : time;
};

interface Run {
  readonly from: number;
  readonly to: number | undefined;
  readonly exitCode: number | undefined;
  readonly reason: string;
}

/** Every run of a container that a kept state tells of, by its start. */
function runsOf(states: readonly ApiObject[], list: string, name: string): readonly Run[] {
  const runs = new Map<number, Run>();
  for (const state of states) {
    const status = asList(at(state, 'status', list)).find((each) => at(each, 'name') === name);
    for (const part of ['lastState', 'state']) {
      const started = timeOf(at(status, part, 'running', 'startedAt'));
      if (started !== undefined && !runs.has(started))
        runs.set(started, { from: started, to: undefined, exitCode: undefined, reason: '' });
      const ended = at(status, part, 'terminated');
      const [from, to] = [timeOf(at(ended, 'startedAt')), timeOf(at(ended, 'finishedAt'))];
      if (from === undefined || to === undefined) continue;
      runs.set(from, { from, to, exitCode: asNumber(at(ended, 'exitCode')), reason: asText(at(ended, 'reason')) });
    }
  }
  return [...runs.values()].sort((a, b) => a.from - b.from);
}

const ending = ({ exitCode, reason }: Run): string => ` until exit code ${exitCode ?? '?'} (${reason})`;

/** Why a container waited, as the last state before a moment says. */
function waitingReason(states: readonly ApiObject[], list: string, name: string): string {
  for (const state of [...states].reverse()) {
    const status = asList(at(state, 'status', list)).find((each) => at(each, 'name') === name);
    const reason = asText(at(status, 'state', 'waiting', 'reason'));
    if (reason) return reason;
  }
  return '';
}

function phasesOf(
  states: readonly ApiObject[],
  list: string,
  name: string,
  created: number,
  end: number | undefined,
): readonly Phase[] {
  const runs = runsOf(states, list, name);
  const phases: Phase[] = [];
  const reason = waitingReason(states, list, name);
  const forgotten = runs.length > 0 && countedBefore(states, list, name) > 0;
  let last = created;
  runs.forEach((run, i) => {
    const again = i > 0;
    const text = again ? `waits to restart (${reason || 'back-off'})` : `waits to start`;
    if (i === 0 && forgotten)
      phases.push({ from: last, to: run.from, look: 'completed', text: 'earlier runs, without a record' });
    else if (run.from > last) phases.push({ from: last, to: run.from, look: again ? 'failed' : 'pending', text });
    const failed = run.exitCode !== undefined && run.exitCode !== 0;
    const look = failed ? 'failed' : run.to === undefined ? 'changed' : 'completed';
    phases.push({ from: run.from, to: run.to ?? end, look, text: `runs${run.to === undefined ? '' : ending(run)}` });
    last = run.to ?? Infinity;
  });
  const latest = states.at(-1);
  const status = asList(at(latest, 'status', list)).find((each) => at(each, 'name') === name);
  const waits = at(status, 'state', 'waiting') !== undefined;
  if (waits && last !== Infinity)
    phases.push({
      from: last,
      to: end,
      look: runs.length > 0 ? 'failed' : 'pending',
      text: `waits (${reason || 'to start'})`,
    });
  return phases;
}

/** How many runs there were before the first that a kept state tells of. */
function countedBefore(states: readonly ApiObject[], list: string, name: string): number {
  const status = asList(at(states[0], 'status', list)).find((each) => at(each, 'name') === name);
  const known = at(status, 'lastState', 'terminated') !== undefined ? 1 : 0;
  return (asNumber(at(status, 'restartCount')) ?? 0) - known;
}

/** When a state was written, as far as it tells. */
function writtenAt({ metadata }: ApiObject): number | undefined {
  const times = (metadata.managedFields ?? []).flatMap(({ time }) => timeOf(time) ?? []);
  return times.length > 0 ? Math.max(...times) : undefined;
}

/** When a container was ready: no field says since when, but a state was written when that changed. */
function readyOf(states: readonly ApiObject[], name: string, end: number | undefined): readonly Phase[] {
  const spans: Phase[] = [];
  let since: number | undefined;
  for (const [i, state] of states.entries()) {
    const status = asList(at(state, 'status', 'containerStatuses')).find((each) => at(each, 'name') === name);
    const started = timeOf(at(status, 'state', 'running', 'startedAt'));
    if (at(status, 'ready') === true) {
      // Of the first state that is kept nobody knows how long it had been so.
      since ??= Math.max(started ?? 0, (i > 0 ? writtenAt(state) : undefined) ?? 0) || undefined;
    } else if (since !== undefined) {
      const ended =
        timeOf(at(status, 'state', 'terminated', 'finishedAt')) ??
        timeOf(at(status, 'lastState', 'terminated', 'finishedAt'));
      const to = ended !== undefined && ended >= since ? ended : writtenAt(state);
      if (to !== undefined && to > since) spans.push({ from: since, to, look: 'ready', text: 'ready' });
      since = undefined;
    }
  }
  if (since !== undefined) spans.push({ from: since, to: end, look: 'ready', text: 'ready' });
  return spans;
}

const PROBES = ['startupProbe', 'livenessProbe', 'readinessProbe'] as const;

const probeWord = { startupProbe: 'Startup', livenessProbe: 'Liveness', readinessProbe: 'Readiness' } as const;

/** Lanes of a container: what it does, when it is ready, and one for each probe with its failures. */
function lanesOf(
  states: readonly ApiObject[],
  events: readonly ApiObject[],
  container: unknown,
  list: string,
  created: number,
  end: number | undefined,
): readonly ContainerLane[] {
  const name = asText(at(container, 'name'));
  const own = events.filter((event) => asText(at(event, 'involvedObject', 'fieldPath')).endsWith(`{${name}}`));
  const pulls = own.filter((event) => /^Pull/.test(asText(at(event, 'reason'))));
  const lanes: ContainerLane[] = [
    { name, phases: phasesOf(states, list, name, created, end), happenings: pulls.flatMap(happeningOf) },
  ];
  if (list === 'containerStatuses')
    lanes.push({ name: `${name}: ready`, phases: readyOf(states, name, end), happenings: [] });
  for (const probe of PROBES) {
    if (at(container, probe) === undefined) continue;
    const failures = own.filter(
      (event) =>
        asText(at(event, 'reason')) === 'Unhealthy' && asText(at(event, 'message')).startsWith(probeWord[probe]),
    );
    const happenings = failures.flatMap(happeningOf);
    lanes.push({ name: `${name}: ${probeWord[probe].toLowerCase()} probe`, phases: [], happenings });
  }
  return lanes;
}

function happeningOf(event: ApiObject): readonly Happening[] {
  const last = timeOf(event['lastTimestamp']) ?? timeOf(event['eventTime']) ?? timeOf(event.metadata.creationTimestamp);
  if (last === undefined) return [];
  const count = asNumber(event['count']) ?? 1;
  const first = timeOf(event['firstTimestamp']) ?? last;
  const look = asText(event['type']) === 'Warning' ? 'failed' : 'added';
  const text = `${asText(event['reason'])}: ${asText(event['message'])}`;
  // Of an event that was counted up, only the first and the last time are known.
  const begins =
    count > 1 && first < last ? [{ at: first, look, text: `${text} (first of ${count} times)` } as const] : [];
  return [...begins, { at: last, look, text: `${text}${count > 1 ? ` (${count} times)` : ''}` }];
}

/** All lanes of a pod: what became of it, its containers in the order in which they start, and its events. */
export function lanesOfPod(
  states: readonly ApiObject[],
  events: readonly ApiObject[],
  gone: number | undefined,
): readonly ContainerLane[] {
  const last = states.at(-1);
  if (!last) return [];
  const created = timeOf(last.metadata.creationTimestamp) ?? 0;
  const inner = (field: string, list: string): readonly ContainerLane[] =>
    asList(at(last, 'spec', field)).flatMap((each) => lanesOf(states, events, each, list, created, gone));
  return [
    { name: 'Pod', phases: podPhases(last, created, gone), happenings: [] },
    ...inner('initContainers', 'initContainerStatuses'),
    ...inner('containers', 'containerStatuses'),
    { name: 'Events', phases: [], happenings: events.flatMap(happeningOf) },
  ];
}

function podPhases(last: ApiObject, created: number, gone: number | undefined): readonly Phase[] {
  const condition = asList(at(last, 'status', 'conditions')).find((each) => at(each, 'type') === 'PodScheduled');
  const placed = at(condition, 'status') === 'True' ? timeOf(at(condition, 'lastTransitionTime')) : undefined;
  const due = timeOf(last.metadata.deletionTimestamp);
  const grace = last.metadata.deletionGracePeriodSeconds ?? 0;
  const leaving = due === undefined ? undefined : due - grace * 1000;
  const node = asText(at(last, 'spec', 'nodeName'));
  const phases: Phase[] = [{ from: created, to: placed ?? leaving ?? gone, look: 'pending', text: 'waits for a node' }];
  if (placed !== undefined) phases.push({ from: placed, to: leaving ?? gone, look: 'changed', text: `on ${node}` });
  if (leaving !== undefined)
    phases.push({ from: leaving, to: gone, look: 'deleted', text: `being deleted, ${grace} s of grace` });
  return phases;
}
