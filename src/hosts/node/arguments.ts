import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import type { ClusterOptions } from '../../cluster/index.ts';
import { isProfile, profiles } from '../../names/index.ts';

export interface ServeOptions {
  readonly port: number;
  readonly host: string;
  /** Whether it speaks TLS, and asks clients for certificates. */
  readonly tls?: boolean;
  /** Where the certificate is to be written that clients trust. */
  readonly caFile?: string;
  /** Where to write a kubeconfig for clients of the server. */
  readonly kubeconfig?: string;
  /** The directory in which the cluster is kept; without one it ends with the process. */
  readonly dataDir?: string;
  /** Whether to open a damaged data directory with what can be read of it. */
  readonly repair?: boolean;
  /** The port of the page that shows the cluster; none is served without. */
  readonly pagePort?: number;
  readonly cluster: ClusterOptions;
}

/** A mistake of whoever typed the command; its message is all that they need to see. */
export class UsageError extends Error {
  override name = 'UsageError';
}

export const usage = `usage: npm run serve -- [options]
  --port N           the port on the loopback interface (8080; 0 takes a free one)
  --host ADDRESS     another address to listen on (127.0.0.1)
  --config FILE      the cluster's options as JSON or YAML, in the form of vitrine.boot's
  --tls              HTTPS, by a certificate of the cluster's own authority; clients may prove certificates, too
  --kubeconfig FILE  writes there what clients need to reach it as an administrator; means --tls
  --page             serves the page, too, which then shows this cluster; prints the link that opens it
  --page-port N      the page's port (8081; 0 takes a free one); means --page
  --data-dir DIR     keeps the cluster in this directory; what it was made with is kept, too, and need not be said again
  --repair           with --data-dir: opens a damaged one with what can be read, and says what is lost
  --etcd-servers URL,…
                     keeps the cluster in etcd, which any number of servers may share; --etcd-prefix, --etcd-cafile,
                     --etcd-certfile, --etcd-keyfile and --etcd-compaction-interval as the reference has them
  --advertise-address ADDRESS
                     with --etcd-servers: where clients inside find this server among the others
  --ca-file FILE     with --tls: writes there the certificate that clients have to trust
  --tls-cert-file NAME, --tls-private-key-file NAME, --client-ca-file NAME
                     the API server's flags of these names, which mean --tls; NAME is one of the config's files
  --naming PROFILE   ${profiles.join(' or ')}; overrides the file
  --nodes N          how many simulated nodes there are; overrides the file
  --addons LIST      what is installed besides: dns, the name server as pods, is there with --nodes if nothing is said; or none`;

/** What a command line asks for. Throws UsageError. */
export function readArguments(args: readonly string[], readFile = readText): ServeOptions {
  const values = parseValues(args);
  const config = values.config === undefined ? {} : readConfig(values.config, readFile);
  const { naming, nodes, repair, kubeconfig, 'ca-file': caFile, 'data-dir': dataDir } = values;
  const flags = certificateFlags.flatMap((name) => (values[name] === undefined ? [] : [`--${name}=${values[name]}`]));
  const others = serverFlags.flatMap((name) => (values[name] === undefined ? [] : [`--${name}=${values[name]}`]));
  const apiserver = [...(config.apiserver ?? []), ...flags, ...others];
  if (naming !== undefined && !isProfile(naming))
    throw new UsageError(`--naming: ${profiles.join(' or ')}, not ${naming}`);
  const tls = values.tls || flags.length > 0 || kubeconfig !== undefined;
  if (caFile !== undefined && !tls) throw new UsageError('--ca-file: there is no certificate to trust without --tls');
  if (dataDir !== undefined && apiserver.some((flag) => flag.startsWith('--etcd-servers')))
    throw new UsageError('--data-dir and --etcd-servers: objects are kept in one of them');
  if (repair && dataDir === undefined) throw new UsageError('--repair: there is nothing to repair without --data-dir');
  return {
    port: numberOf('--port', values.port),
    host: values.host,
    tls,
    ...(caFile !== undefined && { caFile: pathOf(caFile) }),
    ...(kubeconfig !== undefined && { kubeconfig: pathOf(kubeconfig) }),
    ...(dataDir !== undefined && { dataDir: pathOf(dataDir), repair }),
    ...pagePortOf(values.page, values['page-port']),
    cluster: {
      name: 'serve',
      ...config,
      apiserver,
      ...(naming !== undefined && { naming }),
      ...(nodes !== undefined && { nodes: numberOf('--nodes', nodes) }),
      ...addonsOf(values.addons, nodes, config),
      storage: 'memory',
    },
  };
}

/** A cluster that the command line gives nodes has a name server; one from a file has what the file says. */
function addonsOf(
  text: string | undefined,
  nodes: string | undefined,
  { addons }: Partial<ClusterOptions>,
): Pick<ClusterOptions, 'addons'> {
  if (text === 'none') return { addons: [] };
  if (text !== undefined && text !== 'dns') throw new UsageError(`--addons: dns or none, not ${text}`);
  return text === 'dns' || (addons === undefined && Number(nodes) > 0) ? { addons: ['dns'] } : {};
}

/** Flags of the API server that are about the connection, so they may be given here, too. */
const certificateFlags = ['tls-cert-file', 'tls-private-key-file', 'client-ca-file'] as const;

/** Flags of the API server that say where it keeps its objects, and where others find it. */
const serverFlags = [
  'etcd-servers',
  'etcd-prefix',
  'etcd-cafile',
  'etcd-certfile',
  'etcd-keyfile',
  'etcd-compaction-interval',
  'advertise-address',
] as const;

function parseValues(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        port: { type: 'string', default: '8080' },
        host: { type: 'string', default: '127.0.0.1' },
        tls: { type: 'boolean', default: false },
        kubeconfig: { type: 'string' },
        page: { type: 'boolean', default: false },
        'page-port': { type: 'string' },
        'data-dir': { type: 'string' },
        repair: { type: 'boolean', default: false },
        'ca-file': { type: 'string' },
        'tls-cert-file': { type: 'string' },
        'tls-private-key-file': { type: 'string' },
        'client-ca-file': { type: 'string' },
        'etcd-servers': { type: 'string' },
        'etcd-prefix': { type: 'string' },
        'etcd-cafile': { type: 'string' },
        'etcd-certfile': { type: 'string' },
        'etcd-keyfile': { type: 'string' },
        'etcd-compaction-interval': { type: 'string' },
        'advertise-address': { type: 'string' },
        config: { type: 'string' },
        naming: { type: 'string' },
        nodes: { type: 'string' },
        addons: { type: 'string' },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

const PAGE_PORT = '8081';

const pagePortOf = (page: boolean, port: string | undefined): Pick<ServeOptions, 'pagePort'> =>
  page || port !== undefined ? { pagePort: numberOf('--page-port', port ?? PAGE_PORT) } : {};

function numberOf(flag: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new UsageError(`${flag}: a whole number, not ${text}`);
  return Number(text);
}

/** JSON is YAML too. */
function readConfig(path: string, readFile: (path: string) => string): Partial<ClusterOptions> {
  let config: unknown;
  try {
    config = parse(readFile(path));
  } catch (error) {
    throw new UsageError(`--config ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (typeof config !== 'object' || config === null || Array.isArray(config)) {
    throw new UsageError(`--config ${path}: not a map of options`);
  }
  return config;
}

/** npm starts scripts at the project's top and says where it was itself. */
export const pathOf = (path: string): string => resolve(process.env['INIT_CWD'] ?? '.', path);

const readText = (path: string): string => readFileSync(pathOf(path), 'utf8');
