/** What the page sees of controllers at work: the forms in which the host tells it. */

/** A loop's queue. */
export interface LoopView {
  readonly name: string;
  /** How many keys are worked on at once. */
  readonly workers: number;
  /** How many keys wait, and those in front. */
  readonly waiting: number;
  readonly next: readonly string[];
  readonly running: readonly string[];
  /** Keys that come in at a moment in time (milliseconds since the epoch). */
  readonly delayed: readonly { readonly key: string; readonly due: number }[];
  readonly failing: readonly { readonly key: string; readonly failures: number }[];
  readonly paused: boolean;
}

export interface ControllerView {
  readonly name: string;
  /** The user as whom it writes. */
  readonly user: string;
  /** There is nothing for it to do yet. */
  readonly notStarted: boolean;
  readonly loops: readonly LoopView[];
  /** The paths of the caches that it reads. */
  readonly reads: readonly string[];
}

/** A cache that controllers share. */
export interface InformerView {
  readonly path: string;
  readonly synced: boolean;
  readonly revision: string;
  readonly objects: number;
}

export interface ControllersState {
  readonly controllers: readonly ControllerView[];
  readonly informers: readonly InformerView[];
  /** The revision that storage has reached. */
  readonly revision: number;
}

export interface ControllersControl {
  /** Calls back with how they stand, now and whenever one has worked; returns what ends it. */
  follow(listener: (state: ControllersState) => void): () => void;
  /** Pauses one, lets it go on, or lets it reconcile one key. */
  move(controller: string, what: 'pause' | 'resume' | 'step'): Promise<void>;
}
