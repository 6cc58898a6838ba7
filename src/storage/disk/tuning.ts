/** When the disk is maintained. */
export interface Tuning {
  /** The approximate size of a snapshot row. */
  readonly rowBytes: number;
  /** Consecutive log rows are joined once there are so many, or once they have half the bytes that so many small ones can have. */
  readonly joinRows: number;
  /** A joined row is joined again if it is smaller; a group commit is joined if its commits are smaller on average. */
  readonly smallRow: number;
  /** A new snapshot replaces the log when the log is larger than this, and than `LOG_FACTOR` times the last snapshot. */
  readonly snapshotBytes: number;
  /** The approximate number of bytes that one write removes. */
  readonly removeBytes: number;
  /** The number of writes after failed maintenance until it is retried. */
  readonly patience: number;
}

export const defaultTuning: Tuning = {
  rowBytes: 1 << 20,
  joinRows: 64,
  smallRow: 1 << 15,
  snapshotBytes: 1 << 22,
  removeBytes: 1 << 22,
  patience: 100,
};
