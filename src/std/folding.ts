/**
 * Decides which timers may fire late during a long step, so that the cost of the step depends on the work in it and not
 * on its length.
 */

/** Describes what a timer is for. A long step may delay timers whose exact time has no visible effect. */
export interface TimerUse {
  /** The owner and purpose of the timer, for people: `deployment default/web`. */
  readonly what?: string;
  /** Whether the exact time of the timer has no effect. */
  readonly idle?: () => boolean;
  /** The timer sends the heartbeat of this name. Only its guards depend on its exact time. */
  readonly beat?: string;
  /**
   * The timer acts when the heartbeat of this name has not come. While a heartbeat is pending, its exact time has no
   * effect.
   */
  readonly guards?: string;
}

/** For a timer whose exact time has no effect. */
export const IDLE: TimerUse = { idle: () => true };

/** A pending timer. */
export interface Pending {
  readonly key: number;
  readonly due: number;
  readonly fn: () => void;
  readonly use: TimerUse | undefined;
}

/** A step folds idle timers if at least this many milliseconds pass until the next relevant timer. */
export const FOLD_FROM = 10 * 60_000;

/** The first timer that must fire on time. `pending` is ordered by due time. */
export function nextThatMatters(pending: readonly Pending[]): Pending | undefined {
  const beats = beatsIn(pending);
  return pending.find(({ use }) => !isIdle(use, beats));
}

/** Timers up to `until` that may fire late: heartbeats first, then the timers that guard them. */
export function timersToFold(
  pending: readonly Pending[],
  until: number,
  which: 'beats' | 'others',
): readonly Pending[] {
  const beats = beatsIn(pending);
  return pending.filter(
    ({ due, use }) => due <= until && isIdle(use, beats) && (use?.beat !== undefined) === (which === 'beats'),
  );
}

function beatsIn(pending: readonly Pending[]): ReadonlySet<string> {
  return new Set(pending.flatMap(({ use }) => use?.beat ?? []));
}

function isIdle(use: TimerUse | undefined, beats: ReadonlySet<string>): boolean {
  if (!use) return false;
  if (use.beat !== undefined) return true;
  if (use.guards !== undefined) return beats.has(use.guards);
  return use.idle?.() ?? false;
}
