/** Questions about scheduling, as pure functions of a situation. What-if is the same question about a draft. */
export {
  explainPlacement,
  type Explanation,
  type NodeExplanation,
  type PreemptionCandidate,
  type PreemptionStory,
  type ScorePart,
  type Verdict,
} from './explainPlacement.ts';
export { decide, howManyFit, placed, rehearseDrain, type Decision, type DrainOutcome, type Fit } from './rehearse.ts';
export type { Situation } from './situation.ts';
export { wakingEvents } from './wakingEvents.ts';
