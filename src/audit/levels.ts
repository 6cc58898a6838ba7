/** Levels and stages of audit events (specification, Events 4). Every request's record needs them, few clusters have a policy. */

/** How much is recorded, from nothing to everything. */
export const levels = ['None', 'Metadata', 'Request', 'RequestResponse'] as const;
export type Level = (typeof levels)[number];

export const stages = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'] as const;
export type Stage = (typeof stages)[number];

/** Whether `level` records at least as much as `wanted`. */
export const covers = (level: Level, wanted: Level): boolean => levels.indexOf(level) >= levels.indexOf(wanted);

/** What is recorded of a request. */
export interface Judgement {
  readonly level: Level;
  readonly omitStages: ReadonlySet<Stage>;
}
