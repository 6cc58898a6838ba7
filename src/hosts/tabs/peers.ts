import type { Answer, Batch, Handler, Question, WireClient } from '../wire/index.ts';
import { createWireClient, createWireServer } from '../wire/index.ts';
import { inBackground, throwToHost } from '../../std/index.ts';

/** What the workers of one cluster call to each other on its channel. */
type Call =
  | { readonly type: 'who' }
  | { readonly type: 'leader'; readonly id: string }
  | { readonly type: 'join'; readonly leader: string; readonly follower: string }
  | { readonly type: 'gone' };

/** What the names of a cluster's locks and channels begin with. Like its database they belong to the whole origin. */
export function placeOf(name: string): string {
  return `vitrine/${name}`;
}

export const writerLock = (place: string): string => `${place}/writer`;

const pulseLock = (place: string, id: string): string => `${place}/pulse/${id}`;

/** A channel between two workers. Messages that are posted after this end was closed are dropped, as on a broken connection. */
class Link<Said, Heard> {
  readonly #channel: BroadcastChannel;
  #closed = false;

  constructor(place: string, leader: string, follower: string) {
    this.#channel = new BroadcastChannel(`${place}/link/${leader}/${follower}`);
  }

  listen(take: (message: Heard) => void): void {
    this.#channel.onmessage = ({ data }: MessageEvent<Heard>) => take(data);
  }

  post(message: Said): void {
    if (!this.#closed) this.#channel.postMessage(message);
  }

  close(): void {
    this.#closed = true;
    this.#channel.close();
  }
}

/** The side of the leader: answers everybody who joins, until it is closed. */
export interface Leadership {
  close(): void;
}

/** Announces a leader and serves its followers with `handle`. */
export function lead(place: string, id: string, handle: Handler): Leadership {
  const channel = new BroadcastChannel(place);
  const served = new Map<string, () => void>();
  const announce = (): void => channel.postMessage({ type: 'leader', id } satisfies Call);

  const accept = (follower: string): void => {
    if (served.has(follower)) return;
    const link = new Link<Answer | Batch<Answer> | 'welcome', Question | Batch<Question>>(place, id, follower);
    const server = createWireServer(handle, (answer) => link.post(answer));
    link.listen((question) => server.receive(question));
    served.set(follower, () => (server.disconnect(), link.close()));
    link.post('welcome');
    const ended = whenGone(place, follower).then(() => {
      served.get(follower)?.();
      served.delete(follower);
    });
    inBackground(ended, throwToHost);
  };

  channel.onmessage = ({ data }: MessageEvent<Call>) => {
    if (data.type === 'who') announce();
    if (data.type === 'join' && data.leader === id) accept(data.follower);
  };
  announce();
  return {
    close: () => {
      channel.close();
      for (const end of served.values()) end();
    },
  };
}

/** The side of a follower. */
export interface Following {
  close(): void;
}

/**
 * Finds the leader, and each new one. `onLeader` gets a wire after its welcome, `onLost` is called before a wire ends.
 */
export function follow(
  place: string,
  id: string,
  { onLeader, onLost }: { onLeader: (wire: WireClient) => void; onLost: () => void },
): Following {
  const channel = new BroadcastChannel(place);
  let leader: string | undefined;
  let drop = (): void => undefined;

  const join = (next: string): void => {
    drop();
    leader = next;
    const link = new Link<Question | Batch<Question>, Answer | Batch<Answer> | 'welcome'>(place, next, id);
    const wire = createWireClient((question) => link.post(question));
    drop = () => {
      onLost();
      link.close();
      wire.disconnect('the tab that ran the cluster was closed');
    };
    link.listen((answer) => {
      if (answer === 'welcome') onLeader(wire);
      else wire.receive(answer);
    });
    channel.postMessage({ type: 'join', leader: next, follower: id } satisfies Call);
  };

  channel.onmessage = ({ data }: MessageEvent<Call>) => {
    if (data.type === 'leader' && data.id !== leader) join(data.id);
  };
  channel.postMessage({ type: 'who' } satisfies Call);
  return { close: () => (channel.close(), drop()) };
}

/** Asks every worker of a cluster to close it, because it is to be removed. */
export function callOff(place: string): void {
  const channel = new BroadcastChannel(place);
  channel.postMessage({ type: 'gone' } satisfies Call);
  channel.close();
}

/** Calls `letGo` when somebody removes the cluster; returns what ends the listening. */
export function onCalledOff(place: string, letGo: () => void): () => void {
  const channel = new BroadcastChannel(place);
  channel.onmessage = ({ data }: MessageEvent<Call>) => {
    if (data.type === 'gone') letGo();
  };
  return () => channel.close();
}

/** Holds this worker's pulse for as long as it lives; resolves when others can wait for its end. */
export function holdPulse(place: string, id: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const forever = (): Promise<never> => (resolve(), new Promise(() => undefined));
    navigator.locks.request(pulseLock(place, id), forever).catch(reject);
  });
}

/** Resolves when the worker with this pulse is gone. */
function whenGone(place: string, id: string): Promise<void> {
  return navigator.locks.request(pulseLock(place, id), { mode: 'shared' }, () => undefined);
}
