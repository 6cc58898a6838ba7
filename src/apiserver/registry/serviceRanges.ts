/**
 * Service addresses and ports as allocated by several servers of one storage: in the reference's allocation objects. A
 * server writes them in the same transaction as the service, so of two servers with the same state one fails. The
 * reference writes them before it creates the service, so entries without an owner count as allocated too.
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

/** Other servers may allocate and release all the time. If all attempts fail, the next release includes this one. */
const TRIES = 10;

function named({ addresses, ports }: Pools): [string, Pick<PortPool, 'adopt' | 'state'>][] {
  const [first, second] = addresses.pools;
  return [
    ...(first ? [['serviceips', first] as [string, typeof first]] : []),
    ...(second ? [['secondaryserviceips', second] as [string, typeof second]] : []),
    ['servicenodeports', ports],
  ];
}

/** Reads the allocations of other servers. */
export function adoptRanges({ storage, clock }: ResourceServer, pools: Pools): void {
  for (const [name, pool] of named(pools)) {
    const text = storage.get(RANGES + name)?.value;
    const object: unknown = text === undefined ? undefined : JSON.parse(text);
    if (!isObject(object) || object['range'] !== pool.state.range) continue;
    const { data } = object;
    pool.adopt((typeof data === 'string' && fromBase64(data)) || new Uint8Array(), clock.now());
  }
}

/** Writes the current allocations, unless another server has changed them. */
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

/** Writes the allocations after `release`, which may be called several times. */
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
