import { writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { Cluster, Host } from '../../cluster/index.ts';
import { createCluster } from '../../cluster/index.ts';
import type { Fetch } from './adapter.ts';
import type { ServeOptions } from './arguments.ts';
import { closeServer, listenAt, serverOver, tlsServerOver } from './listening.ts';
import { reasonOf } from './words.ts';

/** A cluster that answers over HTTP. */
export interface Served {
  readonly cluster: Cluster;
  /** Where the API's root is, without a slash at the end. */
  readonly url: string;
  /** PEM of the CA that clients have to trust, if the cluster signed its serving certificate. */
  readonly authority: string | undefined;
  close(): Promise<void>;
}

/**
 * Creates a cluster in memory and serves it at the root of a port; rejects if the port is in use or the options are
 * invalid.
 */
export async function serve(options: ServeOptions, host: Host = {}): Promise<Served> {
  const cluster = await createCluster(options.cluster, host);
  try {
    return await listen(cluster, options);
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

/** Serves a cluster that is made already; closing stops it, too. */
export async function listen(cluster: Cluster, options: ServeOptions): Promise<Served> {
  const { server, authority } = await serverFor(cluster, options);
  const { address, port, family } = await listenAt(server, options.port, options.host);
  const scheme = options.tls ? 'https' : 'http';
  return {
    cluster,
    url: `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    authority,
    close: async () => void (await Promise.all([closeServer(server), cluster.stop()])),
  };
}

async function serverFor(
  cluster: Cluster,
  { host, tls = false, caFile }: ServeOptions,
): Promise<{ readonly server: Server; readonly authority: string | undefined }> {
  const fetch: Fetch = (request, certificates) => cluster.fetch(request, { from: 'http', certificates });
  const allowsOrigin = (origin: string): boolean => cluster.allowsOrigin(origin);
  const door = { names: [host.toLowerCase()], allowsOrigin };
  if (!tls) return { server: serverOver(fetch, door), authority: undefined };
  const files = await cluster.servingFiles([...new Set([...LOOPBACK, host])]);
  const { authority } = files;
  if (caFile !== undefined && authority !== undefined) await writeFile(caFile, authority);
  try {
    return { server: tlsServerOver(fetch, files, door), authority };
  } catch (error) {
    throw new Error(`${certificateFlags(cluster.options)}: ${reasonOf(error)}`, { cause: error });
  }
}

/** The flags that name the serving certificate and its key, as they were given. */
const certificateFlags = ({ apiserver = [] }: Cluster['options']): string =>
  apiserver
    .filter((flag) => /^--tls-(cert|private-key)-file=/.test(flag))
    .map((flag) => flag.replace('=', ' '))
    .join(', ');

const LOOPBACK = ['localhost', '127.0.0.1', '::1'];
