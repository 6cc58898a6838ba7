/** Which etcd a cluster is kept in, by the reference's own flags of the API server. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { etcdLayout, openShared, type ClusterOptions, type Host } from '../../../cluster/index.ts';
import { namesOf } from '../../../names/index.ts';
import { pathOf, UsageError } from '../arguments.ts';
import { reasonOf } from '../words.ts';
import { etcdEngine } from './engine.ts';

/** How the storage of such a cluster is opened; nothing where no flag names an etcd. Throws UsageError. */
export function etcdStorage(options: ClusterOptions): Pick<Host, 'openStorage' | 'hostname'> {
  const flag = (name: string): string => flagOf(options.apiserver ?? [], name);
  const endpoints = flag('etcd-servers').split(',').filter(Boolean);
  if (endpoints.length === 0) return {};
  for (const endpoint of endpoints) requireEndpoint(endpoint);
  if ((options.clock ?? 'real') !== 'real')
    throw new UsageError(
      '--etcd-servers: servers that share an etcd go by the time of the machine; leave out the clock',
    );
  if (options.servers === 2)
    throw new UsageError('servers: with --etcd-servers each server is a process of its own; start another one');
  const file = (name: string, read: (text: string) => unknown): string | undefined =>
    readFile(options, name, flag(name), read);
  const certificate = (text: string): unknown => new X509Certificate(text);
  const [ca, cert] = [file('etcd-cafile', certificate), file('etcd-certfile', certificate)];
  const key = file('etcd-keyfile', createPrivateKey);
  if ((cert === undefined) !== (key === undefined))
    throw new UsageError('--etcd-certfile and --etcd-keyfile have to be given together');
  const layout = etcdLayout(namesOf(options.naming ?? 'cluster.io'), flag('etcd-prefix') || '/registry');
  const tls = {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
  };
  return {
    hostname: hostname(),
    openStorage: async (clock) => {
      try {
        const engine = etcdEngine({ endpoints, layout, tls, now: () => clock.now() });
        return await openShared({ engine, clock, keep: Infinity });
      } catch (error) {
        throw new Error(`etcd at ${endpoints.join(', ')} can't be used: ${reasonOf(error)}`, { cause: error });
      }
    },
  };
}

/** The last one counts. */
function flagOf(flags: readonly string[], name: string): string {
  const start = `--${name}=`;
  return flags.findLast((flag) => flag.startsWith(start))?.slice(start.length) ?? '';
}

function requireEndpoint(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return;
  throw new UsageError(`--etcd-servers: want addresses such as https://10.0.0.1:2379, got ${JSON.stringify(text)}`);
}

/** One of the cluster's own files, or one of the machine, which `read` can read. */
function readFile(
  { files }: ClusterOptions,
  flag: string,
  path: string,
  read: (text: string) => unknown,
): string | undefined {
  if (path === '') return undefined;
  const own = files && Object.hasOwn(files, path) ? files[path] : undefined;
  try {
    const text = own ?? readFileSync(pathOf(path), 'utf8');
    read(text);
    return text;
  } catch (error) {
    throw new UsageError(`--${flag} ${path}: ${reasonOf(error)}`);
  }
}
