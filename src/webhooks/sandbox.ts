/** Where code runs that people write: a machine of its own, which the host provides. */

/** One run of a handler. */
export interface Job {
  /** A module whose default export is the handler. */
  readonly code: string;
  /** The handler's arguments, as JSON of a list. */
  readonly input: string;
  readonly limits: Limits;
}

export interface Limits {
  /** Of the machine's own time, not the cluster's: a loop costs that, whatever the cluster's clock says. */
  readonly milliseconds: number;
  readonly bytes: number;
}

/** What came of a run; `logs` are the lines that the code wrote. */
export type Run = { readonly logs: readonly string[] } & (
  | {
      readonly outcome: 'returned';
      /** As JSON; undefined where the handler returned nothing. */
      readonly value: string | undefined;
    }
  | { readonly outcome: 'threw'; readonly message: string }
  /** The machine was ended, because it went beyond a limit or broke. */
  | { readonly outcome: 'ended'; readonly limit: 'time' | 'memory' | 'none'; readonly message: string }
);

/** Runs code that must reach nothing: no network, no storage, no page. */
export interface Sandbox {
  /** Rejects with the signal's reason when it aborts; the machine is ended then. */
  run(job: Job, signal: AbortSignal): Promise<Run>;
  /** Ends all machines. */
  stop(): void;
}
