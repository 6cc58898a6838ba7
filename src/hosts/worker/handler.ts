/** What answers a page: the API, and what the host offers around it (control.ts). */
import { administrator, PROOF_HEADER, type Cluster, type Past } from '../../cluster/index.ts';
import { Part } from '../../std/index.ts';
import { notServed, userAgentHeader, type Handler } from '../wire/index.ts';
import { AT_HEADER } from './atHeader.ts';
import { bridge } from './bridgePart.ts';
import { createControl } from './control.ts';
import type { Pasts } from './pasts.ts';

/** The moments of the past that pages look at; few do. */
export const pastsOf = (cluster: Cluster): Part<Pasts> =>
  new Part(async () => new (await import('./pasts.ts')).Pasts(cluster));

/** A request with one of these headers has the named user, not the page's. */
const credentialHeaders = ['authorization', PROOF_HEADER];

/** Everything that a page may ask of a cluster, wherever the cluster runs. */
export function handlerOf(cluster: Cluster, pasts: Part<Pasts>): Handler {
  const control = createControl(cluster, pasts);
  const as = { ...administrator, name: cluster.names.fill(administrator.name) };
  return (request, realm) => {
    if (realm === 'host') return control(request);
    const { condition } = cluster.storage;
    if (condition.is === 'lost')
      return Promise.resolve(notServed(`what this cluster stores is gone: ${condition.why}`));
    if (realm === 'bridge') return bridge.load().then(({ answerClient }) => answerClient(cluster, request));
    const trusted = realm === 'page' && !credentialHeaders.some((name) => request.headers.has(name));
    const userAgent = request.headers.get(userAgentHeader) ?? '';
    request.headers.delete(userAgentHeader);
    const at = realm === 'page' ? request.headers.get(AT_HEADER) : null;
    if (at !== null) return askPast(pasts, at, request, trusted ? { as, from: 'page', userAgent } : { from: 'fetch' });
    return cluster.fetch(request, trusted ? { as, from: 'page', userAgent } : { from: 'fetch', userAgent });
  };
}

/** A revision that was compacted is answered with 410, like a list at it. */
async function askPast(
  pasts: Part<Pasts>,
  at: string,
  request: Request,
  origin: Parameters<Past['fetch']>[1],
): Promise<Response> {
  let past: Past;
  try {
    past = await (await pasts.load()).at(Number(at));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const body = { kind: 'Status', apiVersion: 'v1', status: 'Failure', message, reason: 'Expired', code: 410 };
    return Response.json(body, { status: 410 });
  }
  return past.fetch(request, origin);
}
