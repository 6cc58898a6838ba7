import { writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Cluster, Host } from '../../cluster/index.ts';
import { createCluster } from '../../cluster/index.ts';
import { createListener, type Fetch } from './adapter.ts';
import type { ServeOptions } from './arguments.ts';
import { acceptUpgrades } from './upgrade.ts';

/** A cluster that answers over HTTP. */
export interface Served {
  readonly cluster: Cluster;
  /** Where the API's root is, without a slash at the end. */
  readonly url: string;
  /** PEM of the authority that clients have to trust, where the cluster itself signed what it serves with. */
  readonly authority: string | undefined;
  close(): Promise<void>;
}

/** Makes a cluster in memory and serves it at the root of a port; rejects when the port is taken or the options are wrong. */
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
  const { port, host } = options;
  const { server, authority } = await serverFor(cluster, options);
  // A watch is open for as long as the API server says, whatever Node thinks of it.
  server.requestTimeout = 0;
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const close = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await Promise.all([closed, cluster.stop()]);
  };
  const { address, port: actual, family } = server.address() as AddressInfo;
  const scheme = options.tls ? 'https' : 'http';
  return {
    cluster,
    url: `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${actual}`,
    authority,
    close,
  };
}

/** Like the reference, a server with TLS asks for a client's certificate and leaves it to authentication what it is worth. */
async function serverFor(
  cluster: Cluster,
  { host, tls = false, caFile }: ServeOptions,
): Promise<{ readonly server: Server; readonly authority: string | undefined }> {
  const fetch: Fetch = (request, certificates) => cluster.fetch(request, { from: 'http', certificates });
  const names = [host.toLowerCase()];
  const allowsOrigin = (origin: string): boolean => cluster.allowsOrigin(origin);
  const listener: RequestListener = createListener(fetch, names, allowsOrigin);
  const upgrading = <S extends Server>(server: S): S => {
    acceptUpgrades(server, fetch, names, allowsOrigin);
    return server;
  };
  if (!tls) return { server: upgrading(createServer(listener)), authority: undefined };
  const { certificate, key, authority, clientAuthorities } = await cluster.servingFiles([
    ...new Set([...LOOPBACK, host]),
  ]);
  if (caFile !== undefined && authority !== undefined) await writeFile(caFile, authority);
  const options = { cert: certificate, key, requestCert: true, rejectUnauthorized: false };
  const server = createTlsServer({ ...options, ...(clientAuthorities && { ca: clientAuthorities }) }, listener);
  return { server: upgrading(server), authority };
}

const LOOPBACK = ['localhost', '127.0.0.1', '::1'];
