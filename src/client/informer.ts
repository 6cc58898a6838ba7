import { type Clock, delay, inBackground, Stop, yieldToTasks, type Random } from '../std/index.ts';
import { StatusError, type ApiObject } from '../schema/index.ts';
import { Backoff } from './backoff.ts';
import type { ResourceClient, Selection } from './client.ts';
import { keyOf } from './resources.ts';
import { Store, type IndexFunction } from './store.ts';
import { follow, type Follower, type WatchEvent } from './watch.ts';

/** Called for each change, in the order of revisions. Objects are shared: never modify them. */
export interface Handler<T> {
  /** `initial` is true for objects that existed when the handler or the informer started. */
  added?(object: T, initial: boolean): void;
  changed?(object: T, old: T): void;
  deleted?(old: T): void;
}

export interface InformerOptions<T extends ApiObject> {
  readonly resource: ResourceClient<T>;
  readonly clock: Clock;
  /** Extends the delays between attempts randomly, so that many clients do not retry at the same time. */
  readonly random?: Random;
  readonly selection?: Selection;
  /** Called for failed lists, ended watches and handlers that throw; the informer continues. */
  readonly onProblem?: (problem: unknown) => void;
}

interface Waiter<T> {
  readonly holds: (object: T | undefined) => boolean;
  readonly done: () => void;
}

/** The informer yields to other tasks after listing or reporting this many objects. */
const PAGE = 500;
const FIRST_DELAY = 800;
const LONGEST_DELAY = 30_000;
const WAIT_AT_MOST = 5_000;

/**
 * A cache of one collection, kept up to date by a list and a watch from its revision. An ended watch is resumed where
 * it ended. If the server no longer has that revision, the collection is listed again and handlers receive the
 * differences.
 */
export class Informer<T extends ApiObject = ApiObject> implements Follower<T> {
  readonly #options: InformerOptions<T>;
  readonly #store = new Store<T>();
  #handlers: readonly Handler<T>[] = [];
  /** Mostly nobody waits. */
  #waiters: Map<string, Set<Waiter<T>>> | undefined;
  readonly #stop = new Stop();
  readonly #backoff: Backoff;
  #revision = '';
  #started = false;
  #hasSynced = false;
  /** Whether a watch can continue from the revision that is known. */
  #canFollow = false;
  #opened = 0;
  #markSynced: () => void = () => undefined;
  /** Resolves when the cache contains the first list. */
  readonly synced: Promise<void>;

  constructor(options: InformerOptions<T>) {
    this.#options = options;
    this.#backoff = new Backoff(FIRST_DELAY, LONGEST_DELAY, options.random);
    this.synced = new Promise((resolve) => (this.#markSynced = resolve));
  }

  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  /** The newest revision that the cache has received. */
  get revision(): string {
    return this.#revision;
  }

  /** The number of objects in the cache. */
  get size(): number {
    return this.#store.size;
  }

  get(key: string): T | undefined {
    return this.#store.get(key);
  }

  list(): T[] {
    return this.#store.list();
  }

  addIndex(name: string, fn: IndexFunction<T>): void {
    this.#store.addIndex(name, fn);
  }

  by(index: string, value: string): T[] {
    return this.#store.by(index, value);
  }

  /** Calls `handler` for existing objects and for every change; returns a function that removes it. */
  on(handler: Handler<T>): () => void {
    if (!this.#handlers.includes(handler)) this.#handlers = this.#handlers.concat(handler);
    for (const object of this.#store.list()) this.#guard(handler, (told) => told.added?.(object, true));
    return () => (this.#handlers = this.#handlers.filter((other) => other !== handler));
  }

  /**
   * Waits until the cached object under `key` satisfies `holds`. A control loop uses it to see its own writes before it
   * reconciles again. It gives up after five seconds, because the next event wakes the loop anyway.
   */
  async until(key: string, holds: (object: T | undefined) => boolean): Promise<void> {
    if (this.#stop.aborted || holds(this.#store.get(key))) return;
    const all = (this.#waiters ??= new Map());
    const waiters = all.get(key) ?? new Set();
    all.set(key, waiters);
    await new Promise<void>((resolve) => {
      const timer = this.#options.clock.setTimeout(() => waiter.done(), WAIT_AT_MOST);
      const done = (): void => {
        this.#options.clock.clearTimeout(timer);
        waiters.delete(waiter);
        if (waiters.size === 0 && all.get(key) === waiters) all.delete(key);
        resolve();
      };
      const waiter: Waiter<T> = { holds, done };
      waiters.add(waiter);
    });
  }

  /** Starts listing and watching; further calls have no effect. */
  start(): void {
    if (this.#started) return;
    this.#started = true;
    inBackground(this.#run(), (problem) => this.#report(problem));
  }

  /** Whether it was stopped; then `until` no longer waits. */
  get stopped(): boolean {
    return this.#stop.aborted;
  }

  stop(): void {
    this.#stop.abort();
    for (const waiters of this.#waiters?.values() ?? []) for (const waiter of [...waiters]) waiter.done();
  }

  /** Lists, and opens a watch. It is over when the watch is open: the watch tells of its end. */
  async #run(): Promise<void> {
    while (!this.#canFollow && !this.#stop.aborted) {
      try {
        await this.#relist();
        this.#canFollow = true;
      } catch (problem) {
        this.#report(problem);
        await this.#backOff();
      }
    }
    if (this.#stop.aborted) return;
    const { clock, resource, selection } = this.#options;
    this.#opened = clock.now();
    const signal = this.#stop;
    const asked = { ...selection, resourceVersion: this.#revision, bookmarks: true, signal };
    const response = await resource.watch(asked).catch((problem: unknown) => this.ended(problem));
    if (response) await follow(response, this);
  }

  async #backOff(): Promise<void> {
    if (!this.#stop.aborted) await delay(this.#options.clock, this.#backoff.next(), this.#stop);
  }

  async #relist(): Promise<void> {
    const { items, revision } = await this.#listAll();
    if (this.#stop.aborted) return;
    const present = new Set(items.map(keyOf));
    for (const key of [...this.#store.keys()]) if (!present.has(key)) this.#remove(key);
    for (const [i, item] of items.entries()) {
      this.#put(item, !this.#hasSynced);
      if (i % PAGE === PAGE - 1) await yieldToTasks();
    }
    this.#revision = revision;
    this.#hasSynced = true;
    this.#markSynced();
  }

  /** Lists page by page at one revision and yields in between, so that a long list does not delay requests. */
  async #listAll(): Promise<{ readonly items: readonly T[]; readonly revision: string }> {
    const { resource, selection } = this.#options;
    const pages: (readonly T[])[] = [];
    let next: string | undefined;
    for (;;) {
      const page = await resource.list({ ...selection, limit: PAGE, ...(next !== undefined && { continue: next }) });
      pages.push(page.items);
      next = page.metadata.continue || undefined;
      if (next === undefined) return { items: pages.flat(), revision: page.metadata.resourceVersion ?? '' };
      await yieldToTasks();
      if (this.#stop.aborted) throw new Error('stopped');
    }
  }

  events(events: readonly WatchEvent<T>[]): void {
    if (this.#stop.aborted) return;
    this.#backoff.reset();
    for (const event of events) this.#apply(event);
  }

  /** Watches again as long as the server has the revisions since the last event, and lists again otherwise. */
  ended(problem?: unknown): void {
    if (this.#stop.aborted) return;
    if (hasExpired(problem)) this.#canFollow = false;
    else if (problem !== undefined) this.#report(problem);
    // Backs off if the server ends watches as soon as they open.
    const isFast = problem !== undefined || this.#options.clock.now() - this.#opened < 1000;
    const again = isFast ? this.#backOff().then(() => this.#run()) : this.#run();
    inBackground(again, (unexpected) => this.#report(unexpected));
  }

  #apply(event: WatchEvent<T>): void {
    this.#revision = event.object.metadata.resourceVersion ?? this.#revision;
    if (event.type === 'DELETED') this.#remove(keyOf(event.object), event.object);
    else if (event.type !== 'BOOKMARK') this.#put(event.object, false);
  }

  #put(object: T, initial: boolean): void {
    const key = keyOf(object);
    const known = this.#store.get(key);
    if (known && known.metadata.resourceVersion === object.metadata.resourceVersion) return;
    // The same name with another uid is a new object: the old one was deleted while there was no watch.
    if (known && known.metadata.uid !== object.metadata.uid) this.#remove(key);
    const old = this.#store.put(object);
    if (old) this.#tell((handler) => handler.changed?.(object, old));
    else this.#tell((handler) => handler.added?.(object, initial));
    this.#wake(key);
  }

  #remove(key: string, last?: T): void {
    const old = this.#store.remove(key);
    if (!old) return;
    this.#tell((handler) => handler.deleted?.(last ?? old));
    this.#wake(key);
  }

  #wake(key: string): void {
    const waiters = this.#waiters?.get(key);
    if (!waiters) return;
    for (const waiter of [...waiters]) if (waiter.holds(this.#store.get(key))) waiter.done();
  }

  #tell(call: (handler: Handler<T>) => void): void {
    for (const handler of this.#handlers) this.#guard(handler, call);
  }

  /** An exception in one handler must not keep the others from receiving the change. */
  #guard(handler: Handler<T>, call: (handler: Handler<T>) => void): void {
    try {
      call(handler);
    } catch (problem) {
      this.#report(problem);
    }
  }

  #report(problem: unknown): void {
    if (!this.#stop.aborted) this.#options.onProblem?.(problem);
  }
}

function hasExpired(problem: unknown): boolean {
  return problem instanceof StatusError && problem.status.code === 410;
}
