/** A point in the cluster's history: positive integers from one counter, one for each commit that changed something. */
export type Revision = number;
