import { setMaxListeners } from 'node:events';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { DamagedError, GoneError, type Salvage } from '../../cluster/index.ts';
import { inBackground } from '../../std/index.ts';
import { withAdministrator } from './administrator.ts';
import { readArguments, usage, UsageError, type ServeOptions } from './arguments.ts';
import { completed, openDataDirectory, type DataDirectory } from './data/directory.ts';
import { etcdStorage } from './etcd/storage.ts';
import { kubeconfigOf } from '../kubeconfig.ts';
import { surviveErrors } from './problems.ts';
import { builtPage, pageKey, servePage, type PageServer } from './page/server.ts';
import { nodeSandbox } from './sandbox.ts';
import { serve, type Served } from './serve.ts';
import { reasonOf } from './words.ts';
import { requireWritable } from './writable.ts';

/** The maximum number of listeners of one signal (watches, waits, connections); Node reports more than ten as a leak. */
const MOST_LISTENERS = 1000;

/** What a kubeconfig is mostly for. */
const NOT_FOR_KUBECTL =
  'warning: kubectl works only with the names of k8s.io, and this cluster has the names of cluster.io; --naming k8s.io makes one for kubectl';

/** `npm run serve`: prints one line when it is ready, and ends on an interrupt. */
async function main(args: readonly string[]): Promise<void> {
  if (args.includes('--help') || args.includes('-h')) return console.log(usage);
  setMaxListeners(MOST_LISTENERS);
  const options = readArguments(args);
  await requireWritable('--kubeconfig', options.kubeconfig);
  await requireWritable('--ca-file', options.caFile);
  const data = options.dataDir === undefined ? undefined : await openDataDirectory(options.dataDir);
  const asked = completed(options.cluster, data?.made);
  const { cluster, token } = withAdministrator(asked, () => data?.made?.token ?? randomBytes(12).toString('hex'));
  const { kubeconfig } = options;
  if (kubeconfig !== undefined && token === undefined)
    throw new UsageError(
      '--kubeconfig: the cluster has a --token-auth-file of its own, so no administrator’s token is made; write the kubeconfig with a token of that file',
    );
  const directory = options.pagePort === undefined ? undefined : builtPage();
  const served = await serveOrRepair({ ...options, cluster }, data);
  // If the page's port is in use, the process exits before it reports that it is ready.
  const page = directory === undefined ? undefined : await openPage(options, served, directory, token);
  if (data) {
    const { files: _, storage: __, ...made } = asked;
    // The files are stored when the cluster opens; here a failure to store them is reported.
    await served.cluster.files.keep(served.cluster.files.current);
    await data.keep({ options: made, ...(token !== undefined && { token }) });
  }
  if (kubeconfig !== undefined && token !== undefined) {
    const text = kubeconfigOf({ name: cluster.name, url: served.url, authority: served.authority, user: { token } });
    await writeFile(kubeconfig, text, { mode: 0o600 });
  }
  if (kubeconfig !== undefined && served.cluster.names.profile !== 'k8s.io') console.error(NOT_FOR_KUBECTL);
  for (const warning of served.cluster.warnings) console.error(`warning: ${warning}`);
  const how = token === undefined ? '' : `; an administrator sends "Authorization: Bearer ${token}"`;
  console.log(`Cluster ${cluster.name} (${cluster.naming ?? 'cluster.io'}) is ready at ${served.url}${how}`);
  if (page) console.log(`Its page is at ${page.link} (this link makes whoever opens it an administrator)`);
  surviveErrors(process, served.cluster.trace, console.error);
  const end = (): void => inBackground(close(served, data, page), fail);
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
}

/** Serves the cluster; one with a damaged directory only after a repair, and only if requested. */
async function serveOrRepair(options: ServeOptions, data: DataDirectory | undefined): Promise<Served> {
  const sandbox = nodeSandbox(new URL('./sandboxThread.mjs', import.meta.url));
  const host = {
    sandbox,
    ...(data && { backend: data.backend, expectData: data.made !== undefined }),
    ...etcdStorage(options.cluster),
  };
  try {
    return await serve(options, host);
  } catch (error) {
    if (error instanceof GoneError) throw new Error(noSegments(options.dataDir ?? ''), { cause: error });
    if (!(error instanceof DamagedError)) throw error;
    if (options.repair !== true)
      throw new Error(
        `data directory ${options.dataDir}: ${error.message}\nWith --repair it opens with what can be read.`,
      );
    console.error(repaired(await error.repair()));
    return serve(options, host);
  }
}

const noSegments = (directory: string): string =>
  `the data directory ${directory} has lost the files that hold its objects (*.segment). Put them back from a copy, or start with another directory`;

function repaired({ keys, revision, dropped, lost }: Salvage): string {
  const spans = lost.map(({ from, to }) =>
    to === undefined ? `from ${from}` : from === to ? `${from}` : `${from}-${to}`,
  );
  const gone =
    spans.length === 0 ? 'No revision is lost.' : `What was written at these revisions is lost: ${spans.join(', ')}.`;
  return `repaired: ${keys} objects up to revision ${revision} can be read; ${dropped} damaged rows were dropped. ${gone}`;
}

/** The page over the cluster; the one ends with the other. */
async function openPage(
  { pagePort = 0, cluster: { apiserver = [] }, dataDir }: ServeOptions,
  { cluster, url, authority, close }: Served,
  directory: string,
  token: string | undefined,
): Promise<PageServer> {
  const { files: _, ...options } = cluster.options;
  const isShared = apiserver.some((flag) => flag.startsWith('--etcd-servers='));
  const api = { url, ...(authority !== undefined && { authority }), ...(token !== undefined && { token }) };
  const keptIn = isShared ? 'etcd' : dataDir === undefined ? 'memory' : 'files';
  try {
    return await servePage(cluster, {
      port: pagePort,
      ...{ directory, key: pageKey(token), served: { options, keptIn, api } },
    });
  } catch (error) {
    await close();
    throw error;
  }
}

async function close(served: Served, data: DataDirectory | undefined, page: PageServer | undefined): Promise<void> {
  const ends = await Promise.allSettled([page?.close(), served.close()]);
  await data?.release();
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  process.exit(0);
}

function fail(error: unknown): void {
  console.error(`error: ${reasonOf(error)}`);
  if (error instanceof UsageError) console.error('npm run serve -- --help lists all options.');
  process.exit(1);
}

inBackground(main(process.argv.slice(2)), fail);
