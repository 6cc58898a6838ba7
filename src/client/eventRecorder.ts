import { rfc3339, setOwn, sharedText, type Clock } from '../std/index.ts';
import { isReason } from '../schema/index.ts';
import type { Client } from './client.ts';
import { events } from './kinds.ts';

/** The object of an event, or a part of the object. */
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

/** An event as it was last written, or would have been written. Agents keep them for as long as a pod exists, so they are small. */
interface Observed {
  readonly type: string;
  readonly reason: string;
  /** What it says; undefined for an event that stands for many messages. */
  readonly message: string | undefined;
  readonly fieldPath: string | undefined;
  /** When it was recorded first, in milliseconds since the recorder started, and its number among all events. */
  readonly first: number;
  readonly sequence: number;
  count: number;
  /** When one with this type and reason was recorded last, as `first`. */
  last: number;
  /** Whether its message counts among the different ones of the last minutes. */
  isRecent: boolean;
}

/** The recorded events of one object: few, so that they are searched one by one. */
interface ObjectEvents {
  observed: readonly Observed[];
  /** From when on a whole burst is allowed, in milliseconds since the recorder started: each event puts it off. */
  wholeAt: number;
}

type Kind = Pick<Observed, 'type' | 'reason' | 'message' | 'fieldPath'>;

/** What is written of one. */
interface Written {
  readonly name: string;
  readonly namespace: string;
  readonly firstTimestamp: string;
  readonly count: number;
}

/** The content of an event. */
interface EventContent {
  readonly reference: ObjectReference;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
}

const UUID_LENGTH = 36;
const SIMILAR_AT_MOST = 10;
const SIMILAR_WITHIN = 600_000;
const BURST = 25;
const REFILL_EVERY = 300_000;
/** The maximum number of objects whose events are remembered; the least recent are dropped. */
const REMEMBERED = 4096;

/**
 * Writes Events with the reference's correlation. A repeated message increments the count of its event. From the tenth
 * on, different messages with one reason within ten minutes share one event. After a burst of 25 events about an
 * object, further ones are dropped except one every five minutes.
 */
export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #about = new Map<string, ObjectEvents>();
  readonly #start: number;
  #sequence = 0;
  /** The last write of each event that is being written, by name. */
  readonly #pending = new Map<string, Promise<void>>();

  constructor(options: EventRecorderOptions) {
    this.#options = options;
    this.#start = options.clock.now();
  }

  /** Records an event in the background. `fieldPath` names a part of the object: `spec.containers{web}`. */
  record(object: Regarding, type: 'Normal' | 'Warning', reason: string, message: string, fieldPath?: string): void {
    const reference = referenceTo(object, fieldPath);
    const about = this.#remember(identityOf(object));
    const similar = this.#similar(about, type, reason);
    const isCombined = isOneOfMany(similar, message);
    const kind = { type, reason, message: isCombined ? undefined : message };
    const observed = this.#observe(about, similar, {
      ...kind,
      fieldPath: isCombined ? undefined : reference.fieldPath,
    });
    if (!isCombined) observed.isRecent = true;
    if (!this.#isAllowed(about)) return;
    const said = {
      reference,
      type,
      reason,
      message: isCombined ? `(combined from similar events): ${message}` : message,
    };
    const written = this.#written(observed, reference);
    this.#inOrder(written.name, () => this.#write(written, said));
  }

  /** Drops the events of a deleted object; its uid is never reused. */
  forget(object: Regarding): void {
    this.#about.delete(identityOf(object));
  }

  /** Resolves when everything recorded so far has been written. */
  async flush(): Promise<void> {
    await Promise.all(this.#pending.values());
  }

  /** Writes of one event run one after another, because it must exist before its count is incremented. */
  #inOrder(name: string, write: () => Promise<void>): void {
    const before = this.#pending.get(name) ?? Promise.resolve();
    const written = before
      .then(write)
      .catch(() => undefined)
      .then(() => {
        if (this.#pending.get(name) === written) this.#pending.delete(name);
      });
    this.#pending.set(name, written);
  }

  #written({ first, sequence, count }: Observed, { name = '', namespace = 'default' }: ObjectReference): Written {
    const at = this.#start + first;
    return { name: `${name}.${stampOf(at, sequence)}`, namespace, firstTimestamp: rfc3339(at), count };
  }

  async #write(observed: Written, said: EventContent): Promise<void> {
    if (observed.count > 1 && (await this.#raise(observed, said.message))) return;
    const { client, clock, source } = this.#options;
    const { name, namespace, firstTimestamp, count } = observed;
    const { reference, ...rest } = said;
    const times = { firstTimestamp, lastTimestamp: rfc3339(clock.now()), count };
    await client
      .of(events)
      .record({ metadata: { name, namespace }, involvedObject: reference, source, ...rest, ...times });
  }

  /** Increments the count of an event; returns whether the event still existed. */
  async #raise({ name, namespace, count }: Written, message: string): Promise<boolean> {
    const body = { count, lastTimestamp: rfc3339(this.#options.clock.now()), message };
    try {
      await this.#options.client.of(events).patch({ metadata: { name, namespace } }, 'strategic', body);
      return true;
    } catch (problem) {
      if (isReason(problem, 'NotFound')) return false;
      throw problem;
    }
  }

  /** The recorded events of an object; drops those of the least recent object if there are too many. */
  #remember(identity: string): ObjectEvents {
    const about = this.#about.get(identity) ?? { observed: [], wholeAt: 0 };
    this.#about.delete(identity);
    this.#about.set(identity, about);
    const oldest = this.#about.size > REMEMBERED ? this.#about.keys().next().value : undefined;
    if (oldest !== undefined) this.#about.delete(oldest);
    return about;
  }

  /** The object's events with a type and reason. */
  #similar({ observed }: ObjectEvents, type: string, reason: string): readonly Observed[] {
    const now = this.#now();
    const similar = observed.filter((one) => one.reason === reason && one.type === type);
    for (const one of similar) {
      if (now - one.last > SIMILAR_WITHIN) one.isRecent = false;
      one.last = now;
    }
    return similar;
  }

  /** Counts one more event of this kind. */
  #observe(about: ObjectEvents, similar: readonly Observed[], kind: Kind): Observed {
    const { message, fieldPath, type, reason } = kind;
    let known = similar.find((one) => one.message === message && one.fieldPath === fieldPath);
    if (!known) {
      const now = this.#now();
      const texts = { message: message && sharedText(message), fieldPath: fieldPath && sharedText(fieldPath) };
      known = { type, reason, ...texts, first: now, sequence: this.#next(), count: 0, last: now, isRecent: false };
      // A list that grows by one reserves room for many more.
      about.observed = about.observed.concat([known]);
    }
    known.count += 1;
    return known;
  }

  /** Milliseconds since the recorder started. They are whole already; rounding lets V8 keep them without a heap object. */
  #now(): number {
    return Math.floor(this.#options.clock.now() - this.#start);
  }

  #next(): number {
    return (this.#sequence = (this.#sequence + 1) % 1_000_000);
  }

  #isAllowed(about: ObjectEvents): boolean {
    const now = this.#now();
    const wholeAt = Math.max(about.wholeAt, now) + REFILL_EVERY;
    if (wholeAt > now + BURST * REFILL_EVERY) return false;
    about.wholeAt = wholeAt;
    return true;
  }
}

/** Hexadecimal nanoseconds, made unique by a number. */
const stampOf = (at: number, sequence: number): string => (BigInt(at) * 1_000_000n + BigInt(sequence)).toString(16);

/** Whether so many different messages came recently that they are aggregated into one event. */
function isOneOfMany(similar: readonly Observed[], message: string): boolean {
  const recent = similar.filter((one) => one.isRecent);
  if (recent.some((one) => one.message === message)) return false;
  // One that is too many is not remembered, so all further ones are too many.
  return new Set(recent.map((one) => one.message)).size === SIMILAR_AT_MOST - 1;
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

/** The reference to an object for `involvedObject`. `fieldPath` names a part of it. */
export function referenceTo(object: Regarding, fieldPath?: string): ObjectReference {
  const { namespace, name, uid, resourceVersion } = object.metadata;
  const { kind, apiVersion } = object;
  const reference: Record<string, string> = {};
  for (const [key, value] of Object.entries({ kind, namespace, name, uid, apiVersion, resourceVersion, fieldPath })) {
    if (value) setOwn(reference, key, value);
  }
  return reference;
}

/** The uid says it all, where it is one that no other object can have. */
function identityOf({ kind, apiVersion, metadata: { namespace, name, uid } }: Regarding): string {
  if (uid?.length === UUID_LENGTH) return uid;
  return JSON.stringify([kind, namespace, name, uid, apiVersion]);
}

/** The part of a recorder that controllers use; tests and dry runs replace it. */
export type Recorder = Pick<EventRecorder, 'record'>;
