import type { HorizontalPodAutoscaler } from '../../client/index.ts';

type Rules = NonNullable<NonNullable<HorizontalPodAutoscaler['spec']['behavior']>['scaleUp']>;
type Policy = NonNullable<Rules['policies']>[number];

/** A number of replicas at a time in milliseconds: a recommendation, or the size of a change. */
export interface Mark {
  readonly at: number;
  readonly replicas: number;
}

/** The state of an autoscaler between runs. */
export interface Memory {
  recommendations: readonly Mark[];
  /** The increases and decreases in replicas. */
  ups: readonly Mark[];
  downs: readonly Mark[];
}

/** The input of a decision. Times are in milliseconds. */
export interface Question {
  readonly current: number;
  /** The proposal of the metrics. */
  readonly proposed: number;
  readonly memory: Memory;
  /** The default time for which a recommendation prevents scaling down. */
  readonly window: number;
  readonly now: number;
}

export interface Verdict {
  readonly replicas: number;
  /** The conditions that explain why the result differs from the proposal. */
  readonly able: readonly [reason: string, message: string];
  readonly limited: readonly [status: 'True' | 'False', reason: string, message: string];
}

const READY = ['ReadyForNewScale', 'recommended size matches current size'] as const;
const HELD_UP = [
  'ScaleDownStabilized',
  'recent recommendations were higher than current one, applying the highest recent recommendation',
] as const;
const HELD_DOWN = [
  'ScaleUpStabilized',
  'recent recommendations were lower than current one, applying the lowest recent recommendation',
] as const;

type Limit = readonly [reason: string, message: string];
const WITHIN: Limit = ['DesiredWithinRange', 'the desired count is within the acceptable range'];
const TOO_FEW: Limit = ['TooFewReplicas', 'the desired replica count is less than the minimum replica count'];
const TOO_MANY: Limit = ['TooManyReplicas', 'the desired replica count is more than the maximum replica count'];
const TOO_FAST_UP: Limit = [
  'ScaleUpLimit',
  'the desired replica count is increasing faster than the maximum scale rate',
];
const TOO_FAST_DOWN: Limit = [
  'ScaleDownLimit',
  'the desired replica count is decreasing faster than the maximum scale rate',
];

/**
 * Turns the proposal of the metrics into a stable number within the rate limits and bounds. Call `withRecommendation`
 * afterwards.
 */
export function decide(autoscaler: HorizontalPodAutoscaler, question: Question): Verdict {
  const { current, proposed } = question;
  const { behavior, minReplicas: min = 1, maxReplicas: max } = autoscaler.spec;
  const stable = behavior ? stabilizeBothWays(question, windowsOf(autoscaler, question.window)) : stabilize(question);
  const held = behavior && proposed >= current ? HELD_DOWN : HELD_UP;
  const [replicas, limit] = behavior
    ? limitByRules(behavior, question, stable, min, max)
    : limitByDefault(current, stable, min, max);
  return {
    replicas,
    able: stable === proposed ? READY : held,
    limited: [replicas === stable ? 'False' : 'True', ...limit],
  };
}

/** The stabilization windows of an autoscaler, in milliseconds. */
interface Windows {
  readonly up: number;
  readonly down: number;
}

function windowsOf({ spec }: HorizontalPodAutoscaler, window: number): Windows {
  const { scaleUp, scaleDown } = spec.behavior ?? {};
  const down = scaleDown?.stabilizationWindowSeconds;
  return { up: (scaleUp?.stabilizationWindowSeconds ?? 0) * 1000, down: down === undefined ? window : down * 1000 };
}

/** The highest recent recommendation, so that nothing is scaled down before the window has passed. */
function stabilize({ proposed, memory, window, now }: Question): number {
  const recent = memory.recommendations.filter(({ at }) => at >= now - window);
  return Math.max(proposed, ...recent.map(({ replicas }) => replicas));
}

/** The lowest recent recommendation when scaling up, the highest when scaling down. */
function stabilizeBothWays({ current, proposed, memory, now }: Question, windows: Windows): number {
  const grows = proposed >= current;
  const since = now - (grows ? windows.up : windows.down);
  const recent = memory.recommendations.filter(({ at }) => at > since).map(({ replicas }) => replicas);
  return (grows ? Math.min : Math.max)(proposed, ...recent);
}

/** Without rules: at most double, or four. */
function limitByDefault(current: number, wanted: number, min: number, max: number): readonly [number, Limit] {
  const fastest = Math.max(2 * current, 4);
  if (wanted < min) return [min, TOO_FEW];
  if (wanted <= Math.min(max, fastest)) return [wanted, WITHIN];
  return max > fastest ? [fastest, TOO_FAST_UP] : [max, TOO_MANY];
}

function limitByRules(
  { scaleUp, scaleDown }: NonNullable<HorizontalPodAutoscaler['spec']['behavior']>,
  { current, memory, now }: Question,
  wanted: number,
  min: number,
  max: number,
): readonly [number, Limit] {
  if (wanted > current) {
    const fastest = Math.max(current, growthLimit(current, scaleUp ?? {}, memory.ups, now));
    const most = Math.min(max, fastest);
    if (wanted > most) return [most, max > fastest ? TOO_FAST_UP : TOO_MANY];
  }
  if (wanted < current) {
    const fastest = Math.min(current, shrinkLimit(current, scaleDown ?? {}, memory.downs, now));
    const least = Math.max(min, fastest);
    if (wanted < least) return [least, min < fastest ? TOO_FAST_DOWN : TOO_FEW];
  }
  return [wanted, WITHIN];
}

const changeWithin = (marks: readonly Mark[], seconds: number, now: number): number =>
  marks.filter((mark) => mark.at > now - seconds * 1000).reduce((sum, mark) => sum + mark.replicas, 0);

function growthLimit(current: number, { policies = [], selectPolicy }: Rules, ups: readonly Mark[], now: number) {
  if (selectPolicy === 'Disabled') return current;
  const limits = policies.map(({ type, value, periodSeconds }: Policy) => {
    const before = current - changeWithin(ups, periodSeconds, now);
    return type === 'Pods' ? before + value : Math.ceil(before * (1 + value / 100));
  });
  return selectPolicy === 'Min' ? Math.min(...limits) : Math.max(...limits);
}

function shrinkLimit(current: number, { policies = [], selectPolicy }: Rules, downs: readonly Mark[], now: number) {
  if (selectPolicy === 'Disabled') return current;
  const limits = policies.map(({ type, value, periodSeconds }: Policy) => {
    const before = current + changeWithin(downs, periodSeconds, now);
    return type === 'Pods' ? before - value : Math.trunc(before * (1 - value / 100));
  });
  return selectPolicy === 'Min' ? Math.max(...limits) : Math.min(...limits);
}

/** The initial state of an autoscaler: the current size of its target counts as a recommendation. */
export function firstMemory(current: number, now: number): Memory {
  return { recommendations: [{ at: now, replicas: current }], ups: [], downs: [] };
}

/** The state with one more recommendation; those older than every window are dropped. */
export function withRecommendation(
  memory: Memory,
  autoscaler: HorizontalPodAutoscaler,
  replicas: number,
  window: number,
  now: number,
): Memory {
  const windows = autoscaler.spec.behavior ? windowsOf(autoscaler, window) : { up: 0, down: window };
  const since = now - Math.max(windows.up, windows.down);
  const recent = memory.recommendations.filter(({ at }) => at >= since);
  return { ...memory, recommendations: [...recent, { at: now, replicas }] };
}

/** The longest period of a policy, in milliseconds. */
const LONGEST_PERIOD = 1_800_000;

/** The state with a change of size. */
export function withChange(memory: Memory, from: number, to: number, now: number): Memory {
  const recent = (marks: readonly Mark[]): readonly Mark[] => marks.filter((mark) => mark.at > now - LONGEST_PERIOD);
  return {
    ...memory,
    ups: [...recent(memory.ups), ...(to > from ? [{ at: now, replicas: to - from }] : [])],
    downs: [...recent(memory.downs), ...(to < from ? [{ at: now, replicas: from - to }] : [])],
  };
}
