import type { Entry, StorageEvent, Topic } from './types.ts';

/** Receivers by topic: an event is looked up once for each kind of topic, regardless of the number of receivers. */
export class TopicIndex<R> {
  readonly #kinds = new Map<Topic['of'], Map<string, Set<R>>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add({ of, value }: Topic, receiver: R): void {
    const values = this.#kinds.get(of) ?? new Map<string, Set<R>>();
    const receivers = values.get(value) ?? new Set<R>();
    this.#kinds.set(of, values.set(value, receivers.add(receiver)));
    this.#size++;
  }

  /** Returns false if it was not there. */
  delete({ of, value }: Topic, receiver: R): boolean {
    const values = this.#kinds.get(of);
    const receivers = values?.get(value);
    if (!values || !receivers?.delete(receiver)) return false;
    this.#size--;
    if (receivers.size === 0) values.delete(value);
    if (values.size === 0) this.#kinds.delete(of);
    return true;
  }

  all(): R[] {
    return [...this.#kinds.values()].flatMap((values) => [...values.values()].flatMap((receivers) => [...receivers]));
  }

  /** Each receiver with the events on its topic, in order. */
  concerned(events: readonly StorageEvent[]): [receiver: R, events: readonly StorageEvent[]][] {
    const concerned: [R, readonly StorageEvent[]][] = [];
    for (const [of, values] of this.#kinds) {
      const batches = new Map<Set<R>, StorageEvent[]>();
      for (const event of events) {
        const [before, now] = [topicOf(of, event.previous), topicOf(of, event.entry)];
        put(batches, values, before, event);
        if (now !== before) put(batches, values, now, event);
      }
      for (const [receivers, batch] of batches) for (const receiver of receivers) concerned.push([receiver, batch]);
    }
    return concerned;
  }
}

const topicOf = (of: Topic['of'], entry: Entry | undefined): string | undefined => (entry ? of(entry) : undefined);

function put<R>(
  batches: Map<Set<R>, StorageEvent[]>,
  values: ReadonlyMap<string, Set<R>>,
  topic: string | undefined,
  event: StorageEvent,
): void {
  const receivers = topic === undefined ? undefined : values.get(topic);
  if (!receivers) return;
  const batch = batches.get(receivers);
  if (batch) batch.push(event);
  else batches.set(receivers, [event]);
}
