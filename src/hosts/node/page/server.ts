import { createHmac, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import type { Cluster } from '../../../cluster/index.ts';
import type { ServedCluster } from '../../served/messages.ts';
import { handlerOf, pastsOf } from '../../worker/handler.ts';
import { UsageError } from '../arguments.ts';
import { closeServer, listenAt } from '../listening.ts';
import { acceptPages } from './entrance.ts';
import { fileListener, INDEX } from './files.ts';

/** The page at an address of its own, which is another origin than the API's: nothing that a container serves runs there. */
export interface PageServer {
  /** The link for a person; the key in it makes its holder the cluster's administrator. */
  readonly link: string;
  close(): Promise<void>;
}

export interface PageOptions {
  readonly port: number;
  /** Where the built page is. */
  readonly directory: string;
  readonly key: string;
  readonly served: ServedCluster;
}

/** Serves the page over a cluster; only this machine reaches it. Rejects where the port is taken. */
export async function servePage(cluster: Cluster, { port, directory, key, served }: PageOptions): Promise<PageServer> {
  const server = createServer(fileListener(directory, cluster.name));
  const pasts = pastsOf(cluster);
  const dismiss = acceptPages(server, { key, served, handle: handlerOf(cluster, pasts) });
  const at = await listenAt(server, port, '127.0.0.1');
  return {
    link: `http://127.0.0.1:${at.port}/#/${encodeURIComponent(cluster.name)}/glass?key=${key}`,
    close: async () => {
      dismiss();
      await Promise.all([closeServer(server), pasts.loaded ? pasts.get().stop() : undefined]);
    },
  };
}

/** The output folder of `npm run build`. Throws UsageError if it was not built. */
export function builtPage(): string {
  const directory = resolve(process.env['VITRINE_DIST'] ?? 'dist');
  if (existsSync(join(directory, INDEX))) return directory;
  throw new UsageError('--page: the page is not built yet; run `npm run build` once');
}

/** The key of a server's page. It stays as long as the administrator's token does, so that an open page outlives a restart. */
export function pageKey(token: string | undefined): string {
  if (token === undefined) return randomBytes(24).toString('base64url');
  return createHmac('sha256', token).update('the page of this server').digest('base64url');
}
