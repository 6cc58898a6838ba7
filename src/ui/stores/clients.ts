/** The client with which the page asks, as whoever it acts as. */
import { useMemo } from 'preact/compat';
import { Client } from '../../client/index.ts';
import { administrator, transportAs, useIdentity, type Identity } from './identity.ts';
import { embedding } from '../shell/embedding.ts';
import { refuseWrites } from './readOnly.ts';
import { theCluster, useCluster, type Open } from './session.ts';

/** How the page's own requests are told apart in the request log and in field ownership. */
export const USER_AGENT = 'vitrine';
export const OBSERVER_AGENT = 'vitrine-observer';

function clientOf({ cluster, names }: Open, identity: Identity, userAgent: string): Client {
  return new Client({ transport: transportAs(cluster.transport, identity), names, userAgent });
}

/** The client for what a person does: its requests are theirs. Embedded read-only, it changes nothing. */
export function theClient(identity: Identity = useIdentity.getState().current): Client {
  const open = theCluster();
  if (!embedding?.readOnly) return clientOf(open, identity, USER_AGENT);
  const transport = refuseWrites(transportAs(open.cluster.transport, identity));
  return new Client({ transport, names: open.names, userAgent: USER_AGENT });
}

/** The client that makes what a cluster begins with, whoever looks at it later. */
export const makingClient = (): Client => clientOf(theCluster(), administrator, USER_AGENT);

/** The client for what the page itself reads once, with the administrator's eyes. */
export const readingClient = (): Client => clientOf(theCluster(), administrator, OBSERVER_AGENT);

/** The client for what the page reads to show it; the same one until the cluster or the identity changes. */
export function useObserver(): Client {
  const open = useCluster();
  const identity = useIdentity((state) => state.current);
  return useMemo(() => clientOf(open, identity, OBSERVER_AGENT), [open, identity]);
}

/** As `useObserver`, always with the administrator's eyes: for the page's own frame, such as its list of namespaces. */
export function useAdministrator(): Client {
  const open = useCluster();
  return useMemo(() => clientOf(open, { kind: 'administrator' }, OBSERVER_AGENT), [open]);
}
