/**
 * Servers that share a storage elect by a Lease the one that runs a component (`--leader-elect`). A leader that can't
 * renew its lease in time stops before the lease expires, so that there is never a second one.
 */
import { leases, type Client, type Lease } from '../client/index.ts';
import { isReason } from '../schema/index.ts';
import { IDLE, inBackground, rfc3339Micro, throwToHost, type Clock, type Random, type Timer } from '../std/index.ts';

export interface ElectionOptions {
  /** Has the component's identity. */
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  /** The host name, the prefix of the component's identity. */
  readonly hostname?: string;
  readonly lease: { readonly name: string; readonly namespace: string };
  /** In milliseconds, from the flags of these names. */
  readonly leaseDuration: number;
  readonly renewDeadline: number;
  readonly retryPeriod: number;
  /** Starts the work; called each time the election is won. */
  readonly lead: () => void;
  /** Stops the work after the election was lost or left. */
  readonly follow: () => Promise<void>;
}

/** As in the reference, candidates do not all check at the same time. */
const JITTER = 1.2;

/** Takes part in the election until it is stopped; a leader then releases the lease. */
export function startElection(options: ElectionOptions): { stop(): Promise<void> } {
  return new Election(options);
}

class Election {
  readonly #options: ElectionOptions;
  readonly #identity: string;
  /**
   * The last content of the lease, and when it was first observed here, because clocks of other machines are not
   * trusted.
   */
  #seen: { readonly text: string; readonly at: number } | undefined;
  #leads = false;
  #stopped = false;
  #timer: Timer | undefined;
  #deadline: Timer | undefined;
  #turn: Promise<void>;

  constructor(options: ElectionOptions) {
    this.#options = options;
    const { hostname, random } = options;
    this.#identity = hostname === undefined ? random.uuid() : `${hostname}_${random.uuid()}`;
    this.#turn = this.#take();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#options.clock.clearTimeout(this.#timer);
    await this.#turn;
    if (this.#leads) await this.#resign();
    await this.#release().catch(() => undefined);
  }

  /** Checks the lease, and schedules the next check. */
  async #take(): Promise<void> {
    const { clock, renewDeadline, retryPeriod, random } = this.#options;
    const asked = clock.now();
    const holds = await this.#hold(asked).catch(() => false);
    const left = asked + renewDeadline - clock.now();
    if (this.#stopped) return;
    if (holds && left > 0) this.#lead(left);
    const pause = this.#leads ? retryPeriod : retryPeriod * (1 + JITTER * random.next());
    this.#timer = clock.setTimeout(() => void (this.#turn = this.#take()), pause, IDLE);
  }

  /** Leads for this many milliseconds unless the lease is renewed, even while a request is pending. */
  #lead(left: number): void {
    const { clock, lead } = this.#options;
    clock.clearTimeout(this.#deadline);
    this.#deadline = clock.setTimeout(() => inBackground(this.#resign(), throwToHost), left, IDLE);
    if (this.#leads) return;
    this.#leads = true;
    lead();
  }

  async #resign(): Promise<void> {
    this.#options.clock.clearTimeout(this.#deadline);
    this.#leads = false;
    await this.#options.follow();
  }

  /** Whether the lease is held after renewing it or taking a free one. */
  async #hold(now: number): Promise<boolean> {
    const { client, lease } = this.#options;
    const resource = client.of(leases);
    const found = await resource.get(lease.name, lease.namespace).catch((problem: unknown) => {
      if (isReason(problem, 'NotFound')) return undefined;
      throw problem;
    });
    if (!found) {
      await resource.create({ metadata: lease, spec: this.#spec(undefined, now) });
      return true;
    }
    if (!this.#isFree(found, now)) return false;
    await resource.update({ ...found, spec: this.#spec(found, now) });
    return true;
  }

  #isFree({ spec }: Lease, now: number): boolean {
    const text = JSON.stringify(spec);
    if (this.#seen?.text !== text) this.#seen = { text, at: now };
    const { holderIdentity = '', leaseDurationSeconds = 0 } = spec;
    return (
      holderIdentity === '' ||
      holderIdentity === this.#identity ||
      now > this.#seen.at + Math.max(leaseDurationSeconds * 1000, this.#options.leaseDuration)
    );
  }

  #spec(found: Lease | undefined, now: number): Lease['spec'] {
    const before = found?.spec;
    const isOwn = before?.holderIdentity === this.#identity;
    return {
      holderIdentity: this.#identity,
      leaseDurationSeconds: Math.ceil(this.#options.leaseDuration / 1000),
      acquireTime: (isOwn && before.acquireTime) || rfc3339Micro(now),
      renewTime: rfc3339Micro(now),
      leaseTransitions: (before?.leaseTransitions ?? 0) + (before && !isOwn ? 1 : 0),
    };
  }

  async #release(): Promise<void> {
    const { client, lease, clock } = this.#options;
    const resource = client.of(leases);
    const found = await resource.get(lease.name, lease.namespace);
    if (found.spec.holderIdentity !== this.#identity) return;
    const spec = { ...found.spec, holderIdentity: '', leaseDurationSeconds: 1, renewTime: rfc3339Micro(clock.now()) };
    await resource.update({ ...found, spec });
  }
}

/** Starts work in the background when a lease is won, and stops it when it is lost. */
export function whileLeading<T extends { stop(): Promise<void> }>(
  election: Omit<ElectionOptions, 'lead' | 'follow'>,
  start: () => T,
): { readonly current: () => T | undefined; readonly stop: () => Promise<void> } {
  let running: T | undefined;
  const follow = async (): Promise<void> => {
    const ended = running;
    running = undefined;
    await ended?.stop();
  };
  const taking = startElection({ ...election, follow, lead: () => void (running = start()) });
  return { current: () => running, stop: () => taking.stop() };
}
