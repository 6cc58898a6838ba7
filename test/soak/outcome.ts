/** What came of a soak. */
export interface SoakOutcome {
  readonly seed: number;
  readonly faults: readonly string[];
  /** What was done, a line for each step. */
  readonly steps: readonly string[];
  readonly answered: number;
  readonly events: number;
  readonly watches: number;
}
