/** Runs user-written code in an isolated machine, which the host provides. */

/** One run of a handler. */
export interface Job {
  /** A module whose default export is the handler. */
  readonly code: string;
  /** The handler's arguments, as a JSON list. */
  readonly input: string;
  readonly limits: Limits;
}

export interface Limits {
  /** The time limit on the machine's own clock, because a loop uses real time regardless of the cluster's clock. */
  readonly milliseconds: number;
  readonly bytes: number;
}

/** The result of a run; `logs` is the console output. */
export type Run = { readonly logs: readonly string[] } & (
  | {
      readonly outcome: 'returned';
      /** As JSON; undefined if the handler returned nothing. */
      readonly value: string | undefined;
    }
  | { readonly outcome: 'threw'; readonly message: string }
  /** The machine was stopped, because it exceeded a limit or crashed. */
  | { readonly outcome: 'ended'; readonly limit: 'time' | 'memory' | 'none'; readonly message: string }
);

/** Runs code without access to network, storage or page. */
export interface Sandbox {
  /** Rejects with the signal's reason when it aborts; the machine is stopped then. */
  run(job: Job, signal: AbortSignal): Promise<Run>;
  /** Stops all machines. */
  stop(): void;
}
