import { assert } from '../std/index.ts';
import { storedEntry } from './entry.ts';
import type { KeySpace } from './keyspace.ts';
import type { CommitResult, Entry, Op, PutOp, StorageEvent } from './types.ts';
import type { Revision } from './revision.ts';

/** The outcome of a commit, provided that everything before it becomes durable. Without events it changes nothing. */
export interface Verdict {
  readonly result: CommitResult;
  readonly events: readonly StorageEvent[];
}

/**
 * A state that is not durable yet: the key space plus the changes of the commits evaluated so far. So a whole queue of
 * commits, including several to one key, becomes durable in one write.
 */
export class Draft {
  readonly #space: KeySpace;
  readonly #changed = new Map<string, Entry | undefined>();
  #revision: Revision;

  constructor(space: KeySpace) {
    this.#space = space;
    this.#revision = space.revision;
  }

  /** The revision after the last evaluated commit. */
  get revision(): Revision {
    return this.#revision;
  }

  /** Evaluates a commit against everything before it, and adds its changes if it succeeds. */
  judge(ops: readonly Op[]): Verdict {
    const found = ops.map((op) => this.get(op.key));
    for (const [i, op] of ops.entries()) {
      if (op.expect === undefined || op.expect === (found[i]?.revision ?? 0)) continue;
      return { result: { ok: false, conflict: found[i], key: op.key }, events: [] };
    }
    const next = this.#revision + 1;
    const events = ops.flatMap((op, i) => eventOf(op, found[i], next) ?? []);
    for (const { key, entry } of events) this.#changed.set(key, entry);
    if (events.length > 0) this.#revision = next;
    const written = new Map(events.map((event) => [event.key, event.entry]));
    const entries = ops.map((op, i) => (op.type === 'put' ? written.get(op.key) : found[i]));
    return { result: { ok: true, revision: this.#revision, entries }, events };
  }

  /** Adds the next commit, which puts an entry in place of another one. */
  put(entry: Entry, previous: Entry): StorageEvent {
    const { key, revision } = entry;
    this.#revision = revision;
    this.#changed.set(key, entry);
    return { type: 'put', revision, key, entry, previous };
  }

  /** Adds the next commit, a put of one key. */
  write(put: PutOp): PutEvent {
    const event = putEvent(put, this.get(put.key), ++this.#revision);
    this.#changed.set(put.key, event.entry);
    return event;
  }

  get(key: string): Entry | undefined {
    return this.#changed.has(key) ? this.#changed.get(key) : this.#space.get(key);
  }
}

function eventOf(op: Op, previous: Entry | undefined, revision: Revision): StorageEvent | undefined {
  const { type, key } = op;
  if (type === 'check') return undefined;
  if (type === 'delete') return previous && { type, revision, key, previous };
  return putEvent(op, previous, revision);
}

type PutEvent = StorageEvent & { readonly entry: Entry };

function putEvent({ key, value, ...op }: PutOp, previous: Entry | undefined, revision: Revision): PutEvent {
  const created = previous?.created ?? revision;
  const version = (previous?.version ?? 0) + 1;
  const entry = storedEntry({ key, created, revision, version, ...expiryOf(op) }, value);
  return previous ? { type: 'put', revision, key, entry, previous } : { type: 'put', revision, key, entry };
}

const expiryOf = ({ expires }: Pick<PutOp, 'expires'>): Pick<Entry, 'expires'> =>
  expires === undefined ? {} : { expires: Math.max(0, Math.ceil(expires)) };

const LONE_SURROGATE = /\p{Surrogate}/u;

/** Refuses what would be a bug of the caller: a key written twice, and text that UTF-8 can't encode. */
export function assertSound(ops: readonly Op[]): void {
  const written = new Set<string>();
  for (const op of ops) {
    assert(!LONE_SURROGATE.test(op.key), 'a key holds half a surrogate pair');
    if (op.type === 'check') continue;
    assert(!written.has(op.key), `one commit writes ${op.key} twice`);
    written.add(op.key);
    assert(
      op.type === 'delete' || !LONE_SURROGATE.test(op.value),
      `the value of ${op.key} holds half a surrogate pair`,
    );
  }
}
