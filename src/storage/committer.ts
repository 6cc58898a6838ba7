import { assertSound, Draft } from './draft.ts';
import type { Verdict } from './draft.ts';
import { FutureRevisionError, WriteError } from './errors.ts';
import type { KeySpace } from './keyspace.ts';
import type { CommitOptions, CommitResult, Entry, Op, Series, StorageEvent } from './types.ts';
import type { Revision } from './revision.ts';

/** The content of the log on disk: the changes of a commit, or the compaction of history before a revision. */
export type Change =
  | { readonly type: 'commit'; readonly revision: Revision; readonly events: readonly StorageEvent[] }
  | { readonly type: 'compact'; readonly revision: Revision };

interface Commit {
  readonly type: 'commit';
  readonly ops: readonly Op[];
  /** The commit may use the reserved space (`Batch.frees`). */
  readonly frees: boolean;
  readonly resolve: (result: CommitResult) => void;
  readonly reject: (error: unknown) => void;
}

interface Compaction {
  readonly type: 'compact';
  readonly revision: Revision;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

type Request = Commit | Series | Compaction;

/** An evaluated request: how to answer it once the group is durable, and what it adds to the log. */
interface Judged {
  readonly request: Request;
  readonly answer: () => void;
  readonly changes: readonly Change[];
  /** Gives the writer what it wrote. */
  readonly tell?: () => void;
}

/** Makes changes durable; `frees` as in `Batch`. */
type Append = (changes: readonly Change[], frees: boolean) => Promise<void>;

/** The pause before the next group, if any: `requests` were in the last one, `waiting` is the number that wait. */
type Pause = (requests: number, waiting: () => number) => Promise<void> | undefined;

/**
 * The maximum number of requests in a group; the rest goes into the next. It bounds the memory and time of one write.
 */
const GROUP_REQUESTS = 2_000;
const GROUP_CHARACTERS = 4_000_000;

/**
 * Group commit. While one group is being written, requests queue up. Then all of them are evaluated in order and become
 * durable in one write. Until then they are invisible and unanswered.
 */
export class Committer {
  readonly #space: KeySpace;
  readonly #append: Append;
  readonly #publish: (changes: readonly Change[]) => void;
  readonly #pause: Pause;
  /** The number of requests in the last group. */
  #last = 0;
  #queue: Request[] = [];
  #running: Promise<void> | undefined;
  #closed = false;
  #writing: Promise<void> | undefined;
  groups = 0;
  commits = 0;

  constructor(
    space: KeySpace,
    append: Append,
    publish: (changes: readonly Change[]) => void,
    pause: Pause = () => undefined,
  ) {
    this.#pause = pause;
    this.#space = space;
    this.#append = append;
    this.#publish = publish;
  }

  /** Resolves when the current group has been written; undefined if there is none. */
  get writing(): Promise<void> | undefined {
    return this.#writing;
  }

  async commit(ops: readonly Op[], options: CommitOptions = {}): Promise<CommitResult> {
    assertSound(ops);
    const frees = options.frees === true || ops.every(({ type }) => type !== 'put');
    return new Promise((resolve, reject) => this.enqueue({ type: 'commit', ops, frees, resolve, reject }));
  }

  async compact(revision: Revision): Promise<void> {
    return new Promise((resolve, reject) => this.enqueue({ type: 'compact', revision, resolve, reject }));
  }

  /** Resolves when every accepted request has been answered; new requests are refused. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
  }

  /** Adds a request to the next group. */
  enqueue(request: Request): void {
    if (this.#closed) return request.reject(new WriteError('closed', 'the storage is closed'));
    this.#queue.push(request);
    this.#running ??= this.#drain();
  }

  async #drain(): Promise<void> {
    // Requests in the same microtask as the first share its group.
    await Promise.resolve();
    while (this.#queue.length > 0) {
      this.#writing = this.#writeNext();
      await this.#writing;
    }
    this.#writing = undefined;
    this.#running = undefined;
  }

  async #writeNext(): Promise<void> {
    const pause = this.#pause(this.#last, () => this.#queue.length);
    if (pause) await pause;
    const group = this.#takeGroup();
    this.#last = group.length;
    await this.#write(group);
  }

  #takeGroup(): Request[] {
    let characters = 0;
    let size = 0;
    for (const request of this.#queue) {
      if (size >= GROUP_REQUESTS || characters >= GROUP_CHARACTERS) break;
      size++;
      if (request.type === 'commit')
        for (const op of request.ops) characters += op.type === 'put' ? op.value.length : 0;
    }
    return this.#queue.splice(0, size);
  }

  async #write(group: readonly Request[]): Promise<void> {
    const draft = new Draft(this.#space);
    const judged = group.map((request) => judge(request, draft, this.#space));
    const changes = judged.flatMap((one) => one.changes);
    const frees = judged.every(({ request, changes }) => changes.length === 0 || makesRoom(request));
    try {
      if (changes.length > 0) await this.#append(changes, frees);
    } catch (error) {
      return this.#fail(judged, error, frees);
    }
    if (changes.length > 0) this.groups++;
    this.commits += changes.length;
    for (const { tell } of judged) tell?.();
    this.#publish(changes);
    for (const { answer } of judged) answer();
  }

  /**
   * If a group can't be made durable, the commits with changes fail. The answers of the others depended on those
   * changes, so they are evaluated again by themselves. So are commits that free space, if only space was lacking.
   */
  async #fail(judged: readonly Judged[], error: unknown, freed: boolean): Promise<void> {
    const isFull = error instanceof WriteError && error.reason === 'quota';
    const again = judged.filter(
      ({ request, changes }) => changes.length === 0 || (isFull && !freed && makesRoom(request)),
    );
    for (const one of judged) if (!again.includes(one)) one.request.reject(error);
    if (again.length > 0) await this.#write(again.map(({ request }) => request));
  }
}

const makesRoom = (request: Request): boolean => request.type === 'compact' || request.frees;

function judge(request: Request, draft: Draft, space: KeySpace): Judged {
  if (request.type === 'compact') return judgeCompaction(request, draft, space);
  if (request.type === 'series') return { request, ...request.judge(draft) };
  const { result, events }: Verdict = draft.judge(request.ops);
  const answer = (): void => request.resolve(result);
  if (!result.ok) return { request, answer, changes: NONE };
  const changes: readonly Change[] = events.length > 0 ? [{ type: 'commit', revision: result.revision, events }] : NONE;
  return { request, answer, changes, tell: () => tellWriter(request.ops, result.entries) };
}

const NONE: readonly Change[] = [];

function tellWriter(ops: readonly Op[], entries: readonly (Entry | undefined)[]): void {
  for (const [i, op] of ops.entries()) {
    const entry = entries[i];
    if (entry && op.type === 'put') op.stored?.(entry);
  }
}

function judgeCompaction(request: Compaction, draft: Draft, space: KeySpace): Judged {
  const { revision, resolve, reject } = request;
  if (revision > draft.revision) {
    const answer = (): void => reject(new FutureRevisionError(revision, space.revision));
    return { request, answer, changes: NONE };
  }
  return { request, answer: resolve, changes: revision > space.compacted ? [{ type: 'compact', revision }] : NONE };
}
