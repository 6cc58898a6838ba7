/**
 * Levels and stages of audit events (specification, Events 4). Every request needs them, but few clusters have a
 * policy.
 */

/** Audit levels, from least to most. */
export const levels = ['None', 'Metadata', 'Request', 'RequestResponse'] as const;
export type Level = (typeof levels)[number];

export const stages = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'] as const;
export type Stage = (typeof stages)[number];

/** Whether `level` records at least as much as `wanted`. */
export const covers = (level: Level, wanted: Level): boolean => levels.indexOf(level) >= levels.indexOf(wanted);

/** How a request is recorded. */
export interface Judgement {
  readonly level: Level;
  readonly omitStages: ReadonlySet<Stage>;
}
