import type { Clock } from '../std/index.ts';
import type { Topic, TraceEvent, Untimed } from './events.ts';

/** Sends events to listeners. Without a listener for a topic, `wants` is false and callers create no events. */
export interface Tracer {
  wants(topic: Topic): boolean;
  /** Whether every listener for `request` also listens for `together`, so that what is written together need not be traced as requests. */
  sumsUp(): boolean;
  emit(event: Untimed<TraceEvent>): void;
  /** Something happened in a topic to which nobody listens, so that no event is made of it. `emit` implies it. */
  happened(topic: Topic): void;
  /**
   * Listens to the given topics (all by default); returns a function that stops it. A listener that throws is removed.
   */
  listen(listener: (event: TraceEvent) => void, topics?: readonly Topic[]): () => void;
  /** Calls `heard` whenever something happens in a topic, without an event: for those who then read the state elsewhere. */
  hear(heard: () => void, topic: Topic): () => void;
}

interface Listener {
  readonly topics: ReadonlySet<Topic> | undefined;
  readonly call: (event: TraceEvent) => void;
}

export function createTracer(clock: Clock): Tracer {
  const listeners = new Set<Listener>();
  const wants = (topic: Topic): boolean => {
    if (listeners.size === 0) return false;
    for (const listener of listeners) if (!listener.topics || listener.topics.has(topic)) return true;
    return false;
  };
  const sumsUp = (): boolean => {
    for (const { topics } of listeners) if (!topics || (topics.has('request') && !topics.has('together'))) return false;
    return true;
  };
  const hearers = new Map<Topic, Set<() => void>>();
  const happened = (topic: Topic): void => {
    for (const heard of hearers.get(topic) ?? []) heard();
  };
  const hear = (heard: () => void, topic: Topic): (() => void) => {
    const own = (): void => heard();
    const all = hearers.get(topic) ?? new Set();
    hearers.set(topic, all.add(own));
    return () => all.delete(own);
  };
  const emit = (untimed: Untimed<TraceEvent>): void => {
    happened(untimed.topic);
    if (!wants(untimed.topic)) return;
    // The caller created the event for this call, so it is completed and not copied.
    const event = Object.assign(untimed, { at: clock.now() }) as TraceEvent;
    for (const listener of listeners)
      if (!listener.topics || listener.topics.has(event.topic)) deliver(listener, event);
  };
  const deliver = (listener: Listener, event: TraceEvent): void => {
    try {
      listener.call(event);
    } catch {
      listeners.delete(listener);
    }
  };
  const listen = (call: (event: TraceEvent) => void, topics?: readonly Topic[]): (() => void) => {
    const listener: Listener = { call, topics: topics && new Set(topics) };
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return { wants, sumsUp, emit, happened, listen, hear };
}
