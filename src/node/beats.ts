import type { Lease, Node } from '../client/index.ts';
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

/** A node as its agent knows it, and its conditions, of which only the times of the heartbeat are new. */
export interface Report {
  readonly node: Node;
  readonly conditions: NonNullable<Node['status']['conditions']>;
}

/** Writes reports, as patches by their nodes would. Returns the first nodes, as `Renew` returns leases. */
export type ReportAll = (reports: readonly Report[]) => Promise<readonly Node[] | undefined>;

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

/** Renewals and reports in one turn of the event loop, in which nobody else is answered: some two milliseconds. */
const RENEWALS = 50;
const REPORTS = 12;

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
    for (let at = from; renewals.length < RENEWALS; at++) {
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
  due.forEach(({ agent, spec }, i) => agent.beat(spec, leases[i]));
}

interface Waiting {
  readonly report: Report;
  readonly answered: (node: Node | undefined) => void;
}

/** Writes the reports that nodes make at one moment, in order. */
export class Reports {
  readonly #reportAll: ReportAll;
  #waiting: Waiting[] = [];
  #isRunning = false;

  constructor(reportAll: ReportAll) {
    this.#reportAll = reportAll;
  }

  /** Resolves to the node as it is then; undefined if it has to be patched. */
  add(report: Report): Promise<Node | undefined> {
    return new Promise((answered) => {
      this.#waiting.push({ report, answered });
      if (this.#isRunning) return;
      this.#isRunning = true;
      inBackground(this.#run(), () => (this.#isRunning = false));
    });
  }

  async #run(): Promise<void> {
    // Those of the heartbeats that are made in this turn come, too.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const due = this.#waiting.splice(0, REPORTS);
      const nodes = await this.#reportAll(due.map(({ report }) => report)).catch(() => undefined);
      const answered = nodes ? Math.min(nodes.length + 1, due.length) : due.length;
      for (const [i, waiting] of due.entries()) if (i < answered) waiting.answered(nodes?.[i]);
      this.#waiting.unshift(...due.slice(answered));
    }
    this.#isRunning = false;
  }
}
