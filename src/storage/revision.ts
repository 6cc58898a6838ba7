/**
 * A point in the cluster's history: a positive integer from one counter, incremented by each commit that changes
 * something.
 */
export type Revision = number;
