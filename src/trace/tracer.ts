import type { Clock } from '../std/index.ts';
import type { Topic, TraceEvent, Untimed } from './events.ts';

/** Sends events to listeners. Without a listener for a topic, `wants` is false and callers create no events. */
export interface Tracer {
  wants(topic: Topic): boolean;
  /** Whether every listener for `request` also listens for `together`, so that what is written together need not be traced as requests. */
  sumsUp(): boolean;
  emit(event: Untimed<TraceEvent>): void;
  /** Calls those who hear a topic. For callers that create no event because nobody wants it; `emit` calls them, too. */
  happened(topic: Topic): void;
  /**
   * Listens to the given topics (all by default); returns a function that stops it. A listener that throws is removed.
   */
  listen(listener: (event: TraceEvent) => void, topics?: readonly Topic[]): () => void;
  /**
   * Calls `heard` whenever something happens in a topic, without an event: for panels that then read the current state. Returns a
   * function that stops it. If it throws, it is removed.
   */
  hear(heard: () => void, topic: Topic): () => void;
}

interface Listener {
  readonly topics: ReadonlySet<Topic> | undefined;
  readonly call?: (event: TraceEvent) => void;
  /** In place of `call`, for those who get no events. */
  readonly heard?: () => void;
}

export function createTracer(clock: Clock): Tracer {
  const listeners = new Set<Listener>();
  const add = (listener: Listener): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const concerns = ({ topics }: Listener, topic: Topic): boolean => !topics || topics.has(topic);
  const wants = (topic: Topic): boolean => {
    for (const listener of listeners) if (listener.call && concerns(listener, topic)) return true;
    return false;
  };
  const sumsUp = (): boolean => {
    for (const { topics, call } of listeners)
      if (call && (!topics || (topics.has('request') && !topics.has('together')))) return false;
    return true;
  };
  const toEach = (topic: Topic, tell: (listener: Listener) => void): void => {
    for (const listener of listeners) {
      try {
        if (concerns(listener, topic)) tell(listener);
      } catch {
        listeners.delete(listener);
      }
    }
  };
  const happened = (topic: Topic): void => toEach(topic, ({ heard }) => heard?.());
  const emit = (untimed: Untimed<TraceEvent>): void => {
    // The caller created the event for this call, so it is completed and not copied.
    const event = Object.assign(untimed, { at: clock.now() }) as TraceEvent;
    toEach(event.topic, ({ heard, call }) => (heard ? heard() : call?.(event)));
  };
  return {
    ...{ wants, sumsUp, emit, happened },
    listen: (call, topics) => add({ topics: topics && new Set(topics), call }),
    hear: (heard, topic) => add({ topics: new Set([topic]), heard }),
  };
}
