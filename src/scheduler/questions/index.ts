/** Answers to questions about scheduling, as pure functions of a situation. What-if questions use a draft. */
export {
  questionsOf,
  type PodQuestion,
  type NodeRow,
  type Placement,
  type RemoteQuestions,
  type SchedulingQuestions,
} from './asked.ts';
export { situationWith, type Draft } from './draft.ts';
export {
  explainNode,
  explainPlacement,
  type Explanation,
  type NodeExplanation,
  type PreemptionCandidate,
  type PreemptionStory,
  type ScorePart,
  type Verdict,
} from './explainPlacement.ts';
export { decide, howManyFit, placed, rehearseDrain, type Decision, type DrainOutcome, type Fit } from './rehearse.ts';
export { overviewOf, type LaneView, type NodeTile, type Overview, type QueuedPod } from './overview.ts';
export { remediesFor, type Remedy } from './remedies.ts';
export { winnersOf } from './round.ts';
export { tippingPoints, type Knob, type Tipping } from './tipping.ts';
export type { Situation } from './situation.ts';
export { wakingEvents } from './wakingEvents.ts';
