import { ExpiringMap, type Clock, type Random } from '../../std/index.ts';
import type { Candidate, Choose, ServiceRequest } from '../service/route.ts';
import { keyOf } from '../view.ts';

/** Seconds for which a client keeps its endpoint where the service doesn't say, as the reference's default. */
const AFFINITY_SECONDS = 10_800;
const MOST_CLIENTS = 10_000;

/**
 * Chooses an endpoint by chance. With `sessionAffinity: ClientIP` a client keeps its endpoint for as long as that takes
 * connections; each connection begins the timeout anew. Each node's proxy remembers for itself.
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
