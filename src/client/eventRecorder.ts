import { rfc3339, type Clock } from '../std/index.ts';
import { isReason, type ApiObject } from '../schema/index.ts';
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

interface Known {
  readonly name: string;
  readonly namespace: string;
  count: number;
}

interface Similar {
  readonly messages: Set<string>;
  last: number;
}

interface Allowance {
  tokens: number;
  at: number;
}

const SIMILAR_AT_MOST = 10;
const SIMILAR_WITHIN = 600_000;
const BURST = 25;
const REFILL_EVERY = 300_000;
const REMEMBERED = 4096;

/**
 * Writes Events about objects. The same message again raises the count of the Event that is there; many messages that
 * differ only in their text become one; an object that is spoken of too often is passed over for a while.
 */
export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #known = new Map<string, Known>();
  readonly #similar = new Map<string, Similar>();
  readonly #allowances = new Map<string, Allowance>();
  #sequence = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(options: EventRecorderOptions) {
    this.#options = options;
  }

  /** Records an event in the background. `fieldPath` names a part of the object: `spec.containers{web}`. */
  record(object: Regarding, type: 'Normal' | 'Warning', reason: string, message: string, fieldPath?: string): void {
    const regarding = referTo(object, fieldPath);
    if (!this.#isAllowed(JSON.stringify(regarding.identity))) return;
    const group = JSON.stringify([regarding.identity, type, reason]);
    const text = this.#combine(group, message);
    const known = remember(this.#known, `${group}${text}`);
    // One after the other: an event's count must not be raised before the event is there.
    this.#last = this.#last
      .then(() => this.#write(known, regarding.reference, type, reason, text))
      .catch(() => undefined);
  }

  /** Resolves when everything recorded so far has been written. */
  flush(): Promise<void> {
    return this.#last;
  }

  async #write(
    slot: Slot<Known>,
    reference: ObjectReference,
    type: string,
    reason: string,
    message: string,
  ): Promise<void> {
    if (slot.value && (await this.#raise(slot.value, message))) return;
    const { client, clock, source } = this.#options;
    const now = rfc3339(clock.now());
    const namespace = reference.namespace ?? 'default';
    const name = `${reference.name ?? ''}.${this.#stamp()}`;
    slot.value = { name, namespace, count: 1 };
    const times = { firstTimestamp: now, lastTimestamp: now, count: 1 };
    await client
      .of(events)
      .create({ metadata: { name, namespace }, involvedObject: reference, reason, message, source, ...times, type });
  }

  /** Whether the event was still there to be counted up. */
  async #raise(known: Known, message: string): Promise<boolean> {
    known.count += 1;
    const body = { count: known.count, lastTimestamp: rfc3339(this.#options.clock.now()), message };
    try {
      await this.#options.client.of(events).patch({ metadata: known }, 'strategic', body);
      return true;
    } catch (problem) {
      if (isReason(problem, 'NotFound')) return false;
      throw problem;
    }
  }

  /** Hexadecimal nanoseconds, made unique by a count. */
  #stamp(): string {
    this.#sequence = (this.#sequence + 1) % 1_000_000;
    return (BigInt(this.#options.clock.now()) * 1_000_000n + BigInt(this.#sequence)).toString(16);
  }

  #combine(group: string, message: string): string {
    const now = this.#options.clock.now();
    const slot = remember(this.#similar, group);
    if (!slot.value || now - slot.value.last > SIMILAR_WITHIN) slot.value = { messages: new Set(), last: now };
    slot.value.last = now;
    slot.value.messages.add(message);
    if (slot.value.messages.size < SIMILAR_AT_MOST) return message;
    // The set must not grow with every new text; at this size it has told all that it can.
    slot.value.messages.delete(message);
    return `(combined from similar events): ${message}`;
  }

  #isAllowed(key: string): boolean {
    const now = this.#options.clock.now();
    const slot = remember(this.#allowances, key);
    const allowance = (slot.value ??= { tokens: BURST, at: now });
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

function referTo(
  object: Regarding,
  fieldPath?: string,
): { readonly identity: unknown; readonly reference: ObjectReference } {
  const { namespace, name, uid, resourceVersion } = object.metadata;
  const { kind, apiVersion } = object;
  const reference: Record<string, string> = {};
  for (const [key, value] of Object.entries({ kind, namespace, name, uid, apiVersion, resourceVersion, fieldPath })) {
    if (value) reference[key] = value;
  }
  return { identity: [kind, namespace, name, uid, apiVersion, fieldPath], reference };
}

interface Slot<V> {
  value: V | undefined;
}

/** A place in a map of bounded size; the places that were not asked for longest are given up. */
function remember<V>(map: Map<string, V>, key: string): Slot<V> {
  return {
    get value() {
      return map.get(key);
    },
    set value(value: V | undefined) {
      map.delete(key);
      if (value !== undefined) map.set(key, value);
      const oldest = map.size > REMEMBERED ? map.keys().next().value : undefined;
      if (oldest !== undefined) map.delete(oldest);
    },
  };
}

/** Where nobody listens: controllers under test, dry calculations. */
export type Recorder = Pick<EventRecorder, 'record'>;

/** The object that an event is about, as its `involvedObject` names it. */
export function referenceTo(object: ApiObject): ObjectReference {
  return referTo(object).reference;
}
