import { rfc3339, setOwn, type Clock } from '../std/index.ts';
import { isReason } from '../schema/index.ts';
import type { Client } from './client.ts';
import { events } from './kinds.ts';

/** What an event is about: an object, or part of one. */
export interface Regarding {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: {
    readonly namespace?: string;
    readonly name?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
  };
}

export interface EventSource {
  readonly component: string;
  readonly host?: string;
}

export interface EventRecorderOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly source: EventSource;
}

/** An event as it was last written, or would have been. */
interface Observed {
  readonly name: string;
  readonly namespace: string;
  readonly firstTimestamp: string;
  readonly count: number;
}

interface Similar {
  readonly messages: Set<string>;
  last: number;
}

interface Allowance {
  tokens: number;
  at: number;
}

/** What was said of one object. */
interface About {
  /** By what events say, or by their group where they are combined. */
  readonly observed: Map<string, Observed>;
  /** By type and reason. */
  readonly similar: Map<string, Similar>;
  readonly allowance: Allowance;
}

/** What an event says. */
interface Said {
  readonly reference: ObjectReference;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
}

const SIMILAR_AT_MOST = 10;
const SIMILAR_WITHIN = 600_000;
const BURST = 25;
const REFILL_EVERY = 300_000;
/** So many objects are remembered, those of which something was said last. */
const REMEMBERED = 4096;

/**
 * Writes Events about objects, correlated as in the reference. The same message again raises the count of its event;
 * from the tenth on, different messages for one reason within ten minutes share one event; after 25 events about an
 * object at once, further ones are dropped except for one every five minutes.
 */
export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #about = new Map<string, About>();
  #sequence = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(options: EventRecorderOptions) {
    this.#options = options;
  }

  /** Records an event in the background. `fieldPath` names a part of the object: `spec.containers{web}`. */
  record(object: Regarding, type: 'Normal' | 'Warning', reason: string, message: string, fieldPath?: string): void {
    const reference = referenceTo(object, fieldPath);
    const about = this.#remember(identityOf(object));
    const group = JSON.stringify([type, reason]);
    const isCombined = this.#isOneOfMany(about, group, message);
    // Events that are combined count as one, whatever they say.
    const key = isCombined ? group : JSON.stringify([type, reason, fieldPath, message]);
    const observed = this.#observe(about, key, reference);
    if (!this.#isAllowed(about)) return;
    const said = {
      reference,
      type,
      reason,
      message: isCombined ? `(combined from similar events): ${message}` : message,
    };
    // One after the other: an event's count must not be raised before the event is there.
    this.#last = this.#last.then(() => this.#write(observed, said)).catch(() => undefined);
  }

  /** Forgets what was said of an object that is gone: its uid never comes again. */
  forget(object: Regarding): void {
    this.#about.delete(identityOf(object));
  }

  /** Resolves when everything recorded so far has been written. */
  flush(): Promise<void> {
    return this.#last;
  }

  async #write(observed: Observed, said: Said): Promise<void> {
    if (observed.count > 1 && (await this.#raise(observed, said.message))) return;
    const { client, clock, source } = this.#options;
    const { name, namespace, firstTimestamp, count } = observed;
    const { reference, ...rest } = said;
    const times = { firstTimestamp, lastTimestamp: rfc3339(clock.now()), count };
    await client
      .of(events)
      .create({ metadata: { name, namespace }, involvedObject: reference, source, ...rest, ...times });
  }

  /** Whether the event was still there to be counted up. */
  async #raise({ name, namespace, count }: Observed, message: string): Promise<boolean> {
    const body = { count, lastTimestamp: rfc3339(this.#options.clock.now()), message };
    try {
      await this.#options.client.of(events).patch({ metadata: { name, namespace } }, 'strategic', body);
      return true;
    } catch (problem) {
      if (isReason(problem, 'NotFound')) return false;
      throw problem;
    }
  }

  /** What was said of an object; the object of which nothing was said for longest is given up. */
  #remember(identity: string): About {
    const about = this.#about.get(identity) ?? {
      ...{ observed: new Map<string, Observed>(), similar: new Map<string, Similar>() },
      allowance: { tokens: BURST, at: this.#options.clock.now() },
    };
    this.#about.delete(identity);
    this.#about.set(identity, about);
    const oldest = this.#about.size > REMEMBERED ? this.#about.keys().next().value : undefined;
    if (oldest !== undefined) this.#about.delete(oldest);
    return about;
  }

  /** Counts an event of a key once more. */
  #observe({ observed }: About, key: string, reference: ObjectReference): Observed {
    const known = observed.get(key) ?? {
      name: `${reference.name ?? ''}.${this.#stamp()}`,
      namespace: reference.namespace ?? 'default',
      firstTimestamp: rfc3339(this.#options.clock.now()),
      count: 0,
    };
    const next = { ...known, count: known.count + 1 };
    observed.set(key, next);
    return next;
  }

  /** Hexadecimal nanoseconds, made unique by a count. */
  #stamp(): string {
    this.#sequence = (this.#sequence + 1) % 1_000_000;
    return (BigInt(this.#options.clock.now()) * 1_000_000n + BigInt(this.#sequence)).toString(16);
  }

  /** Whether so many different messages came lately that they are combined into one event. */
  #isOneOfMany({ similar }: About, group: string, message: string): boolean {
    const now = this.#options.clock.now();
    const known = similar.get(group);
    const recent = known && now - known.last <= SIMILAR_WITHIN ? known : { messages: new Set<string>(), last: now };
    similar.set(group, recent);
    recent.last = now;
    recent.messages.add(message);
    if (recent.messages.size < SIMILAR_AT_MOST) return false;
    // The set is kept from growing; from its full size on all messages are combined.
    recent.messages.delete(message);
    return true;
  }

  #isAllowed({ allowance }: About): boolean {
    const now = this.#options.clock.now();
    allowance.tokens = Math.min(BURST, allowance.tokens + (now - allowance.at) / REFILL_EVERY);
    allowance.at = now;
    if (allowance.tokens < 1) return false;
    allowance.tokens -= 1;
    return true;
  }
}

interface ObjectReference {
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly apiVersion?: string;
  readonly resourceVersion?: string;
  readonly fieldPath?: string;
}

/** The object that an event is about, as its `involvedObject` names it. `fieldPath` names a part of it. */
export function referenceTo(object: Regarding, fieldPath?: string): ObjectReference {
  const { namespace, name, uid, resourceVersion } = object.metadata;
  const { kind, apiVersion } = object;
  const reference: Record<string, string> = {};
  for (const [key, value] of Object.entries({ kind, namespace, name, uid, apiVersion, resourceVersion, fieldPath })) {
    if (value) setOwn(reference, key, value);
  }
  return reference;
}

function identityOf({ kind, apiVersion, metadata: { namespace, name, uid } }: Regarding): string {
  return JSON.stringify([kind, namespace, name, uid, apiVersion]);
}

/** Where nobody listens: controllers under test, dry calculations. */
export type Recorder = Pick<EventRecorder, 'record'>;
