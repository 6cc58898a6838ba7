/** Leases for keys that go by themselves. Keys that go at about the same time share one, as in the reference. */
import type { Channel } from './channel.ts';
import { decodeLease, encodeLease } from './messages.ts';

interface Lease {
  readonly id: bigint;
  /** When it ends, in milliseconds since the epoch. */
  readonly ends: number;
}

/** A key may stay so much longer than it has to: a minute, but no more than a twentieth of its time. */
const SLACK_MS = 60_000;
const SLACK_PART = 0.05;

export class Leases {
  readonly #channel: Channel;
  readonly #now: () => number;
  #last: Promise<Lease> | undefined;

  constructor(channel: Channel, now: () => number) {
    this.#channel = channel;
    this.#now = now;
  }

  /** The lease of a key that goes at `expires`, in milliseconds since the epoch. */
  async at(expires: number): Promise<bigint> {
    const last = await this.#last?.catch(() => undefined);
    const slack = Math.min(SLACK_MS, SLACK_PART * Math.max(0, expires - this.#now()));
    if (last && last.ends >= expires && last.ends <= expires + slack) return last.id;
    this.#last = this.#grant(expires + slack);
    return (await this.#last).id;
  }

  async #grant(ends: number): Promise<Lease> {
    const seconds = Math.max(1, Math.ceil((ends - this.#now()) / 1000));
    const answer = await this.#channel.call('/etcdserverpb.Lease/LeaseGrant', encodeLease(seconds));
    return { id: decodeLease(answer), ends: this.#now() + seconds * 1000 };
  }
}
