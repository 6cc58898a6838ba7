import type { CommitResult, Entry, Op, StorageEvent } from '../../../src/storage/index.ts';

type State = ReadonlyMap<string, Entry>;

/** What a storage must be: a list of whole states, one for each revision, and what led from each to the next. */
export class Model {
  readonly #states: State[] = [new Map()];
  readonly #changes: (readonly StorageEvent[])[] = [[]];

  get revision(): number {
    return this.#states.length - 1;
  }

  stateAt(revision: number): State {
    const state = this.#states[revision];
    if (!state) throw new Error(`the model has no revision ${revision}`);
    return state;
  }

  /** The entries of a range in order, the plain way. */
  range(revision: number, start: string, end: string): Entry[] {
    const entries = [...this.stateAt(revision).values()].filter(({ key }) => key >= start && key < end);
    return entries.sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  eventsBetween(from: number, to: number, start = '', end = '\uffff'): StorageEvent[] {
    const events = this.#changes.slice(from + 1, to + 1).flat();
    return events.filter(({ key }) => key >= start && key < end);
  }

  /** What a commit comes to at a revision. */
  judge(ops: readonly Op[], revision = this.revision): { result: CommitResult; events: StorageEvent[] } {
    const state = this.stateAt(revision);
    const failed = ops.find((op) => op.expect !== undefined && op.expect !== (state.get(op.key)?.revision ?? 0));
    if (failed) return { result: { ok: false, conflict: state.get(failed.key), key: failed.key }, events: [] };
    const events: StorageEvent[] = [];
    const entries = ops.map((op) => {
      const previous = state.get(op.key);
      if (op.type === 'check') return previous;
      const event = { type: op.type, revision: revision + 1, key: op.key, ...(previous ? { previous } : {}) };
      if (op.type === 'delete') {
        if (previous) events.push(event);
        return previous;
      }
      const entry: Entry = {
        key: op.key,
        value: op.value,
        created: previous ? previous.created : revision + 1,
        revision: revision + 1,
        version: previous ? previous.version + 1 : 1,
        ...(op.expires === undefined ? {} : { expires: op.expires }),
      };
      events.push({ ...event, entry });
      return entry;
    });
    return { result: { ok: true, revision: events.length > 0 ? revision + 1 : revision, entries }, events };
  }

  /** Takes over the events of the next revision. */
  apply(events: readonly StorageEvent[]): void {
    const state = new Map(this.stateAt(this.revision));
    for (const { key, entry } of events) {
      if (entry) state.set(key, entry);
      else state.delete(key);
    }
    this.#states.push(state);
    this.#changes.push(events);
  }
}
