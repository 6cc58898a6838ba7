/** The value of a number at which another node wins. */
import type { Pod } from '../../client/index.ts';
import { amountOf, isScalar, requestOf } from '../framework/resources.ts';
import { preemptionIn } from './explainPlacement.ts';
import { roundFor } from './round.ts';
import type { Situation } from './situation.ts';

/** The number to change: a request of the first container, the pod's priority, or a plugin's weight. */
export type Knob =
  | { readonly of: 'request'; readonly resource: string }
  | { readonly of: 'priority' }
  | { readonly of: 'weight'; readonly plugin: string };

/** The winners at a value; empty if no node fits. */
export interface Turn {
  /** CPU in millicores, memory and storage in bytes, everything else as counts. */
  readonly value: number;
  readonly winners: readonly string[];
  /** If no node fits, the node for preemption at this priority. */
  readonly room?: string;
}

/** The current value, and the nearest values below and above it at which others win. */
export interface Tipping {
  readonly now: Turn;
  readonly below?: Turn;
  readonly above?: Turn;
}

const MEBI = 1024 * 1024;
/** The step sizes of requests that are larger than one. */
const STEPS: ReadonlyMap<string, number> = new Map([
  ['cpu', 10],
  ['memory', MEBI],
  ['ephemeral-storage', MEBI],
]);
const stepOf = (knob: Knob): number => (knob.of === 'request' ? (STEPS.get(knob.resource) ?? 1) : 1);
/** The maximum weight to try: a hundred times the weight of the largest score. */
const MOST_WEIGHT = 100;
/** The highest priority that users' pods may have. */
const MOST_PRIORITY = 1_000_000_000;

/**
 * Searches outward in growing strides, then exactly between the last two. A winner that changes and changes back within
 * one stride is not found.
 */
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

/** The winners; for a priority without any, the node for preemption. */
async function outcomeOf(knob: Knob, situation: Situation, pod: Pod): Promise<Omit<Turn, 'value'>> {
  const round = await roundFor(situation, pod);
  const winners = round.winners.map(({ name }) => name);
  const room = knob.of === 'priority' && winners.length === 0 ? (await preemptionIn(situation, round)).node : undefined;
  return { winners, ...(room !== undefined && { room }) };
}

/** The smallest number of steps, up to `reach`, at which `holds` becomes true. */
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

/** The pod with only its first container. */
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

/** The pod with a changed request of its first container. For extended resources the limit has to equal the request. */
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
