import { ExpiringMap, type Clock, type Random } from '../../std/index.ts';
import type { Candidate, Choose, ServiceRequest } from '../service/route.ts';
import { keyOf } from '../view.ts';

/** The default session affinity timeout in seconds, as in the reference. */
const AFFINITY_SECONDS = 10_800;
const MOST_CLIENTS = 10_000;

/**
 * Chooses an endpoint at random. With `sessionAffinity: ClientIP` a client keeps its endpoint while that accepts
 * connections; each connection restarts the timeout. Each node's proxy has its own state.
 */
export function statefulChooser(clock: Clock, random: Random): Choose {
  const remembered = new ExpiringMap<string>(clock, MOST_CLIENTS);
  return (request, eligible) => {
    const { sessionAffinity, sessionAffinityConfig } = request.service.spec ?? {};
    if (sessionAffinity !== 'ClientIP') return eligible[random.int(eligible.length)];
    const key = affinityKey(request);
    const before = remembered.get(key);
    const chosen = eligible.find((each) => placeOf(each) === before) ?? eligible[random.int(eligible.length)];
    const seconds = sessionAffinityConfig?.clientIP?.timeoutSeconds ?? AFFINITY_SECONDS;
    if (chosen) remembered.set(key, placeOf(chosen), seconds * 1000);
    return chosen;
  };
}

const affinityKey = ({ service, port, client, node = '' }: ServiceRequest): string =>
  `${keyOf(service)}:${port.name ?? ''} ${client} ${node}`;

const placeOf = ({ address, port }: Candidate): string => `${address} ${port}`;
