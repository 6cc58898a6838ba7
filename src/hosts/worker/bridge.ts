/** What a cluster in the browser has for clients that reach it by the bridge. */
import { administrator, type Cluster, type Pair, type ServingFiles } from '../../cluster/index.ts';
import { realClock } from '../../std/index.ts';
import { takeCertificates } from '../bridge/certificates.ts';

/** Answers a request as the API server does over HTTP: its credentials identify the user. */
export function answerClient(cluster: Cluster, request: Request): Promise<Response> {
  return cluster.fetch(request, { from: 'bridge', certificates: takeCertificates(request) });
}

/** The names by which a server on this machine is reached. */
const LOOPBACK = ['localhost', '127.0.0.1', '::1'];

/** For a server that speaks TLS in the cluster's place; clients compare the certificate's time with the real one. */
export const servingFiles = (cluster: Cluster): Promise<ServingFiles> => cluster.servingFiles(LOOPBACK, realClock());

/** Whom clients have to trust, and how one proves to be an administrator. */
export interface ClientFiles extends Pair {
  /** Missing where flags brought a certificate of somebody else. */
  readonly authority?: string;
}

/** A group that authentication itself adds. */
const AUTHENTICATED = 'system:authenticated';

export async function administratorFiles(cluster: Cluster): Promise<ClientFiles> {
  const { authority } = await cluster.servingFiles(LOOPBACK);
  const { name, groups } = administrator;
  const files = await cluster.clientFiles(
    cluster.names.fill(name),
    groups.filter((group) => group !== AUTHENTICATED),
  );
  return { ...files, ...(authority !== undefined && { authority }) };
}
