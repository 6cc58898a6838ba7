/** Follows all changes of etcd: one watch of the whole key space, opened again where it ended after every loss of the connection. */
import { CallError, type Channel, type Stream } from './channel.ts';
import { decodeWatch, encodeWatch, type WatchEvent, type WatchResponse } from './messages.ts';

/** All that happened at one revision. */
export interface Changes {
  readonly revision: number;
  readonly events: readonly WatchEvent[];
}

export interface FollowListener {
  changed(changes: readonly Changes[]): void;
  /** The history after the last report was compacted. Nothing is reported after this. */
  missed(): void;
}

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2000;

export class Following {
  readonly #channel: Channel;
  readonly #listener: FollowListener;
  #after: number;
  #stream: Stream | undefined;
  #timer: NodeJS.Timeout | undefined;
  #pause = FIRST_PAUSE_MS;
  #ended = false;

  constructor(channel: Channel, after: number, listener: FollowListener) {
    this.#channel = channel;
    this.#after = after;
    this.#listener = listener;
    this.#open();
  }

  end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#stream?.end();
  }

  #open(): void {
    try {
      this.#stream = this.#channel.stream('/etcdserverpb.Watch/Watch', {
        message: (bytes) => this.#take(decodeWatch(bytes)),
        ended: () => this.#later(),
      });
      this.#stream.send(encodeWatch(this.#after + 1));
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      this.#later();
    }
  }

  #later(): void {
    if (this.#ended) return;
    this.#timer = setTimeout(() => this.#open(), this.#pause);
    this.#pause = Math.min(LONGEST_PAUSE_MS, this.#pause * 2);
  }

  #take({ canceled, compacted, events }: WatchResponse): void {
    if (this.#ended) return;
    this.#pause = FIRST_PAUSE_MS;
    if (canceled) {
      this.#stream?.end();
      if (compacted === 0) return this.#later();
      this.end();
      return this.#listener.missed();
    }
    const changes = byRevision(events.filter(({ entry }) => entry.modified > this.#after));
    const last = changes.at(-1);
    if (!last) return;
    this.#after = last.revision;
    this.#listener.changed(changes);
  }
}

/** Events come in order, those of one revision together. */
function byRevision(events: readonly WatchEvent[]): Changes[] {
  const changes: { revision: number; events: WatchEvent[] }[] = [];
  for (const event of events) {
    const last = changes.at(-1);
    if (last?.revision === event.entry.modified) last.events.push(event);
    else changes.push({ revision: event.entry.modified, events: [event] });
  }
  return changes;
}
