import { keyOf, WorkQueue, type Informer, type QueueView } from '../../client/index.ts';
import { StatusError, type ApiObject } from '../../schema/index.ts';
import type { Clock, Metrics } from '../../std/index.ts';
import type { Cause, ReconcileEvent, Tracer, Waking } from '../../trace/index.ts';
import { Wakings } from './wakings.ts';

/** Reports on a run, for inspection of the loop. */
export interface Run {
  /** The plan, before it is performed. */
  plan(steps: readonly unknown[]): void;
}

/** When a key is reconciled again, and which heartbeat that waits for. */
export interface Again {
  /** Milliseconds. */
  readonly ms: number;
  readonly guards: string;
}

export interface LoopOptions {
  /** Shown in traces. */
  readonly name: string;
  readonly workers?: number;
  /** Drops a key after this many consecutive failures, until it is woken again; unlimited by default. */
  readonly retries?: number;
  /** The first and the longest retry delay, in milliseconds. */
  readonly firstDelay?: number;
  readonly longestDelay?: number;
  /** A successful run does not reset the failures: the loop does so explicitly. */
  readonly keepsFailures?: boolean;
  /** The keys to begin with, in order, once the caches are synced; by default as they were added. */
  readonly first?: () => readonly string[];
  /** Reconciles one key. Returns the milliseconds until the next run, if any. */
  readonly reconcile: (key: string, run: Run) => Promise<number | Again | void>;
}

export interface LoopEnvironment {
  readonly clock: Clock;
  /** Where loops register their queue metrics. */
  readonly metrics?: Metrics | undefined;
  readonly tracer: Tracer;
  /** The revisions of the caches that the controller reads. */
  readonly read?: (() => Readonly<Record<string, string>>) | undefined;
}

/** The state of a loop: its name, its concurrency, its queue. */
export interface LoopView extends QueueView {
  readonly name: string;
  readonly workers: number;
}

/** A control loop: watches add keys, each key is reconciled, failures are retried with back-off. */
export class Loop {
  readonly #options: LoopOptions;
  readonly #tracer: Tracer;
  readonly #read: LoopEnvironment['read'];
  readonly #queue: WorkQueue;
  readonly #wakings = new Wakings();
  /** Keys that were added before the caches were synced. */
  #early: Set<string> | undefined = new Set();

  constructor(options: LoopOptions, environment: LoopEnvironment) {
    const { clock, metrics } = environment;
    this.#options = options;
    this.#tracer = environment.tracer;
    this.#read = environment.read;
    const process = (key: string): Promise<void> => clock.during(this.#process(key), 'task');
    const { workers = 1, firstDelay = 5, longestDelay = 1_000_000 } = options;
    const counting = metrics && { metrics, name: options.name };
    this.#queue = new WorkQueue({ clock, name: options.name, workers, process, firstDelay, longestDelay, counting });
  }

  /** Whether nothing waits or runs; delayed keys are not counted. */
  get idle(): boolean {
    return this.#queue.length === 0 && (this.#early?.size ?? 0) === 0;
  }

  add(key: string, why?: () => Waking): void {
    this.#woken(key, why);
    if (this.#early) this.#early.add(key);
    else this.#queue.add(key);
  }

  addAfter(key: string, ms: number, why?: () => Waking): void {
    if (why) this.#woken(key, why);
    this.#queue.addAfter(key, ms);
  }

  /** The causes of the current runs. */
  causes(): readonly Cause[] {
    return this.#wakings.causes(this.#options.name);
  }

  /** Adds a key with a delay that grows with each failure. */
  addRateLimited(key: string): void {
    this.#queue.addRateLimited(key);
  }

  /** The number of consecutive failures of a key. */
  failures(key: string): number {
    return this.#queue.failures(key);
  }

  /** Resets a key's failures. */
  forget(key: string): void {
    this.#queue.forget(key);
  }

  /** The state of the queue, for inspection. */
  view(): LoopView {
    const { name, workers = 1 } = this.#options;
    return { name, workers, ...this.#queue.view() };
  }

  /** While paused, keys are queued but not processed. */
  setPaused(paused: boolean): void {
    this.#queue.setPaused(paused);
  }

  /** Reconciles the next key while the loop is paused. */
  step(): void {
    this.#queue.step();
  }

  /** Starts processing the queued keys. */
  open(): void {
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const key of [...(this.#options.first?.() ?? []), ...early]) this.#queue.add(key);
  }

  stop(): void {
    this.#queue.stop();
  }

  #woken(key: string, why: (() => Waking) | undefined): void {
    const tells = this.#tracer.wants('reconcile');
    const keeps = this.#tracer.wants('request');
    const waking = tells || keeps ? why?.() : undefined;
    this.#trace(key, 'woken', waking?.why);
    if (keeps && waking) this.#wakings.note(key, waking);
  }

  async #process(key: string): Promise<void> {
    this.#wakings.begin(key);
    const read = this.#tracer.wants('reconcile') ? this.#read?.() : undefined;
    try {
      const again = await this.#options.reconcile(key, { plan: (steps) => this.#planned(key, steps) });
      if (!this.#options.keepsFailures) this.#queue.forget(key);
      const { ms, guards } = typeof again === 'object' ? again : { ms: again };
      if (ms !== undefined) this.#queue.addAfter(key, ms, guards);
      this.#wakings.end(key, false);
      this.#trace(key, 'done', ms === undefined ? undefined : `again in ${ms} ms`, read);
    } catch (problem) {
      this.#failed(key, problem, read);
    }
  }

  #failed(key: string, problem: unknown, read: ReconcileEvent['read']): void {
    this.#wakings.end(key, true);
    this.#trace(key, isConflict(problem) ? 'requeued' : 'failed', String(problem), read);
    if (this.#queue.failures(key) < (this.#options.retries ?? Infinity)) this.#queue.addRateLimited(key);
    else this.#queue.forget(key);
  }

  #planned(key: string, plan: readonly unknown[]): void {
    if (plan.length === 0 || !this.#tracer.wants('reconcile')) return;
    this.#tracer.emit({ topic: 'reconcile', controller: this.#options.name, key, what: 'planned', plan });
  }

  #trace(key: string, what: ReconcileEvent['what'], why?: string, read?: ReconcileEvent['read']): void {
    if (!this.#tracer.wants('reconcile')) return this.#tracer.happened('reconcile');
    const told = { ...(why !== undefined && { why }), ...(read && { read }) };
    this.#tracer.emit({ topic: 'reconcile', controller: this.#options.name, key, what, ...told });
  }
}

/** A concurrent write came first: this is not an error, the loop reconciles again. */
export function isConflict(problem: unknown): boolean {
  return problem instanceof StatusError && problem.status.code === 409 && problem.status.reason === 'Conflict';
}

/** Describes an object's change as the cause of a run. */
export function wakingBy(object: ApiObject, what: string): Waking {
  const why = `${object.kind ?? 'object'} ${keyOf(object)} ${what}`;
  const revision = Number(object.metadata.resourceVersion);
  return revision > 0 ? { why, revision } : { why };
}

/** Wakes a loop for the keys that `keys` returns for each added, changed (old and new state) or deleted object. */
export function wakeOn<T extends ApiObject>(
  loop: Loop,
  informer: Informer<T>,
  keys: (object: T) => readonly string[] = (object) => [keyOf(object)],
  interesting: (object: T, old: T) => boolean = () => true,
  /** Milliseconds for which changes are batched. */
  gather = 0,
): void {
  const wake = (what: string, object: T, old?: T): void => {
    const why = (): Waking => wakingBy(object, what);
    const woken = new Set(keys(object));
    for (const key of old ? keys(old) : []) woken.add(key);
    for (const key of woken) {
      if (gather > 0) loop.addAfter(key, gather, why);
      else loop.add(key, why);
    }
  };
  informer.on({
    added: (object) => wake('added', object),
    changed: (object, old) => (interesting(object, old) ? wake('changed', object, old) : undefined),
    deleted: (object) => wake('deleted', object),
  });
}
