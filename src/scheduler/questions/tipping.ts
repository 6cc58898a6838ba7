/** At which value of one number another node wins. */
import type { Pod } from '../../client/index.ts';
import { amountOf, isScalar, requestOf } from '../framework/resources.ts';
import { preemptionIn } from './explainPlacement.ts';
import { roundFor } from './round.ts';
import type { Situation } from './situation.ts';

/** The number that is turned: what the first container requests, the pod's priority, or a plugin's weight. */
export type Knob =
  | { readonly of: 'request'; readonly resource: string }
  | { readonly of: 'priority' }
  | { readonly of: 'weight'; readonly plugin: string };

/** Who would win at a value; empty where no node fits. */
export interface Turn {
  /** CPU in thousandths of a core, memory and storage in bytes, everything else in pieces. */
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
/** The smallest difference of a request that is looked at, where it is more than one. */
const STEPS: ReadonlyMap<string, number> = new Map([
  ['cpu', 10],
  ['memory', MEBI],
  ['ephemeral-storage', MEBI],
]);
const stepOf = (knob: Knob): number => (knob.of === 'request' ? (STEPS.get(knob.resource) ?? 1) : 1);
/** How far a weight is turned: a hundred times what the largest score weighs by itself. */
const MOST_WEIGHT = 100;
/** The highest priority that users' pods may have. */
const MOST_PRIORITY = 1_000_000_000;

/** Searches outward in growing strides, then exactly between the last two. A winner that changes and changes back within a stride is passed over. */
export async function tippingPoints(situation: Situation, pod: Pod, knob: Knob): Promise<Tipping> {
  const step = stepOf(knob);
  const start = valueOf(situation, pod, knob);
  const turnAt = async (value: number): Promise<Turn> => ({
    value,
    ...(await outcomeOf(knob, ...turned(situation, pod, knob, value))),
  });
  const now = await turnAt(start);
  const look = async (sign: 1 | -1, end: number): Promise<Turn | undefined> => {
    const reach = Math.floor((sign * (end - start)) / step);
    const differs = async (steps: number): Promise<boolean> => !isSame(await turnAt(start + sign * steps * step), now);
    const steps = await firstStep(differs, reach);
    return steps === undefined ? undefined : turnAt(start + sign * steps * step);
  };
  const [below, above] = [await look(-1, 0), await look(1, mostOf(situation, knob))];
  return { now, ...(below && { below }), ...(above && { above }) };
}

const isSame = (a: Turn, b: Turn): boolean => a.winners.join() === b.winners.join() && a.room === b.room;

/** Who wins; of a priority at which nobody does, where room is made. */
async function outcomeOf(knob: Knob, situation: Situation, pod: Pod): Promise<Omit<Turn, 'value'>> {
  const round = await roundFor(situation, pod);
  const winners = round.winners.map(({ name }) => name);
  const room = knob.of === 'priority' && winners.length === 0 ? (await preemptionIn(situation, round)).node : undefined;
  return { winners, ...(room !== undefined && { room }) };
}

/** The least number of steps, `reach` at most, at which something holds that doesn't one step before. */
async function firstStep(holds: (steps: number) => Promise<boolean>, reach: number): Promise<number | undefined> {
  let [last, next] = [0, 1];
  while (next < reach && !(await holds(next))) [last, next] = [next, next * 2];
  next = Math.min(next, reach);
  if (next <= 0 || !(await holds(next))) return undefined;
  while (next - last > 1) {
    const middle = Math.floor((last + next) / 2);
    if (await holds(middle)) next = middle;
    else last = middle;
  }
  return next;
}

function valueOf({ plugins }: Situation, pod: Pod, knob: Knob): number {
  if (knob.of === 'priority') return pod.spec.priority ?? 0;
  if (knob.of === 'weight') return plugins.find(({ name }) => name === knob.plugin)?.weight ?? 1;
  return amountOf(requestOf(firstAlone(pod)), knob.resource);
}

/** The pod with its first container only. */
const firstAlone = (pod: Pod): Pod => ({
  ...pod,
  spec: { containers: (pod.spec.containers ?? []).slice(0, 1) },
});

function mostOf({ snapshot }: Situation, knob: Knob): number {
  if (knob.of === 'priority') return MOST_PRIORITY;
  if (knob.of === 'weight') return MOST_WEIGHT;
  const offered = snapshot.nodes.map(({ allocatable }) => amountOf(allocatable, knob.resource));
  return offered.reduce((most, amount) => Math.max(most, amount), 0) + stepOf(knob);
}

function turned(situation: Situation, pod: Pod, knob: Knob, value: number): [Situation, Pod] {
  if (knob.of === 'priority') return [situation, { ...pod, spec: { ...pod.spec, priority: value } }];
  if (knob.of === 'request') return [situation, withRequest(pod, knob.resource, value)];
  const plugins = situation.plugins.map((plugin) =>
    plugin.name === knob.plugin && plugin.score ? { ...plugin, weight: value } : plugin,
  );
  return [{ ...situation, plugins }, pod];
}

/** The pod with another request of its first container. Of what has no field of its own a limit may be no other than the request. */
export function withRequest(pod: Pod, resource: string, value: number): Pod {
  const [first, ...others] = pod.spec.containers ?? [];
  if (!first) return pod;
  const text = resource === 'cpu' ? `${value}m` : String(value);
  const { requests, limits } = first.resources ?? {};
  const resources = {
    ...first.resources,
    requests: { ...requests, [resource]: text },
    ...(isScalar(resource) && { limits: { ...limits, [resource]: text } }),
  };
  const containers = [{ ...first, resources }, ...others];
  return { ...pod, spec: { ...pod.spec, containers } };
}
