import type { HorizontalPodAutoscaler } from '../../client/index.ts';

type Rules = NonNullable<NonNullable<HorizontalPodAutoscaler['spec']['behavior']>['scaleUp']>;

/** A number of replicas at a moment: what was recommended, or by how much it was changed. */
export interface Mark {
  readonly at: number;
  readonly replicas: number;
}

/** What an autoscaler remembers between its runs. */
export interface Memory {
  recommendations: Mark[];
  /** By how many replicas it grew, and shrank. */
  ups: Mark[];
  downs: Mark[];
}

export interface Verdict {
  readonly replicas: number;
  /** The conditions that tell why this number and not the one that the metrics propose. */
  readonly able: readonly [reason: string, message: string];
  readonly limited: readonly [status: 'True' | 'False', reason: string, message: string];
}

export interface Bounds {
  readonly min: number;
  readonly max: number;
}

const DEFAULT_UP: Rules = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
};
const DEFAULT_DOWN: Rules = { selectPolicy: 'Max', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] };

/** Turns what the metrics propose into a number that is steady, changes no faster than the rules allow, and keeps the bounds. */
export function decide(
  autoscaler: HorizontalPodAutoscaler,
  current: number,
  proposed: number,
  memory: Memory,
  window: number,
  now: number,
): Verdict {
  const { behavior, minReplicas = 1, maxReplicas: max } = autoscaler.spec;
  const up = { ...DEFAULT_UP, ...behavior?.scaleUp };
  const down = { stabilizationWindowSeconds: window / 1000, ...DEFAULT_DOWN, ...behavior?.scaleDown };
  const stable = stabilize(
    current,
    proposed,
    memory,
    (up.stabilizationWindowSeconds ?? 0) * 1000,
    (down.stabilizationWindowSeconds ?? 0) * 1000,
    now,
  );
  const able: Verdict['able'] =
    stable === proposed
      ? ['ReadyForNewScale', 'recommended size matches current size']
      : stable > proposed
        ? [
            'ScaleDownStabilized',
            'recent recommendations were higher than current one, applying the highest recent recommendation',
          ]
        : [
            'ScaleUpStabilized',
            'recent recommendations were lower than current one, applying the lowest recent recommendation',
          ];
  const [replicas, limited] = limit(current, stable, { min: minReplicas, max }, { up, down }, memory, now);
  return { replicas, able, limited };
}

/** The least of the recent recommendations to grow to, the most of those to shrink to. */
function stabilize(
  current: number,
  proposed: number,
  memory: Memory,
  upWindow: number,
  downWindow: number,
  now: number,
): number {
  const longest = Math.max(upWindow, downWindow);
  memory.recommendations = [
    ...memory.recommendations.filter((mark) => mark.at > now - longest),
    { at: now, replicas: proposed },
  ];
  const within = (window: number): number[] =>
    memory.recommendations.filter((mark) => mark.at > now - window).map((mark) => mark.replicas);
  const growTo = Math.min(proposed, ...within(upWindow));
  const shrinkTo = Math.max(proposed, ...within(downWindow));
  return Math.min(Math.max(current, growTo), shrinkTo);
}

function limit(
  current: number,
  wanted: number,
  { min, max }: Bounds,
  rules: { readonly up: Rules; readonly down: Rules },
  memory: Memory,
  now: number,
): [number, Verdict['limited']] {
  if (wanted > current) {
    const fastest = growthLimit(current, rules.up, memory, now);
    const most = Math.min(max, fastest);
    if (wanted <= most)
      return [
        Math.max(wanted, min),
        ['False', 'DesiredWithinRange', 'the desired count is within the acceptable range'],
      ];
    if (fastest >= max)
      return [most, ['True', 'TooManyReplicas', 'the desired replica count is more than the maximum replica count']];
    return [
      most,
      ['True', 'ScaleUpLimit', 'the desired replica count is increasing faster than the maximum scale rate'],
    ];
  }
  const slowest = wanted < current ? shrinkLimit(current, rules.down, memory, now) : wanted;
  const least = Math.max(min, slowest);
  if (wanted > max)
    return [max, ['True', 'TooManyReplicas', 'the desired replica count is more than the maximum replica count']];
  if (wanted >= least)
    return [wanted, ['False', 'DesiredWithinRange', 'the desired count is within the acceptable range']];
  if (slowest <= min)
    return [least, ['True', 'TooFewReplicas', 'the desired replica count is less than the minimum replica count']];
  return [
    least,
    ['True', 'ScaleDownLimit', 'the desired replica count is decreasing faster than the maximum scale rate'],
  ];
}

const sumWithin = (marks: readonly Mark[], seconds: number, now: number): number =>
  marks.filter((mark) => mark.at > now - seconds * 1000).reduce((sum, mark) => sum + mark.replicas, 0);

function growthLimit(current: number, { policies = [], selectPolicy }: Rules, { ups }: Memory, now: number): number {
  if (selectPolicy === 'Disabled') return current;
  const limits = policies.map(({ type, value, periodSeconds }) => {
    const before = current - sumWithin(ups, periodSeconds, now);
    return type === 'Pods' ? before + value : Math.ceil(before * (1 + value / 100));
  });
  return selectPolicy === 'Min' ? Math.min(...limits) : Math.max(...limits);
}

function shrinkLimit(current: number, { policies = [], selectPolicy }: Rules, { downs }: Memory, now: number): number {
  if (selectPolicy === 'Disabled') return current;
  const limits = policies.map(({ type, value, periodSeconds }) => {
    const before = current + sumWithin(downs, periodSeconds, now);
    return type === 'Pods' ? before - value : Math.floor(before * (1 - value / 100));
  });
  return selectPolicy === 'Min' ? Math.max(...limits) : Math.min(...limits);
}

/** Remembers a change of size for as long as the longest period of a policy can ask for it. */
export function remember(memory: Memory, from: number, to: number, now: number): void {
  const recent = (marks: readonly Mark[]): Mark[] => marks.filter((mark) => mark.at > now - 1_800_000);
  memory.ups = [...recent(memory.ups), ...(to > from ? [{ at: now, replicas: to - from }] : [])];
  memory.downs = [...recent(memory.downs), ...(to < from ? [{ at: now, replicas: from - to }] : [])];
}
