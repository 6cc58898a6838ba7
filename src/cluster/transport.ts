/** How the cluster's components send requests to its API server. */
import type { ApiServer, Origin } from '../apiserver/index.ts';
import type { Transport } from '../client/index.ts';
import type { Names } from '../names/index.ts';
import { PlainHeaders, requestTo, WholeRequest } from '../std/index.ts';
import { loopback, userOf } from './identities.ts';

/** A transport with a component's identity; no credentials are checked. */
export function transport(
  server: () => ApiServer,
  names: Names,
  identity: string,
  causes?: Origin['causes'],
): Transport {
  const as = userOf(identity, names);
  // The API server's own writes, such as quota usage, have its name as their manager.
  const ownAgent = identity === loopback.name ? names.fill('{prefix}-apiserver') : '';
  return (path, init) => {
    const request = requestTo(`http://cluster.local${path}`, init);
    // Browsers remove the User-Agent from a Request of their own, so it is passed separately.
    const { headers } = request instanceof WholeRequest ? request : { headers: new PlainHeaders(init?.headers) };
    const userAgent = headers.get('user-agent') ?? ownAgent;
    return server().fetch(request, { as, from: identity, userAgent, causes });
  };
}
