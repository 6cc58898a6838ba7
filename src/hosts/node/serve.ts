import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Cluster } from '../../cluster/index.ts';
import { createCluster } from '../../cluster/index.ts';
import { createListener } from './adapter.ts';
import type { ServeOptions } from './arguments.ts';

/** A cluster that answers over HTTP. */
export interface Served {
  readonly cluster: Cluster;
  /** Where the API's root is, without a slash at the end. */
  readonly url: string;
  close(): Promise<void>;
}

/** Makes a cluster in memory and serves it at the root of a port; rejects when the port is taken or the options are wrong. */
export async function serve({ port, host, cluster: options }: ServeOptions): Promise<Served> {
  const cluster = await createCluster(options);
  const server = createServer(createListener((request) => cluster.fetch(request, { from: 'http' })));
  // A watch is open for as long as the API server says, whatever Node thinks of it.
  server.requestTimeout = 0;
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  }).catch(async (error: unknown) => {
    await cluster.stop();
    throw error;
  });
  const close = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await Promise.all([closed, cluster.stop()]);
  };
  const { address, port: actual, family } = server.address() as AddressInfo;
  return { cluster, url: `http://${family === 'IPv6' ? `[${address}]` : address}:${actual}`, close };
}
