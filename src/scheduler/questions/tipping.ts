/** At which value of one number another node wins. */
import type { Pod } from '../../client/index.ts';
import { preemptionFor } from './explainPlacement.ts';
import { cycleFor, rulesFor, type Situation } from './situation.ts';
import { highest, scoreNodes } from '../framework/run.ts';
import { runFilters } from '../place.ts';
import { requestOf } from '../framework/resources.ts';

/** The number that is turned: what the first container requests, the pod's priority, or a plugin's weight. */
export type Knob = { readonly of: 'cpu' | 'memory' | 'priority' } | { readonly of: 'weight'; readonly plugin: string };

/** Who would win at a value; empty where no node fits. */
export interface Turn {
  /** CPU in thousandths of a core, memory in bytes. */
  readonly value: number;
  readonly winners: readonly string[];
  /** Where no node fits, the one on which room would be made at this priority. */
  readonly room?: string;
}

/** The value now, and the nearest ones that were found below and above it at which others win. */
export interface Tipping {
  readonly now: Turn;
  readonly below?: Turn;
  readonly above?: Turn;
}

const MEBI = 1024 * 1024;
/** The smallest difference that is looked at. */
const STEPS = { cpu: 10, memory: MEBI, priority: 1, weight: 1 } as const;
/** How far a weight is turned: a hundred times what the largest score weighs by itself. */
const MOST_WEIGHT = 100;
/** The highest priority that users' pods may have. */
const MOST_PRIORITY = 1_000_000_000;

/** Searches outward in growing strides, then exactly between the last two. A winner that changes and changes back within a stride is passed over. */
export function tippingPoints(situation: Situation, pod: Pod, knob: Knob): Tipping {
  const step = STEPS[knob.of];
  const start = valueOf(situation, pod, knob);
  const turnAt = (value: number): Turn => {
    const then = turned(situation, pod, knob, value);
    const winners = winnersOf(...then);
    const room = knob.of === 'priority' && winners.length === 0 ? roomFor(...then) : undefined;
    return { value, winners, ...(room !== undefined && { room }) };
  };
  const now = turnAt(start);
  const look = (sign: 1 | -1, end: number): Turn | undefined => {
    const reach = Math.floor((sign * (end - start)) / step);
    const differs = (steps: number): boolean => !isSame(turnAt(start + sign * steps * step), now);
    const steps = firstStep(differs, reach);
    if (steps === undefined) return undefined;
    return turnAt(start + sign * steps * step);
  };
  const [below, above] = [look(-1, 0), look(1, mostOf(situation, knob))];
  return { now, ...(below && { below }), ...(above && { above }) };
}

const isSame = (a: Turn, b: Turn): boolean => a.winners.join() === b.winners.join() && a.room === b.room;

const roomFor = (situation: Situation, pod: Pod): string | undefined => preemptionFor(situation, pod).node;

/** The least number of steps, `reach` at most, at which something holds that doesn't one step before. */
function firstStep(holds: (steps: number) => boolean, reach: number): number | undefined {
  let [last, next] = [0, 1];
  while (next < reach && !holds(next)) [last, next] = [next, next * 2];
  next = Math.min(next, reach);
  if (next <= 0 || !holds(next)) return undefined;
  while (next - last > 1) {
    const middle = Math.floor((last + next) / 2);
    if (holds(middle)) next = middle;
    else last = middle;
  }
  return next;
}

/** The nodes with the highest score; empty where none fits. */
export function winnersOf(situation: Situation, pod: Pod): readonly string[] {
  const cycle = cycleFor(situation, pod);
  const { feasible } = runFilters(cycle, rulesFor(situation, cycle.info), situation.start ?? 0);
  const names = feasible.map(({ name }) => name);
  if (feasible.length < 2) return names;
  return highest(scoreNodes(situation.plugins, cycle, feasible).totals).map((i) => names[i] as string);
}

function valueOf({ plugins }: Situation, pod: Pod, knob: Knob): number {
  if (knob.of === 'priority') return pod.spec.priority ?? 0;
  if (knob.of === 'weight') return plugins.find(({ name }) => name === knob.plugin)?.weight ?? 1;
  return requestOf(firstAlone(pod))[knob.of];
}

/** The pod as if it had only its first container. */
const firstAlone = (pod: Pod): Pod => ({
  ...pod,
  spec: { containers: (pod.spec.containers ?? []).slice(0, 1) },
});

function mostOf({ snapshot }: Situation, knob: Knob): number {
  if (knob.of === 'priority') return MOST_PRIORITY;
  if (knob.of === 'weight') return MOST_WEIGHT;
  const { of } = knob;
  return snapshot.nodes.reduce((most, { allocatable }) => Math.max(most, allocatable[of]), 0) + STEPS[of];
}

function turned(situation: Situation, pod: Pod, knob: Knob, value: number): [Situation, Pod] {
  if (knob.of === 'priority') return [situation, { ...pod, spec: { ...pod.spec, priority: value } }];
  if (knob.of !== 'weight') return [situation, withRequest(pod, knob.of, value)];
  const plugins = situation.plugins.map((plugin) =>
    plugin.name === knob.plugin && plugin.score ? { ...plugin, weight: value } : plugin,
  );
  return [{ ...situation, plugins }, pod];
}

/** The pod with another request of its first container. */
export function withRequest(pod: Pod, resource: 'cpu' | 'memory', value: number): Pod {
  const [first, ...others] = pod.spec.containers ?? [];
  if (!first) return pod;
  const text = resource === 'cpu' ? `${value}m` : String(value);
  const requests = { ...first.resources?.requests, [resource]: text };
  const containers = [{ ...first, resources: { ...first.resources, requests } }, ...others];
  return { ...pod, spec: { ...pod.spec, containers } };
}
