/**
 * The API server's identity lease, with the gate APIServerIdentity: it lists the API servers; expired leases are
 * deleted (specification, Limits: identity leases).
 */
import { leases, type Client, type Lease } from '../client/index.ts';
import { IDLE, rfc3339Micro, type Clock, type Random, type Timer } from '../std/index.ts';
import type { FlagSet } from './flags/index.ts';

export interface IdentityOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly flags: FlagSet;
}

/** Renews the lease until it is stopped; failures are retried at the next renewal. */
export function startIdentityLease({ client, clock, random, flags }: IdentityOptions): { stop(): void } {
  const { names } = client;
  const component = names.fill('{prefix}-apiserver');
  const labels = { [names.fill('{domain}/component')]: component };
  const holder = `${component}-${random.uuid()}`;
  const seconds = flags.number('identity-lease-duration-seconds');
  const interval = flags.number('identity-lease-renew-interval-seconds') * 1000;
  const resource = client.of(leases);
  let timer: Timer | undefined;
  let stopped = false;

  const renew = async (): Promise<void> => {
    const spec = { holderIdentity: holder, leaseDurationSeconds: seconds, renewTime: rfc3339Micro(clock.now()) };
    const { items } = await resource.list({ namespace: names.systemNamespace, labelSelector: selectorOf(labels) });
    const own = items.find(({ metadata }) => metadata.name === holder);
    if (own) await resource.update({ ...own, spec: { ...own.spec, ...spec } });
    else await resource.create({ metadata: { name: holder, namespace: names.systemNamespace, labels }, spec });
    for (const lease of items) if (lease !== own && isOver(lease, clock.now())) await resource.delete(lease);
  };
  const beat = (): void => {
    const again = (): void => {
      if (!stopped) timer = clock.setTimeout(beat, interval, IDLE);
    };
    renew().then(again, again);
  };
  beat();
  return {
    stop: () => {
      stopped = true;
      clock.clearTimeout(timer);
    },
  };
}

const selectorOf = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');

/** Whether the lease has expired. */
function isOver({ spec }: Lease, now: number): boolean {
  const renewed = Date.parse(spec.renewTime ?? '');
  return Number.isNaN(renewed) || now > renewed + (spec.leaseDurationSeconds ?? 0) * 1000;
}
