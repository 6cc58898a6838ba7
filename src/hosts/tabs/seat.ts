import type { Call, Handler, Realm, WireClient } from '../wire/index.ts';
import type { Following, Leadership } from './peers.ts';
import { follow, holdPulse, lead, onCalledOff, writerLock } from './peers.ts';
import { createRelay } from './relay.ts';
import { inBackground, throwToHost } from '../../std/index.ts';

/** A cluster that was opened in this worker. */
export interface Opened {
  readonly handle: Handler;
  stop(): Promise<void>;
}

export interface SeatOptions {
  readonly place: string;
  /** Opens the cluster; called when this worker has become the one that writes. */
  readonly open: () => Promise<Opened>;
  /** The cluster is gone from under this worker: it was removed, or could not be opened when its turn came. */
  readonly onEnd: (reason: Error) => void;
}

/** A worker's place among those that have one cluster open. */
export interface Seat {
  readonly handle: Handler;
  readonly role: 'leader' | 'follower';
  /** Leaves the cluster; another waiting worker takes over. */
  leave(): Promise<void>;
}

/** Opens a cluster or joins the tab that has it open; resolves when requests will be answered. */
export async function takeSeat(options: SeatOptions): Promise<Seat> {
  const id = crypto.randomUUID();
  await holdPulse(options.place, id);
  const seat = new TabSeat(id, options);
  await seat.take();
  return seat;
}

class TabSeat implements Seat {
  readonly #id: string;
  readonly #options: SeatOptions;
  readonly #relay = createRelay();
  readonly #left = new AbortController();
  readonly #stopListening: () => void;
  #opened: Opened | undefined;
  #leadership: Leadership | undefined;
  #following: Following | undefined;
  #stopped: Promise<void> | undefined;

  constructor(id: string, options: SeatOptions) {
    this.#id = id;
    this.#options = options;
    this.#stopListening = onCalledOff(options.place, () => this.#endInBackground(new Error('the cluster was removed')));
  }

  readonly handle: Handler = (request, realm) => this.#relay.handle(request, realm);

  get role(): Seat['role'] {
    return this.#opened ? 'leader' : 'follower';
  }

  async take(): Promise<void> {
    try {
      if (!(await this.#writeWhenFree({ ifAvailable: true }))) await this.#followUntilFree();
    } catch (error) {
      await this.leave();
      throw error;
    }
  }

  leave(): Promise<void> {
    this.#stopped ??= this.#letGo();
    return this.#stopped;
  }

  async #letGo(): Promise<void> {
    this.#stopListening();
    this.#relay.close(new TypeError('the cluster was stopped'));
    this.#following?.close();
    this.#leadership?.close();
    this.#left.abort();
    await this.#opened?.stop();
  }

  #endInBackground(reason: Error): void {
    inBackground(this.#end(reason), throwToHost);
  }

  async #end(reason: Error): Promise<void> {
    if (this.#stopped) return;
    await this.leave();
    this.#options.onEnd(reason);
  }

  /** Gets the writer's lock, opens the cluster under it, and keeps it until this seat is left. False: not free. */
  #writeWhenFree(options: LockOptions): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const held = async (lock: Lock | null): Promise<void> => {
        if (!lock) return resolve(false);
        await this.#becomeLeader();
        resolve(true);
        await aborted(this.#left.signal);
        await this.#stopped;
      };
      navigator.locks.request(writerLock(this.#options.place), options, held).catch(reject);
    });
  }

  async #becomeLeader(): Promise<void> {
    this.#following?.close();
    const opened = await this.#options.open();
    if (this.#stopped) return opened.stop();
    this.#opened = opened;
    this.#leadership = lead(this.#options.place, this.#id, opened.handle);
    this.#relay.switchTo({ handle: opened.handle, remote: false });
  }

  /** Follows the leader while waiting for the lock; resolves when a leader answers. */
  #followUntilFree(): Promise<void> {
    return new Promise((resolve, reject) => {
      const onLeader = (wire: WireClient): void => {
        this.#relay.switchTo({ handle: overWire(wire), remote: true });
        resolve();
      };
      this.#following = follow(this.#options.place, this.#id, { onLeader, onLost: () => this.#relay.lose() });
      this.#writeWhenFree({ signal: this.#left.signal }).then(
        () => resolve(),
        (error: Error) => (reject(error), this.#endInBackground(error)),
      );
    });
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function overWire(wire: WireClient): Handler {
  return async (request, realm) => wire.send(await callOf(request, realm));
}

async function callOf(request: Request, realm: Realm): Promise<Call> {
  const { pathname, search } = new URL(request.url);
  const body = request.body ? await request.arrayBuffer() : undefined;
  return {
    realm,
    method: request.method,
    path: pathname + search,
    headers: [...request.headers],
    signal: request.signal,
    ...(body !== undefined && { body }),
  };
}
