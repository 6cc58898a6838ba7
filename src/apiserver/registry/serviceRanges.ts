/**
 * What services hold of the cluster's addresses and ports, as several servers of one storage write it down: in the reference's
 * objects, at the names of its resources. A server takes by writing them together with what takes, so of two that go by the
 * same state one fails. The reference writes them before it makes the service: what nobody holds yet is taken, too.
 */
import { fromBase64, isObject, toBase64 } from '../../std/index.ts';
import type { Op } from '../../storage/index.ts';
import type { PortPool } from './allocation.ts';
import type { ResourceServer } from './registry.ts';
import type { ServiceAddresses } from './serviceAddresses.ts';

export interface Pools {
  readonly addresses: ServiceAddresses;
  readonly ports: PortPool;
}

const RANGES = '/registry/ranges/';

/** Other servers may take and release all the time; then the next release gives back what this one could not. */
const TRIES = 10;

function named({ addresses, ports }: Pools): [string, Pick<PortPool, 'adopt' | 'state'>][] {
  const [first, second] = addresses.pools;
  return [
    ...(first ? [['serviceips', first] as [string, typeof first]] : []),
    ...(second ? [['secondaryserviceips', second] as [string, typeof second]] : []),
    ['servicenodeports', ports],
  ];
}

/** Learns what other servers have written down. */
export function adoptRanges({ storage, clock }: ResourceServer, pools: Pools): void {
  for (const [name, pool] of named(pools)) {
    const text = storage.get(RANGES + name)?.value;
    const object: unknown = text === undefined ? undefined : JSON.parse(text);
    if (!isObject(object) || object['range'] !== pool.state.range) continue;
    const { data } = object;
    pool.adopt((typeof data === 'string' && fromBase64(data)) || new Uint8Array(), clock.now());
  }
}

/** Writes down what is taken now, if nobody else has done so since. */
export function rangeWrites({ storage }: ResourceServer, pools: Pools): Op[] {
  return named(pools).map(([name, { state }]) => {
    const key = RANGES + name;
    const object = {
      ...{ kind: 'RangeAllocation', apiVersion: 'v1', metadata: { creationTimestamp: null } },
      ...{ range: state.range, data: toBase64(state.bits) },
    };
    return { type: 'put', key, value: JSON.stringify(object), expect: storage.get(key)?.revision ?? 0 };
  });
}

/** Writes down what `release` leaves of the newest pools; it may be called several times. */
export async function writeReleased(
  server: ResourceServer,
  poolsOf: () => Pools,
  release: (pools: Pools) => void,
): Promise<void> {
  for (let i = 0; i < TRIES; i++) {
    const pools = poolsOf();
    adoptRanges(server, pools);
    release(pools);
    if ((await server.storage.commit(rangeWrites(server, pools))).ok) return;
  }
}
