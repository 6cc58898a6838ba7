/** Clients that can tell by themselves whether a cluster has lost something: each object holds a count, which goes up by one with each write. */
import { setTimeout as delay } from 'node:timers/promises';

export type Send = (path: string, init?: RequestInit & { headers?: Record<string, string> }) => Promise<Response>;

/** Who answers at the moment; clients take turns, and none answers while everything is down. */
export type Servers = () => readonly Send[];

/** Where the counts stand. */
export const COUNTERS = '/api/v1/namespaces/default/configmaps';
/** The counts alone. */
export const COUNTED = `${COUNTERS}?labelSelector=counts=yes`;

interface Counted {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly data?: Record<string, string>;
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** Something was lost that must not be. */
export class Lost extends Error {}

/** Counts one object up, one write after another, through whichever server answers; knows what was answered. */
export class Counter {
  readonly name: string;
  readonly #servers: Servers;
  /** The highest count that was answered. */
  answered = 0;
  #turn = 0;
  #ended = false;

  constructor(name: string, servers: Servers) {
    this.name = name;
    this.#servers = servers;
  }

  /** Writes until it is ended. Rejects with Lost. */
  async run(): Promise<void> {
    while (!this.#ended) if (!(await this.write())) await delay(5);
  }

  end(): void {
    this.#ended = true;
  }

  /** Counts up once; says whether that was answered. Rejects with Lost where less is there than was answered. */
  async write(): Promise<boolean> {
    const send = this.#next();
    try {
      return send !== undefined && (await this.#countUp(send));
    } catch (error) {
      if (error instanceof Lost) throw error;
      return false;
    }
  }

  /** The count that is there now. */
  async read(): Promise<number> {
    const found = await this.#next()?.(`${COUNTERS}/${this.name}`);
    return found?.ok ? Number(((await found.json()) as Counted).data?.['count']) : 0;
  }

  #next(): Send | undefined {
    const servers = this.#servers();
    return servers[this.#turn++ % servers.length];
  }

  async #countUp(send: Send): Promise<boolean> {
    const found = await send(`${COUNTERS}/${this.name}`);
    const isNew = found.status === 404;
    const object = (await found.json()) as Counted;
    if (!found.ok && !isNew) return false;
    const count = isNew ? 0 : Number(object.data?.['count']);
    if (count < this.answered) throw new Lost(`${this.name}: ${this.answered} was answered, ${count} is there`);
    const metadata = isNew ? { name: this.name, labels: { counts: 'yes' } } : object.metadata;
    const body = JSON.stringify({ metadata, data: { count: String(count + 1) } });
    const made = await (isNew
      ? send(COUNTERS, { method: 'POST', headers: JSON_TYPE, body })
      : send(`${COUNTERS}/${this.name}`, { method: 'PUT', headers: JSON_TYPE, body }));
    await made.text();
    if (made.ok) this.answered = count + 1;
    return made.ok;
  }
}

export interface FollowerOptions {
  readonly servers: Servers;
  /** From where on. */
  readonly revision: string;
  /** Waits before what came is read on: a slow reader. */
  readonly pace?: () => Promise<void>;
  /** Whether history from a revision on may be gone; then everything is read again. */
  readonly mayBeGone?: (revision: string) => boolean;
}

/** Follows all counts through whichever server answers, from where it was. A gap or a step back rejects with Lost. */
export class CounterFollower {
  readonly seen = new Map<string, number>();
  readonly #options: FollowerOptions;
  #revision: string;
  #ended = false;
  #connection = new AbortController();
  events = 0;
  resumed = 0;
  relisted = 0;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#revision = options.revision;
  }

  async run(): Promise<void> {
    for (let turn = 0; !this.#ended; turn++) {
      const servers = this.#options.servers();
      const send = servers[turn % servers.length];
      this.#connection = new AbortController();
      try {
        if (send) await this.#follow(send);
      } catch (error) {
        if (error instanceof Lost) throw error;
      }
      this.resumed++;
      await delay(10);
    }
  }

  /** Lets go of the connection without a word; the next one goes on from where it was. */
  vanish(): void {
    this.#connection.abort();
  }

  end(): void {
    this.#ended = true;
    this.vanish();
  }

  async #follow(send: Send): Promise<void> {
    const query = `watch=1&resourceVersion=${this.#revision}&labelSelector=counts=yes&timeoutSeconds=1`;
    const response = await send(`${COUNTERS}?${query}`, { signal: this.#connection.signal });
    if (response.status === 410) return this.#readAgain(send, 'refused');
    if (!response.ok) return response.body?.cancel();
    let rest = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const { type, object } = JSON.parse(line) as { type: string; object: Counted };
        if (type === 'ERROR') return this.#readAgain(send, line);
        this.#take(object);
      }
      await this.#options.pace?.();
    }
  }

  #take({ metadata: { name, resourceVersion }, data }: Counted): void {
    const count = Number(data?.['count']);
    const before = this.seen.get(name) ?? 0;
    if (count !== before + 1) throw new Lost(`${name} went from ${before} to ${count} at ${resourceVersion}`);
    this.seen.set(name, count);
    this.#revision = resourceVersion;
    this.events++;
  }

  /** Where history may be gone, the counts are read anew; they must not have gone down. */
  async #readAgain(send: Send, why: string): Promise<void> {
    const from = this.#revision;
    if (this.#options.mayBeGone?.(from) !== true) throw new Lost(`history from ${from} is gone: ${why}`);
    const found = await send(COUNTED);
    if (!found.ok) return;
    const { metadata, items } = (await found.json()) as { metadata: { resourceVersion: string }; items: Counted[] };
    for (const {
      metadata: { name },
      data,
    } of items) {
      const [before, count] = [this.seen.get(name) ?? 0, Number(data?.['count'])];
      if (count < before) throw new Lost(`${name} went from ${before} back to ${count}`);
      this.seen.set(name, count);
    }
    this.#revision = metadata.resourceVersion;
    this.relisted++;
  }
}
