import { keyOf, WorkQueue, type Informer, type QueueView } from '../../client/index.ts';
import { StatusError, type ApiObject } from '../../schema/index.ts';
import type { Clock, Metrics } from '../../std/index.ts';
import type { Cause, ReconcileEvent, Tracer, Waking } from '../../trace/index.ts';
import { Wakings } from './wakings.ts';

/** What a run can tell about itself, for those who watch the loop at work. */
export interface Run {
  /** What was decided, before it is done. */
  plan(steps: readonly unknown[]): void;
}

/** When a key is worked on again, and for which sign of life that waits. */
export interface Again {
  /** Milliseconds. */
  readonly ms: number;
  readonly guards: string;
}

export interface LoopOptions {
  /** Shown in traces. */
  readonly name: string;
  readonly workers?: number;
  /** Gives up on a key after so many failures in a row, until something wakes it again; never where nothing is said. */
  readonly retries?: number;
  /** Milliseconds until the first retry of a key, and until the last ones. */
  readonly firstDelay?: number;
  readonly longestDelay?: number;
  /** A run that goes well doesn't end a row of failures: the loop says itself when one has ended. */
  readonly keepsFailures?: boolean;
  /** Brings the world of one key nearer to what is wanted. Returns milliseconds after which to look again, if any. */
  readonly reconcile: (key: string, run: Run) => Promise<number | Again | void>;
}

export interface LoopEnvironment {
  readonly clock: Clock;
  /** Where loops count their queues. */
  readonly metrics?: Metrics;
  readonly tracer: Tracer;
  /** The revisions of the caches that its controller reads. */
  readonly read?: () => Readonly<Record<string, string>>;
}

/** A loop as it stands: its name, how many keys it works on at once, its queue. */
export interface LoopView extends QueueView {
  readonly name: string;
  readonly workers: number;
}

/** A control loop: keys come in from watches, each is reconciled, failures are tried again ever later. */
export class Loop {
  readonly #options: LoopOptions;
  readonly #tracer: Tracer;
  readonly #read: LoopEnvironment['read'];
  readonly #queue: WorkQueue;
  readonly #wakings = new Wakings();
  /** Keys that came in before the caches were filled. */
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

  /** Whether nothing waits and nothing runs; keys that wait for a moment in time are not counted. */
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

  /** What the runs under way react to. */
  causes(): readonly Cause[] {
    return this.#wakings.causes(this.#options.name);
  }

  /** Wakes a key sooner the first time, later with each failure. */
  addRateLimited(key: string): void {
    this.#queue.addRateLimited(key);
  }

  /** How often in a row a key has failed. */
  failures(key: string): number {
    return this.#queue.failures(key);
  }

  /** Ends a key's row of failures. */
  forget(key: string): void {
    this.#queue.forget(key);
  }

  /** What its queue holds, for those who look on. */
  view(): LoopView {
    const { name, workers = 1 } = this.#options;
    return { name, workers, ...this.#queue.view() };
  }

  /** While paused, keys come in and nothing works on them. */
  setPaused(paused: boolean): void {
    this.#queue.setPaused(paused);
  }

  /** Reconciles the next key though the loop is paused. */
  step(): void {
    this.#queue.step();
  }

  /** Begins to work on what came in so far. */
  open(): void {
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const key of early) this.#queue.add(key);
  }

  stop(): void {
    this.#queue.stop();
  }

  #woken(key: string, why: (() => Waking) | undefined): void {
    const tells = this.#tracer.wants('reconcile');
    const keeps = this.#tracer.wants('request');
    if (!tells && !keeps) return;
    const waking = why?.();
    if (tells) this.#trace(key, 'woken', waking?.why);
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
    if (!this.#tracer.wants('reconcile')) return;
    const told = { ...(why !== undefined && { why }), ...(read && { read }) };
    this.#tracer.emit({ topic: 'reconcile', controller: this.#options.name, key, what, ...told });
  }
}

/** Somebody wrote first: nothing went wrong, the loop only has to look again. */
export function isConflict(problem: unknown): boolean {
  return problem instanceof StatusError && problem.status.code === 409 && problem.status.reason === 'Conflict';
}

/** A change of an object as what woke a loop. */
export function wakingBy(object: ApiObject, what: string): Waking {
  const why = `${object.kind ?? 'object'} ${keyOf(object)} ${what}`;
  const revision = Number(object.metadata.resourceVersion);
  return revision > 0 ? { why, revision } : { why };
}

/** Wakes a loop for the keys that `keys` finds in each object that is added, changed (in either state) or deleted. */
export function wakeOn<T extends ApiObject>(
  loop: Loop,
  informer: Informer<T>,
  keys: (object: T) => readonly string[] = (object) => [keyOf(object)],
  interesting: (object: T, old: T) => boolean = () => true,
  /** Milliseconds for which changes are gathered before the loop looks at them. */
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
