/** Adds usage to quotas: waiting requests of a namespace are combined into one write of each quota. */
import { status } from '../../../schema/index.ts';
import type { AdmissionAttributes, PluginDeps } from '../../types.ts';
import { charged } from './charge.ts';
import type { LimitedResource } from './limitedResources.ts';
import { quotasIn, type Quota } from './quotas.ts';
import { inBackground } from '../../../std/index.ts';

/** A request that waits for its result. */
interface Waiter {
  readonly attributes: AdmissionAttributes;
  accept(): void;
  refuse(error: unknown): void;
}

/** The maximum number of retries after concurrent writes of quotas. */
const TRIES = 10;

export class Charging {
  readonly #deps: PluginDeps;
  readonly #limited: readonly LimitedResource[];
  /** By namespace; present while a batch is processed. */
  readonly #waiting = new Map<string, Waiter[]>();

  constructor(deps: PluginDeps, limited: readonly LimitedResource[]) {
    this.#deps = deps;
    this.#limited = limited;
  }

  /** Resolves once the usage was added. Throws StatusError if it exceeds a quota. */
  charge(attributes: AdmissionAttributes): Promise<void> {
    return new Promise((accept, refuse) => {
      const waiter = { attributes, accept, refuse };
      const queue = this.#waiting.get(attributes.namespace);
      if (queue) return void queue.push(waiter);
      this.#waiting.set(attributes.namespace, [waiter]);
      inBackground(this.#work(attributes.namespace), refuse);
    });
  }

  async #work(namespace: string): Promise<void> {
    for (let batch = this.#take(namespace); batch.length > 0; batch = this.#take(namespace)) {
      try {
        await this.#settle(batch, namespace);
      } catch (error) {
        for (const waiter of batch) waiter.refuse(error);
      }
    }
    this.#waiting.delete(namespace);
  }

  #take(namespace: string): readonly Waiter[] {
    const batch = this.#waiting.get(namespace) ?? [];
    if (batch.length > 0) this.#waiting.set(namespace, []);
    return batch;
  }

  /** Retries with the quotas that others have written meanwhile; the remaining quotas are done already. */
  async #settle(batch: readonly Waiter[], namespace: string): Promise<void> {
    let open = batch;
    let names: ReadonlySet<string> | undefined;
    for (let tries = 0; tries < TRIES; tries++) {
      const quotas = quotasIn(namespace, this.#deps).filter((quota) => !names || names.has(nameOf(quota)));
      // Requests without a quota were refused in the first attempt.
      const { accepted, after } = this.#charge(open, quotas, names ? [] : this.#limited);
      const changed = after.filter((quota, i) => quota !== quotas[i]);
      const stored = await Promise.all(changed.map((quota) => this.#store(quota)));
      const failed = changed.filter((_, i) => stored[i] === false);
      if (failed.length === 0) return accepted.forEach((waiter) => waiter.accept());
      names = new Set(failed.map(nameOf));
      open = accepted;
    }
    const gaveUp = status.conflict(
      { group: '', resource: 'resourcequotas' },
      [...(names ?? [])].join(','),
      'the object has been modified; please apply your changes to the latest version and try again',
    );
    for (const waiter of open) waiter.refuse(gaveUp);
  }

  /** The quotas after all fitting requests; answers immediately those that do not fit, and those without usage. */
  #charge(
    batch: readonly Waiter[],
    quotas: readonly Quota[],
    limited: readonly LimitedResource[],
  ): { accepted: readonly Waiter[]; after: readonly Quota[] } {
    const accepted: Waiter[] = [];
    let after = quotas;
    for (const waiter of batch) {
      try {
        const next = charged(waiter.attributes, after, this.#deps, limited);
        const costs = next.some((quota, i) => quota !== after[i]);
        if (waiter.attributes.dryRun || !costs) waiter.accept();
        else {
          accepted.push(waiter);
          after = next;
        }
      } catch (error) {
        waiter.refuse(error);
      }
    }
    return { accepted, after };
  }

  /** Writes a quota's status; returns false if it changed since it was read. */
  async #store(quota: Quota): Promise<boolean> {
    const { name = '', namespace = '' } = quota.metadata ?? {};
    const response = await this.#deps.transport(`/api/v1/namespaces/${namespace}/resourcequotas/${name}/status`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...quota, kind: 'ResourceQuota', apiVersion: 'v1' }),
    });
    await response.text();
    return response.ok;
  }
}

const nameOf = ({ metadata }: Quota): string => metadata?.name ?? '';
