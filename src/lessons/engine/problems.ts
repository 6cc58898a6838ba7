/** What was thrown, as an error. */
export const asError = (problem: unknown): Error => (problem instanceof Error ? problem : new Error(String(problem)));
