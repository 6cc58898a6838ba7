import type { CompactedError, OverflowError } from './errors.ts';
import type { KeySpace } from './keyspace.ts';
import { keyEnd, prefixEnd } from './ranges.ts';
import { TopicIndex } from './topics.ts';
import { Watcher } from './watcher.ts';
import type { EventSink, StorageEvent, Watch, WatchOptions } from './types.ts';
import type { Revision } from './revision.ts';

const BUFFER_LIMIT = 10_000;

/** The watches of one range: an event is matched once for all of them, and they share one array. */
interface Group {
  readonly start: string;
  readonly end: string;
  readonly watchers: Set<Watcher>;
  /** The watches of the range that are limited to a topic. */
  readonly topics: TopicIndex<Watcher>;
}

/** Delivers every change to the watches whose range contains its key. */
export class Watches {
  readonly #space: KeySpace;
  /**
   * Groups whose range is a prefix up to a slash, or a single key. They are found from the parts of the key, regardless
   * of their number.
   */
  readonly #byPrefix = new Map<string, Group>();
  readonly #byKey = new Map<string, Group>();
  /** All other groups; each event is compared with each of them. */
  readonly #byRange = new Map<string, Group>();
  #size = 0;
  #closed = false;

  constructor(space: KeySpace) {
    this.#space = space;
  }

  get size(): number {
    return this.#size;
  }

  add(options: WatchOptions, sink: EventSink, onEnd: (error?: CompactedError | OverflowError) => void): Watch {
    const { start, end, from, bufferLimit = BUFFER_LIMIT, topic } = options;
    const [groups, name] = this.#placeOf(start, end);
    const group = groups.get(name) ?? { start, end, watchers: new Set(), topics: new TopicIndex() };
    const leave = (): void => {
      if (!(topic ? group.topics.delete(topic, watcher) : group.watchers.delete(watcher))) return;
      this.#size--;
      if (group.watchers.size + group.topics.size === 0 && groups.get(name) === group) groups.delete(name);
    };
    const watcher: Watcher = new Watcher({ space: this.#space, from, bufferLimit, sink, onEnd, leave });
    groups.set(name, group);
    if (topic) group.topics.add(topic, watcher);
    else group.watchers.add(watcher);
    this.#size++;
    watcher.start(() => this.#space.eventsSince(from, start, end));
    // A watch that is opened after `close` also ends.
    if (this.#closed) queueMicrotask(() => watcher.end());
    return watcher;
  }

  /** Notifies watches of durable changes of one or more commits, and of the revision they lead to. */
  publish(events: readonly StorageEvent[], revision: Revision): void {
    const batches = new Map<Group, StorageEvent[]>();
    for (const event of events) {
      for (const group of this.#groupsOf(event.key)) {
        const batch = batches.get(group);
        if (batch) batch.push(event);
        else batches.set(group, [event]);
      }
    }
    for (const [group, batch] of batches) {
      for (const watcher of [...group.watchers]) watcher.offer(batch, revision);
      for (const [watcher, concerning] of group.topics.concerned(batch)) watcher.offer(concerning, revision);
    }
  }

  /** Ends all watches without an error, including those that are opened later. */
  close(): void {
    this.#closed = true;
    for (const groups of [this.#byPrefix, this.#byKey, this.#byRange]) {
      for (const { watchers, topics } of [...groups.values()])
        for (const watcher of [...watchers, ...topics.all()]) watcher.end();
    }
  }

  #placeOf(start: string, end: string): [groups: Map<string, Group>, name: string] {
    if (start.endsWith('/') && end === prefixEnd(start)) return [this.#byPrefix, start];
    if (end === keyEnd(start)) return [this.#byKey, start];
    return [this.#byRange, JSON.stringify([start, end])];
  }

  *#groupsOf(key: string): Iterable<Group> {
    for (let slash = key.indexOf('/'); slash >= 0; slash = key.indexOf('/', slash + 1)) {
      const group = this.#byPrefix.get(key.slice(0, slash + 1));
      if (group) yield group;
    }
    const group = this.#byKey.get(key);
    if (group) yield group;
    for (const group of this.#byRange.values()) if (key >= group.start && key < group.end) yield group;
  }
}
