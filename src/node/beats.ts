import type { Lease } from '../client/index.ts';
import { inBackground } from '../std/index.ts';

/** A node's lease as its agent knows it, and when it is renewed. */
export interface Renewal {
  readonly node: string;
  readonly lease: Lease;
  readonly renewTime: string;
}

/**
 * Renews leases, as updates by their nodes would. Returns the first ones, up to one that has to be updated; undefined if
 * all of them have to be.
 */
export type Renew = (renewals: readonly Renewal[]) => Promise<readonly Lease[] | undefined>;

/** What an agent writes into its lease. */
export interface LeaseSpec {
  readonly holderIdentity: string;
  readonly leaseDurationSeconds: number;
  readonly renewTime: string;
}

/** An agent whose heartbeat is due. */
export interface Beating {
  /** The lease as the server has last answered it, unless another one has changed it. */
  readonly lease: Lease | undefined;
  readonly isCutOff: boolean;
  leaseSpec(): LeaseSpec;
  /** Makes the heartbeat: renews the lease, unless it was `renewed`, and reports the status. */
  beat(spec?: LeaseSpec, renewed?: Lease): void;
}

interface Due {
  readonly agent: Beating;
  readonly spec: LeaseSpec;
  readonly renewal: Renewal | undefined;
}

/** Renewals in one turn of the event loop, in which nobody else is answered: some two milliseconds. */
const SLICE = 50;

/** Makes the heartbeats of many nodes that are due at one moment, in order. */
export class Beats {
  readonly #renew: Renew;
  #due: Due[] = [];
  #isRunning = false;

  constructor(renew: Renew) {
    this.#renew = renew;
  }

  add(agent: Beating): void {
    const spec = agent.leaseSpec();
    this.#due.push({ agent, spec, renewal: renewalOf(agent, spec) });
    if (this.#isRunning) return;
    this.#isRunning = true;
    inBackground(this.#run(), () => (this.#isRunning = false));
  }

  async #run(): Promise<void> {
    // The timers of the others fire in this turn, too.
    await Promise.resolve();
    while (this.#due.length > 0) {
      const due = this.#due;
      this.#due = [];
      for (let at = 0; at < due.length;) at = await this.#next(due, at);
    }
    this.#isRunning = false;
  }

  /** Makes some heartbeats, beginning at `from`. Returns where the rest begins. */
  async #next(due: readonly Due[], from: number): Promise<number> {
    const renewals: Renewal[] = [];
    for (let at = from; renewals.length < SLICE; at++) {
      const renewal = due[at]?.renewal;
      if (!renewal) break;
      renewals.push(renewal);
    }
    if (renewals.length === 0) {
      makeAll(due.slice(from, from + 1));
      return from + 1;
    }
    const leases = await this.#renew(renewals).catch(() => undefined);
    const renewed = leases?.length ?? 0;
    makeAll(due.slice(from, from + renewed), leases);
    const rest = leases ? Math.min(renewed + 1, renewals.length) : renewals.length;
    makeAll(due.slice(from + renewed, from + rest));
    return from + rest;
  }
}

/** The renewal of an agent's lease; undefined if more than the time differs, or if the agent reaches no server. */
function renewalOf({ lease, isCutOff }: Beating, spec: LeaseSpec): Renewal | undefined {
  const { holderIdentity: node, leaseDurationSeconds, renewTime } = spec;
  if (!lease || isCutOff) return undefined;
  const isSame = lease.spec.holderIdentity === node && lease.spec.leaseDurationSeconds === leaseDurationSeconds;
  return isSame ? { node, lease, renewTime } : undefined;
}

/** Completes heartbeats: with the leases that were renewed, and by an update where there is none. */
function makeAll(due: readonly Due[], leases: readonly Lease[] = []): void {
  for (const [i, { agent, spec }] of due.entries()) agent.beat(spec, leases[i]);
}
