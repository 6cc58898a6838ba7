/**
 * The addresses of API servers that share a storage: each keeps a lease on its own, and all write the live addresses
 * into the endpoints of the cluster's own service (`--endpoint-reconciler-type=lease`). Keys and values are the
 * reference's.
 */
import { endpoints, endpointSlices, type Client } from '../client/index.ts';
import { isReason } from '../schema/index.ts';
import { IDLE, type Clock, type Timer } from '../std/index.ts';
import type { Storage } from '../storage/index.ts';

export interface MasterLeaseOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly storage: Storage;
  /** The address of this server. */
  readonly address: string;
}

const PREFIX = '/registry/masterleases/';
const LEASE_MS = 15_000;
const RENEW_MS = 10_000;

/** Maintains the lease and the addresses until it is stopped, and then removes this server's address. */
export function startMasterLease(options: MasterLeaseOptions): { stop(): Promise<void> } {
  const { clock, storage, address } = options;
  const key = PREFIX + address;
  let timer: Timer | undefined;
  let stopped = false;
  const renew = async (): Promise<void> => {
    const value = JSON.stringify({
      ...{ kind: 'Endpoints', apiVersion: 'v1', metadata: { creationTimestamp: null } },
      subsets: [{ addresses: [{ ip: address }] }],
    });
    await storage.commit([{ type: 'put', key, value, expires: clock.now() + LEASE_MS }]);
    await publish(options);
  };
  const beat = async (): Promise<void> => {
    await renew().catch(() => undefined);
    if (!stopped) timer = clock.setTimeout(() => void (turn = beat()), RENEW_MS, IDLE);
  };
  let turn = beat();
  return {
    stop: async () => {
      stopped = true;
      clock.clearTimeout(timer);
      await turn;
      const gone = storage.commit([{ type: 'delete', key }]).then(() => publish(options));
      // A remaining entry expires with its lease.
      await gone.catch(() => undefined);
    },
  };
}

/** Writes the live addresses into the endpoints of the cluster's own service. */
async function publish({ client, storage }: MasterLeaseOptions): Promise<void> {
  const { entries } = storage.range({ start: PREFIX, end: `${PREFIX.slice(0, -1)}0` });
  const addresses = entries.map(({ key }) => key.slice(PREFIX.length));
  if (addresses.length === 0) return;
  try {
    await Promise.all([publishEndpoints(client, addresses), publishSlice(client, addresses)]);
  } catch (problem) {
    // Another server is writing the same addresses.
    if (!isReason(problem, 'Conflict')) throw problem;
  }
}

async function publishEndpoints(client: Client, addresses: readonly string[]): Promise<void> {
  const resource = client.of(endpoints);
  const found = await resource.get(client.names.product, 'default');
  const [subset] = found.subsets ?? [];
  const wanted = addresses.map((ip) => ({ ip }));
  if (JSON.stringify(subset?.addresses) === JSON.stringify(wanted)) return;
  await resource.update({ ...found, subsets: [{ ...subset, addresses: wanted }] });
}

async function publishSlice(client: Client, addresses: readonly string[]): Promise<void> {
  const resource = client.of(endpointSlices);
  const found = await resource.get(client.names.product, 'default');
  const wanted = addresses.map((ip) => ({ addresses: [ip], conditions: { ready: true } }));
  if (JSON.stringify(found.endpoints) === JSON.stringify(wanted)) return;
  await resource.update({ ...found, endpoints: wanted });
}
