/** Which timers a long step may let fire late, so that its cost is that of what happens, not of the time that passes. */

/** What a timer is for. A long step lets those fire late on whose moment nothing depends that anyone sees. */
export interface TimerUse {
  /** Whose it is and what for, for people: `deployment default/web`. */
  readonly what?: string;
  /** Whether nothing depends on its moment. */
  readonly idle?: () => boolean;
  /** It is a sign of life under this name: nothing depends on its moment, but for those who wait for it. */
  readonly beat?: string;
  /** It acts where no sign of life of this name has come: as long as one is due, nothing depends on its moment. */
  readonly guards?: string;
}

/** A timer on whose moment nothing depends. */
export const IDLE: TimerUse = { idle: () => true };

/** A timer that waits for its moment. */
export interface Pending {
  readonly id: number;
  readonly due: number;
  readonly fn: () => void;
  readonly use: TimerUse | undefined;
}

/** Milliseconds of time without an event from which on a step folds them. */
export const FOLD_FROM = 10 * 60_000;

/** The first timer whose moment matters. `pending` is ordered by due time. */
export function nextThatMatters(pending: readonly Pending[]): Pending | undefined {
  const beats = beatsIn(pending);
  return pending.find(({ use }) => !isIdle(use, beats));
}

/** Timers up to `until` that may fire late, and do now: signs of life before what waits for them. */
export function foldable(pending: readonly Pending[], until: number, which: 'beats' | 'others'): readonly Pending[] {
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
