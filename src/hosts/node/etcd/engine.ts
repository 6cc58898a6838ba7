/** etcd as the engine of a storage that several servers share (`storage/shared`). */
import {
  WriteError,
  type Engine,
  type EngineListener,
  type EngineState,
  type Entry,
  type EtcdLayout,
  type Op,
} from '../../../cluster/index.ts';
import { throwToHost } from '../../../std/index.ts';
import { CallError, Channel, type ChannelOptions } from './channel.ts';
import { Following } from './following.ts';
import { Leases } from './leases.ts';
import {
  decodeRange,
  decodeSize,
  decodeTxn,
  decodeWatch,
  encodeCompaction,
  encodeRange,
  encodeTxn,
  encodeWatch,
  readRevision,
  type Compare,
  type KeyValue,
  type TxnResponse,
  type Write,
} from './messages.ts';

export interface EtcdOptions extends ChannelOptions {
  readonly layout: EtcdLayout;
  /** Milliseconds since the epoch; leases are counted by it. */
  readonly now: () => number;
  /** Called once for each unreadable value of another program; by default the host's error handler. */
  readonly onProblem?: (problem: Error) => void;
}

const PAGE = 1000;

/**
 * The maximum number of changes that a starting server reads; watches from before have to list again. etcd sends a thousand of them in a
 * tenth of a second at best, and reads all that are left for each thousand.
 */
const HISTORY = 10_000;

/** The reference's own key: those who compact agree by its version whose turn it is. */
const COMPACT_KEY = 'compact_rev_key';

const OUT_OF_RANGE = 11;
const RESOURCE_EXHAUSTED = 8;

/** Creates the engine; nothing is sent before the first request. */
export function etcdEngine({ layout, now, onProblem = throwToHost, ...options }: EtcdOptions): Engine {
  return new EtcdEngine(new Channel(options), layout, now, onProblem);
}

class EtcdEngine implements Engine {
  readonly #channel: Channel;
  readonly #layout: EtcdLayout;
  readonly #leases: Leases;
  /** The version of `COMPACT_KEY` that this process knows. */
  #compactions = 0;

  readonly #onProblem: (problem: Error) => void;
  /** Keys whose values can't be read, and were reported already. */
  readonly #unreadable = new Set<string>();

  constructor(channel: Channel, layout: EtcdLayout, now: () => number, onProblem: (problem: Error) => void) {
    this.#onProblem = onProblem;
    this.#channel = channel;
    this.#layout = layout;
    this.#leases = new Leases(channel, now);
  }

  async commit(ops: readonly Op[]): ReturnType<Engine['commit']> {
    try {
      const then = await Promise.all(ops.filter((op) => op.type !== 'check').map((op) => this.#writeOf(op)));
      const { succeeded, revision } = await this.#transact(this.#compares(ops), then);
      return { held: succeeded, revision };
    } catch (error) {
      throw error instanceof CallError ? writeError(error) : error;
    }
  }

  async newest(): Promise<number> {
    const key = this.#layout.prefix;
    return readRevision(await this.#channel.call('/etcdserverpb.KV/Range', encodeRange({ start: key, limit: 1 })));
  }

  async oldest(): Promise<EngineState> {
    const from = Math.max(await this.#compacted(), (await this.newest()) - HISTORY);
    try {
      return await this.#stateAt(from);
    } catch (error) {
      // History was forgotten meanwhile.
      if (error instanceof CallError && error.code === OUT_OF_RANGE) return this.#stateAt(await this.newest());
      throw error;
    }
  }

  async state(): Promise<EngineState> {
    return this.#stateAt(await this.newest(), true);
  }

  follow(after: number, { committed, missed }: EngineListener): { end(): void } {
    return new Following(this.#channel, after, {
      missed,
      changed: (changes) =>
        committed(
          changes.map(({ revision, events }) => ({
            revision,
            changes: events
              .filter(({ entry }) => entry.key.startsWith(this.#layout.prefix))
              .flatMap(({ type, entry }) => {
                const key = this.#layout.fromEtcd(entry.key);
                if (type !== 'put') return { key };
                const read = this.#readable(entry);
                return read ? { key, entry: read } : [];
              }),
          })),
        ),
    });
  }

  async compact(revision: number): Promise<void> {
    if (!(await this.#hasTurn(revision))) return;
    try {
      await this.#channel.call('/etcdserverpb.KV/Compact', encodeCompaction(revision));
    } catch (error) {
      // It has been compacted further already.
      if (!(error instanceof CallError && error.code === OUT_OF_RANGE)) throw error;
    }
  }

  /** Whether no other process has compacted since this one knows. A full etcd can't note it; compacting twice does no harm. */
  async #hasTurn(revision: number): Promise<boolean> {
    const turn: Compare = { key: COMPACT_KEY, of: 'version', is: this.#compactions };
    const mark: Write = { type: 'put', key: COMPACT_KEY, value: String(revision) };
    try {
      const { succeeded, found } = await this.#transact([turn], [mark], [{ type: 'get', key: COMPACT_KEY }]);
      this.#compactions = succeeded ? this.#compactions + 1 : (found[0]?.version ?? 0);
      return succeeded;
    } catch (error) {
      if (error instanceof CallError && isFull(error)) return true;
      throw error;
    }
  }

  async size(): Promise<number> {
    return decodeSize(await this.#channel.call('/etcdserverpb.Maintenance/Status', new Uint8Array()));
  }

  close(): Promise<void> {
    this.#channel.close();
    return Promise.resolve();
  }

  #compares(ops: readonly Op[]): Compare[] {
    return ops.flatMap(({ key, expect }) =>
      expect === undefined ? [] : [{ key: this.#layout.toEtcd(key), of: 'modified' as const, is: expect }],
    );
  }

  async #writeOf(op: Exclude<Op, { type: 'check' }>): Promise<Write> {
    const key = this.#layout.toEtcd(op.key);
    if (op.type === 'delete') return { type: 'delete', key };
    const lease = op.expires === undefined ? {} : { lease: await this.#leases.at(op.expires) };
    return { type: 'put', key, value: op.value, ...lease };
  }

  async #transact(
    compares: readonly Compare[],
    then: readonly Write[],
    otherwise: readonly Write[] = [],
  ): Promise<TxnResponse> {
    return decodeTxn(await this.#channel.call('/etcdserverpb.KV/Txn', encodeTxn({ compares, then, otherwise })));
  }

  /** The start of etcd's history, which only a watch from before reports. */
  async #compacted(): Promise<number> {
    try {
      await this.#channel.call('/etcdserverpb.KV/Range', encodeRange({ start: this.#layout.prefix, revision: 1 }));
      return 1;
    } catch (error) {
      if (!(error instanceof CallError && error.code === OUT_OF_RANGE)) throw error;
    }
    return new Promise((resolve, reject) => {
      const stream = this.#channel.stream('/etcdserverpb.Watch/Watch', {
        message: (bytes) => {
          const { canceled, compacted, reason } = decodeWatch(bytes);
          if (!canceled) return;
          stream.end();
          if (compacted > 0) resolve(compacted);
          else reject(new CallError(OUT_OF_RANGE, reason));
        },
        ended: reject,
      });
      stream.send(encodeWatch(1));
    });
  }

  /** Where `partly`, without what can't be read; else that is an error. */
  async #stateAt(revision: number, partly = false): Promise<EngineState> {
    const { prefix } = this.#layout;
    const end = prefixEnd(prefix);
    const entries: Entry[] = [];
    const unreadable: string[] = [];
    for (let start: string | undefined = prefix; start !== undefined;) {
      const request = encodeRange({ start, end, revision, limit: PAGE });
      const page = decodeRange(await this.#channel.call('/etcdserverpb.KV/Range', request));
      for (const each of page.entries) {
        const entry = partly ? this.#readable(each) : this.#entryOf(each);
        if (entry) entries.push(entry);
        else unreadable.push(this.#layout.fromEtcd(each.key));
      }
      start = page.more ? `${page.entries.at(-1)?.key}\0` : undefined;
    }
    return { revision, entries, unreadable };
  }

  /** An entry; undefined if its value is unreadable, which is reported the first time. */
  #readable(found: KeyValue): Entry | undefined {
    try {
      const entry = this.#entryOf(found);
      this.#unreadable.delete(found.key);
      return entry;
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      if (!this.#unreadable.has(found.key)) this.#onProblem(error);
      this.#unreadable.add(found.key);
      return undefined;
    }
  }

  #entryOf({ key, value, created, modified, version }: KeyValue): Entry {
    return { key: this.#layout.fromEtcd(key), value: textOf(key, value), created, revision: modified, version };
  }
}

/** Keys that begin with `prefix` end before this one. */
function prefixEnd(prefix: string): string {
  return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
}

/** A value that another program wrote in a way that is not ours. */
class UnreadableError extends Error {
  override name = 'UnreadableError';
}

/** What the reference writes before an object in Protobuf. */
const PROTOBUF = Buffer.from('k8s\0');

function textOf(key: string, value: Uint8Array): string {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.length);
  if (bytes.subarray(0, PROTOBUF.length).equals(PROTOBUF))
    throw new UnreadableError(
      `etcd holds ${key} as Protobuf; a server that writes with --storage-media-type=application/json shares it`,
    );
  return bytes.toString();
}

const isFull = ({ code, message }: CallError): boolean => code === RESOURCE_EXHAUSTED && message.includes('space');

const writeError = (error: CallError): WriteError =>
  new WriteError(isFull(error) ? 'quota' : 'failed', `etcd: ${error.message}`);
