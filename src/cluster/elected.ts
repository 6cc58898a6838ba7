/** Components of servers that share a storage: each runs at the server that holds its lease. */
import { Client, type Transport } from '../client/index.ts';
import type { RunningControllers } from '../controllers/index.ts';
import type { Names } from '../names/index.ts';
import type { RunningNodes } from '../node/index.ts';
import type { RunningScheduler } from '../scheduler/index.ts';
import type { Clock, Random } from '../std/index.ts';
import type { Storage } from '../storage/index.ts';
import type { Tracer } from '../trace/index.ts';
import { advertisedAddress } from './bootstrap.ts';
import type { FlagSet } from './flags/index.ts';
import { loopback } from './identities.ts';
import { whileLeading, type ElectionOptions } from './leaderElection.ts';
import { startMasterLease } from './masterLease.ts';

export { startIdentityLease } from './identityLease.ts';

export interface ElectedParts {
  readonly names: Names;
  readonly clock: Clock;
  readonly random: Random;
  /** The host name of this server, for the identities of its components. */
  readonly hostname?: string;
  readonly tracer: Tracer;
  readonly storage: Storage;
  /** The API server's flags. */
  readonly flags: FlagSet;
  readonly components: { readonly [name in 'controllerManager' | 'scheduler']: { readonly flags: FlagSet } };
  readonly transportFor: (identity: string) => Transport;
}

/** Components that can be started and stopped repeatedly. */
interface Startable {
  readonly control: () => RunningControllers;
  readonly schedule: () => RunningScheduler;
}

type Settings = Omit<ElectionOptions, 'lead' | 'follow'>;

/** Controllers and scheduler, each running while this server holds its lease. */
export function electComponents(
  parts: ElectedParts,
  { control, schedule }: Startable,
): { readonly controllers: RunningControllers; readonly scheduler: RunningScheduler } {
  return { controllers: electControllers(parts, control), scheduler: electScheduler(parts, schedule) };
}

/** Publishes this server's address to the other servers, if they coordinate by leases. */
export function announce({ names, clock, storage, flags, transportFor }: ElectedParts): { stop(): Promise<void> }[] {
  if (flags.get('endpoint-reconciler-type') !== 'lease') return [];
  const client = new Client({
    names,
    transport: transportFor(loopback.name),
    userAgent: names.fill('{prefix}-apiserver'),
  });
  return [startMasterLease({ client, clock, storage, address: advertisedAddress(flags) })];
}

/** The election settings of a component; undefined with `--leader-elect=false`, when it runs at every server. */
function electionOf(parts: ElectedParts, name: string, flags: FlagSet): Settings | undefined {
  if (!flags.on('leader-elect')) return undefined;
  const { names, transportFor } = parts;
  return {
    ...parts,
    ...timesOf(flags),
    client: new Client({ names, userAgent: name, transport: transportFor(`system:${name}`) }),
    lease: {
      name: flags.get('leader-elect-resource-name') ?? '',
      namespace: flags.get('leader-elect-resource-namespace') ?? '',
    },
  };
}

const timesOf = (flags: FlagSet): Pick<Settings, 'leaseDuration' | 'renewDeadline' | 'retryPeriod'> => ({
  leaseDuration: flags.ms('leader-elect-lease-duration'),
  renewDeadline: flags.ms('leader-elect-renew-deadline'),
  retryPeriod: flags.ms('leader-elect-retry-period'),
});

function electControllers(parts: ElectedParts, start: () => RunningControllers): RunningControllers {
  const { flags } = parts.components.controllerManager;
  const election = electionOf(parts, parts.names.fill('{prefix}-controller-manager'), flags);
  if (!election) return start();
  const { current, stop } = whileLeading(election, start);
  return {
    ready: Promise.resolve(),
    view: () => current()?.view() ?? { controllers: [], informers: [] },
    setPaused: (name, paused) => current()?.setPaused(name, paused),
    step: (name) => current()?.step(name),
    follow: (changed) => parts.tracer.hear(changed, 'reconcile'),
    stop,
  };
}

function electScheduler(parts: ElectedParts, start: () => RunningScheduler): RunningScheduler {
  const { flags } = parts.components.scheduler;
  const election = electionOf(parts, parts.names.fill('{prefix}-scheduler'), flags);
  if (!election) return start();
  const { current, stop } = whileLeading(election, start);
  return {
    questions: async () => {
      const running = current();
      if (!running) throw new Error('another server of this control plane schedules pods; ask there');
      return running.questions();
    },
    view: () => current()?.view(),
    setPaused: (paused) => current()?.setPaused(paused),
    step: () => current()?.step(),
    follow: (changed) => parts.tracer.hear(changed, 'scheduling'),
    stop,
  };
}

/** The simulated nodes also run at one server; they have no flags, so the controllers' settings apply. */
export function electNodes(
  parts: ElectedParts,
  start: () => RunningNodes,
): { readonly current: () => RunningNodes | undefined; readonly stop: () => Promise<void> } {
  const { names, transportFor, components } = parts;
  const name = 'vitrine-nodes';
  return whileLeading(
    {
      ...parts,
      ...timesOf(components.controllerManager.flags),
      client: new Client({ names, userAgent: name, transport: transportFor(loopback.name) }),
      lease: { name, namespace: names.systemNamespace },
    },
    start,
  );
}
