import {
  decodeText,
  encodeText,
  getOwn,
  inBackground,
  type StopSignal,
  throwToHost,
  utf8Length,
} from '../../std/index.ts';
import { Killed, SystemError } from '../errors.ts';
import type { Connection } from '../network/index.ts';
import type { Process, Program } from '../process.ts';
import { readLine, type Stream } from '../streams/index.ts';
import { fail, out, readOptions } from '../tools/tool.ts';

type Reply = string | number | null | Error | readonly Reply[];
type Entry = string | string[] | Set<string> | Map<string, string>;

const OK = '+OK';
const WRONG_TYPE = new Error('WRONGTYPE Operation against a key holding the wrong kind of value');

/** The keys of one server. */
class Store {
  readonly #entries = new Map<string, Entry>();
  readonly #expiry = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  get(key: string): Entry | undefined {
    if ((this.#expiry.get(key) ?? Infinity) <= this.#now()) this.delete(key);
    return this.#entries.get(key);
  }

  set(key: string, entry: Entry): void {
    this.#entries.set(key, entry);
  }

  delete(key: string): boolean {
    this.#expiry.delete(key);
    return this.#entries.delete(key);
  }

  expire(key: string, at: number): number {
    if (this.get(key) === undefined) return 0;
    this.#expiry.set(key, at);
    return 1;
  }

  timeToLive(key: string): number {
    if (this.get(key) === undefined) return -2;
    const at = this.#expiry.get(key);
    return at === undefined ? -1 : Math.ceil((at - this.#now()) / 1000);
  }

  keys(): string[] {
    return [...this.#entries.keys()].filter((key) => this.get(key) !== undefined);
  }

  text(key: string): string | null {
    const entry = this.get(key);
    if (entry !== undefined && typeof entry !== 'string') throw WRONG_TYPE;
    return entry ?? null;
  }

  list(key: string): string[] {
    return this.#typed<string[]>(key, (entry) => Array.isArray(entry), []);
  }

  members(key: string): Set<string> {
    return this.#typed(key, (entry) => entry instanceof Set, new Set<string>());
  }

  fields(key: string): Map<string, string> {
    return this.#typed(key, (entry) => entry instanceof Map, new Map<string, string>());
  }

  #typed<T extends Entry>(key: string, is: (entry: Entry) => entry is T & Entry, empty: T): T {
    const entry = this.get(key);
    if (entry === undefined) {
      this.#entries.set(key, empty);
      return empty;
    }
    if (!is(entry)) throw WRONG_TYPE;
    return entry;
  }
}

type Command = (store: Store, args: readonly string[], now: number) => Reply;

const add = (store: Store, key: string, by: number): Reply => {
  const value = Number(store.text(key) ?? 0);
  if (!Number.isInteger(value) || !Number.isInteger(by)) throw new Error('ERR value is not an integer or out of range');
  store.set(key, String(value + by));
  return value + by;
};

const range = (list: readonly string[], from: string, to: string): string[] => {
  const at = (text: string): number => (Number(text) < 0 ? list.length + Number(text) : Number(text));
  return list.slice(Math.max(0, at(from)), at(to) + 1);
};

const COMMANDS: Readonly<Record<string, Command>> = {
  PING: (_, [text]) => text ?? '+PONG',
  ECHO: (_, [text = '']) => text,
  SELECT: () => OK,
  AUTH: () => OK,
  QUIT: () => OK,
  COMMAND: () => [],
  CONFIG: () => [],
  CLIENT: () => OK,
  DBSIZE: (store) => store.keys().length,
  FLUSHALL: (store) => (store.keys().forEach((key) => store.delete(key)), OK),
  KEYS: (store, [pattern = '*']) =>
    store
      .keys()
      .filter(
        (key) => pattern === '*' || key === pattern || (pattern.endsWith('*') && key.startsWith(pattern.slice(0, -1))),
      ),
  INFO: () => '# Server\r\nredis_version:6.0.10\r\n# Replication\r\nrole:master\r\nconnected_slaves:0\r\n',
  SET: (store, [key = '', value = '', ...options], now) => {
    const words = options.map((word) => word.toUpperCase());
    const exists = store.get(key) !== undefined;
    if ((words.includes('NX') && exists) || (words.includes('XX') && !exists)) return null;
    store.delete(key);
    store.set(key, value);
    const seconds = options[words.indexOf('EX') + 1];
    if (words.includes('EX')) store.expire(key, now + Number(seconds) * 1000);
    return OK;
  },
  GET: (store, [key = '']) => store.text(key),
  MGET: (store, keys) => keys.map((key) => store.text(key)),
  DEL: (store, keys) => keys.filter((key) => store.get(key) !== undefined && store.delete(key)).length,
  EXISTS: (store, keys) => keys.filter((key) => store.get(key) !== undefined).length,
  APPEND: (store, [key = '', text = '']) => {
    const whole = (store.text(key) ?? '') + text;
    store.set(key, whole);
    return whole.length;
  },
  INCR: (store, [key = '']) => add(store, key, 1),
  DECR: (store, [key = '']) => add(store, key, -1),
  INCRBY: (store, [key = '', by]) => add(store, key, Number(by)),
  EXPIRE: (store, [key = '', seconds], now) => store.expire(key, now + Number(seconds) * 1000),
  TTL: (store, [key = '']) => store.timeToLive(key),
  RPUSH: (store, [key = '', ...values]) => store.list(key).push(...values),
  LPUSH: (store, [key = '', ...values]) => store.list(key).unshift(...values.reverse()),
  LPOP: (store, [key = '']) => store.list(key).shift() ?? null,
  RPOP: (store, [key = '']) => store.list(key).pop() ?? null,
  LLEN: (store, [key = '']) => store.list(key).length,
  LRANGE: (store, [key = '', from = '0', to = '-1']) => range(store.list(key), from, to),
  SADD: (store, [key = '', ...values]) =>
    values.filter((value) => !store.members(key).has(value) && store.members(key).add(value)).length,
  SREM: (store, [key = '', ...values]) => values.filter((value) => store.members(key).delete(value)).length,
  SMEMBERS: (store, [key = '']) => [...store.members(key)],
  SCARD: (store, [key = '']) => store.members(key).size,
  HSET: (store, [key = '', ...pairs]) => {
    const fields = store.fields(key);
    const before = fields.size;
    for (let i = 0; i + 1 < pairs.length; i += 2) fields.set(pairs[i] ?? '', pairs[i + 1] ?? '');
    return fields.size - before;
  },
  HGET: (store, [key = '', field = '']) => store.fields(key).get(field) ?? null,
  HGETALL: (store, [key = '']) => [...store.fields(key)].flat(),
  HDEL: (store, [key = '', ...names]) => names.filter((name) => store.fields(key).delete(name)).length,
  TYPE: (store, [key = '']) => {
    const entry = store.get(key);
    return entry === undefined
      ? '+none'
      : typeof entry === 'string'
        ? '+string'
        : Array.isArray(entry)
          ? '+list'
          : entry instanceof Set
            ? '+set'
            : '+hash';
  },
};

/** Does one command. */
function run(store: Store, [name = '', ...args]: readonly string[], now: number): Reply {
  const command = getOwn(COMMANDS, name.toUpperCase());
  if (!command) return new Error(`ERR unknown command \`${name}\``);
  try {
    return command(store, args, now);
  } catch (problem) {
    return problem instanceof Error ? problem : new Error(String(problem));
  }
}

function encode(reply: Reply): string {
  if (reply === null) return '$-1\r\n';
  if (typeof reply === 'number') return `:${reply}\r\n`;
  if (reply instanceof Error) return `-${reply.message}\r\n`;
  if (typeof reply !== 'string') return `*${reply.length}\r\n${reply.map(encode).join('')}`;
  return reply.startsWith('+') ? `${reply}\r\n` : `$${utf8Length(reply)}\r\n${reply}\r\n`;
}

async function line(stream: Stream, signal: StopSignal): Promise<string | undefined> {
  const bytes = await readLine(stream, signal);
  return bytes && decodeText(bytes).replace(/\r?\n$/, '');
}

/** A request: an array of texts, or plain words on a line. */
async function readCommand(stream: Stream, signal: StopSignal): Promise<string[] | undefined> {
  const first = await line(stream, signal);
  if (first === undefined || !first.startsWith('*')) return first?.split(/\s+/).filter(Boolean);
  const words: string[] = [];
  for (let i = 0; i < Math.min(Number(first.slice(1)), 1024); i++) {
    await line(stream, signal);
    words.push((await line(stream, signal)) ?? '');
  }
  return words;
}

export const redisServer: Program = async (process) => {
  const options = readOptions(process.args.slice(1), '', '', [
    'port=',
    'requirepass=',
    'appendonly=',
    'save=',
    'replicaof=',
    'slaveof=',
    'bind=',
    'maxmemory=',
    'protected-mode=',
  ]);
  const { clock, network } = process.system;
  const store = new Store(() => clock.now());
  const port = Number(options.value('port') ?? 6379);
  const listener = network.listen(port, (connection) => inBackground(serve(process, store, connection), throwToHost));
  process.killed.addEventListener('abort', () => listener.close(), { once: true });
  const pid = `${process.pid}:M`;
  await out(
    process,
    `1:C # oO0OoO0OoO0Oo Redis is starting oO0OoO0OoO0Oo\n${pid} * Running mode=standalone, port=${port}.\n${pid} * Ready to accept connections\n`,
  );
  return process.stay();
};

async function serve(process: Process, store: Store, { stream }: Connection): Promise<void> {
  try {
    for (
      let words = await readCommand(stream, process.killed);
      words;
      words = await readCommand(stream, process.killed)
    ) {
      if (words.length === 0) continue;
      await stream.write(encodeText(encode(run(store, words, process.system.clock.now()))), process.killed);
      if (words[0]?.toUpperCase() === 'QUIT') break;
    }
  } catch (problem) {
    if (!(problem instanceof Killed) && !(problem instanceof SystemError)) throw problem;
  } finally {
    stream.release();
  }
}

/** `redis-cli -h HOST COMMAND…` */
export const redisCli: Program = async (process) => {
  const options = readOptions(process.args.slice(1), 'c', 'hpan', ['raw', 'no-auth-warning'], true);
  const host = options.value('h') ?? '127.0.0.1';
  const port = Number(options.value('p') ?? 6379);
  try {
    const { stream } = await process.system.network.connect({ host, port }, { signal: process.killed });
    await stream.write(
      encodeText(
        `*${options.rest.length}\r\n${options.rest.map((word) => `$${utf8Length(word)}\r\n${word}\r\n`).join('')}`,
      ),
      process.killed,
    );
    await out(process, await replyText(stream, process.killed));
    stream.release();
    return 0;
  } catch (problem) {
    if (!(problem instanceof SystemError)) throw problem;
    return fail(process, `Could not connect to Redis at ${host}:${port}: ${problem.message}`);
  }
};

async function replyText(stream: Stream, signal: StopSignal): Promise<string> {
  const first = (await line(stream, signal)) ?? '';
  if (first.startsWith('*')) {
    let text = '';
    for (let i = 0; i < Number(first.slice(1)); i++) text += await replyText(stream, signal);
    return text;
  }
  if (first === '$-1') return '\n';
  if (!first.startsWith('$')) return `${first.replace(/^[:+]|^-(?=[A-Z])/, '')}\n`;
  let text = (await line(stream, signal)) ?? '';
  for (let left = Number(first.slice(1)) - utf8Length(text); left > 0;) {
    const more = (await line(stream, signal)) ?? '';
    text += `\n${more}`;
    left -= utf8Length(more) + 1;
  }
  return `${text}\n`;
}
