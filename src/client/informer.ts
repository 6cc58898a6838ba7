import { type Clock, delay, inBackground, otherTasks, type Random } from '../std/index.ts';
import { StatusError, type ApiObject } from '../schema/index.ts';
import { Backoff } from './backoff.ts';
import type { ResourceClient, Selection } from './client.ts';
import { keyOf } from './resources.ts';
import { Store, type IndexFunction } from './store.ts';
import type { WatchEvent } from './watch.ts';

/** What is told of each change, in the order of their revisions. Objects are shared: never change one. */
export interface Handler<T> {
  /** `initial` is true for what was there when the handler or the informer began. */
  added?(object: T, initial: boolean): void;
  changed?(object: T, old: T): void;
  deleted?(old: T): void;
}

export interface InformerOptions<T extends ApiObject> {
  readonly resource: ResourceClient<T>;
  readonly clock: Clock;
  /** Stretches the delays between attempts, so that many clients don't come back at once. */
  readonly random?: Random;
  readonly selection?: Selection;
  /** Hears of failed lists, ended watches and handlers that throw; the informer goes on by itself. */
  readonly onProblem?: (problem: unknown) => void;
}

interface Waiter<T> {
  readonly holds: (object: T | undefined) => boolean;
  readonly done: () => void;
}

/** So many objects are listed or told of before others get their turn. */
const PAGE = 500;
const FIRST_DELAY = 800;
const LONGEST_DELAY = 30_000;
const WAIT_AT_MOST = 5_000;

/**
 * A cache of one collection, kept true by a list and a watch from its revision. A watch that ends is taken up where
 * it ended; where the server no longer keeps that revision, the collection is listed again and handlers hear the
 * difference.
 */
export class Informer<T extends ApiObject = ApiObject> {
  readonly #options: InformerOptions<T>;
  readonly #store = new Store<T>();
  readonly #handlers = new Set<Handler<T>>();
  readonly #waiters = new Map<string, Set<Waiter<T>>>();
  readonly #abort = new AbortController();
  readonly #backoff: Backoff;
  #revision = '';
  #started = false;
  #hasSynced = false;
  #markSynced: () => void = () => undefined;
  /** Resolves when the first list is in the cache. */
  readonly synced: Promise<void>;

  constructor(options: InformerOptions<T>) {
    this.#options = options;
    this.#backoff = new Backoff(FIRST_DELAY, LONGEST_DELAY, options.random);
    this.synced = new Promise((resolve) => (this.#markSynced = resolve));
  }

  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  /** The newest revision that the cache has heard of. */
  get revision(): string {
    return this.#revision;
  }

  /** How many objects the cache holds. */
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

  /** Tells `handler` of what is there and of every change; returns what ends that. */
  on(handler: Handler<T>): () => void {
    this.#handlers.add(handler);
    for (const object of this.#store.list()) this.#guard(() => handler.added?.(object, true));
    return () => this.#handlers.delete(handler);
  }

  /**
   * Waits until the cached object under `key` satisfies `holds`: how a control loop sees its own writes before it
   * looks again. Gives up after five seconds, since the next event wakes the loop anyway.
   */
  async until(key: string, holds: (object: T | undefined) => boolean): Promise<void> {
    if (this.#abort.signal.aborted || holds(this.#store.get(key))) return;
    const waiters = this.#waiters.get(key) ?? new Set();
    this.#waiters.set(key, waiters);
    await new Promise<void>((resolve) => {
      const timer = this.#options.clock.setTimeout(() => waiter.done(), WAIT_AT_MOST);
      const done = (): void => {
        this.#options.clock.clearTimeout(timer);
        waiters.delete(waiter);
        if (waiters.size === 0 && this.#waiters.get(key) === waiters) this.#waiters.delete(key);
        resolve();
      };
      const waiter: Waiter<T> = { holds, done };
      waiters.add(waiter);
    });
  }

  /** Begins to list and watch; calling it again changes nothing. */
  start(): void {
    if (this.#started) return;
    this.#started = true;
    inBackground(this.#run(), (problem) => this.#report(problem));
  }

  stop(): void {
    this.#abort.abort();
    for (const waiters of this.#waiters.values()) for (const waiter of [...waiters]) waiter.done();
  }

  async #run(): Promise<void> {
    const { signal } = this.#abort;
    while (!signal.aborted) {
      try {
        await this.#relist();
        await this.#follow();
      } catch (problem) {
        this.#report(problem);
      }
      if (!signal.aborted) await delay(this.#options.clock, this.#backoff.next(), signal);
    }
  }

  async #relist(): Promise<void> {
    const { items, revision } = await this.#listAll();
    if (this.#abort.signal.aborted) return;
    const present = new Set(items.map(keyOf));
    for (const key of [...this.#store.keys()]) if (!present.has(key)) this.#remove(key);
    for (const [i, item] of items.entries()) {
      this.#put(item, !this.#hasSynced);
      if (i % PAGE === PAGE - 1) await otherTasks();
    }
    this.#revision = revision;
    this.#hasSynced = true;
    this.#markSynced();
  }

  /** Page by page, all of one revision, and lets others work in between: a long list must not hold up requests. */
  async #listAll(): Promise<{ readonly items: readonly T[]; readonly revision: string }> {
    const { resource, selection } = this.#options;
    const pages: (readonly T[])[] = [];
    let next: string | undefined;
    for (;;) {
      const page = await resource.list({ ...selection, limit: PAGE, ...(next !== undefined && { continue: next }) });
      pages.push(page.items);
      next = page.metadata.continue || undefined;
      if (next === undefined) return { items: pages.flat(), revision: page.metadata.resourceVersion ?? '' };
      await otherTasks();
      this.#abort.signal.throwIfAborted();
    }
  }

  /** Watches for as long as the server keeps the revisions since the last event; then the caller lists again. */
  async #follow(): Promise<void> {
    const { signal } = this.#abort;
    while (!signal.aborted) {
      try {
        await this.#watchOnce();
      } catch (problem) {
        if (signal.aborted || hasExpired(problem)) return;
        this.#report(problem);
        await delay(this.#options.clock, this.#backoff.next(), signal);
      }
    }
  }

  async #watchOnce(): Promise<void> {
    const { clock, resource, selection } = this.#options;
    const { signal } = this.#abort;
    const opened = clock.now();
    const watch = resource.watch({ ...selection, resourceVersion: this.#revision, bookmarks: true, signal });
    for await (const events of watch) {
      if (signal.aborted) return;
      this.#backoff.reset();
      for (const event of events) this.#apply(event);
    }
    // A server that ends watches as soon as they open must not be asked again without pause.
    if (!signal.aborted && clock.now() - opened < 1000) await delay(clock, this.#backoff.next(), signal);
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
    // The same name with another uid is another object: the one before it was deleted while nobody watched.
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
    for (const waiter of [...(this.#waiters.get(key) ?? [])]) if (waiter.holds(this.#store.get(key))) waiter.done();
  }

  #tell(call: (handler: Handler<T>) => void): void {
    for (const handler of this.#handlers) this.#guard(() => call(handler));
  }

  /** One handler's mistake must not keep the others from hearing of the change. */
  #guard(call: () => void): void {
    try {
      call();
    } catch (problem) {
      this.#report(problem);
    }
  }

  #report(problem: unknown): void {
    if (!this.#abort.signal.aborted) this.#options.onProblem?.(problem);
  }
}

function hasExpired(problem: unknown): boolean {
  return problem instanceof StatusError && problem.status.code === 410;
}
