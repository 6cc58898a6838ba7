/** How fast the picture follows what was recorded. All times are milliseconds of the page's own clock. */

export interface Player {
  readonly playing: boolean;
  /** 1 follows what happens; less is slow motion, which may fall behind. */
  readonly speed: number;
}

/** Beats in a second when nothing presses. */
const PACE = 24;
/** At full speed, most of what was recorded is shown within so many milliseconds, however much it is. */
const CATCH_UP = 800;
/** Beats that are due at once at most: after a pause the picture goes on and doesn't jump. */
const MOST_AT_ONCE = 400;

/** How many beats are due after `elapsed`; the fraction is carried on by the caller. */
export function beatsDue({ playing, speed }: Player, behind: number, elapsed: number): number {
  if (!playing || behind <= 0) return 0;
  const pace = speed < 1 ? PACE * speed : Math.max(PACE, (behind / CATCH_UP) * 1000);
  return Math.min(behind, MOST_AT_ONCE, (pace * elapsed) / 1000);
}

/** How long something takes to move, at this speed and with so much behind it. */
export function motionMs({ speed }: Player, behind: number): number {
  if (speed < 1) return Math.min(1200, 320 / speed);
  return behind > 200 ? 220 : 320;
}

/** Beyond so many events in a second single ones can't be followed: the picture shows counts. */
export const FOLD_AT = 500;
const UNFOLD_AT = 250;
/** A burst of more beats than these would be shown long after it happened: it is counted, too. */
export const FOLD_BEHIND = 800;
/** Counts stand at least so many milliseconds, so that they can be read. */
export const FOLDED_MS = 1500;

/** Whether counts are shown, given whether they were. */
export const folds = (folded: boolean, perSecond: number): boolean => perSecond > (folded ? UNFOLD_AT : FOLD_AT);
