import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { requireForms, type ClusterOptions } from '../../cluster/index.ts';
import { isProfile, profiles } from '../../names/index.ts';
import { isObject } from '../../std/index.ts';
import { codeOf, reasonOf } from './words.ts';

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

/** A mistake in the command line. Its message says what to change. */
export class UsageError extends Error {
  override name = 'UsageError';
}

export const usage = `usage: npm run serve -- [options]
  --port N           the port to listen on (8080; 0 takes a free one)
  --host ADDRESS     the address to listen on (127.0.0.1)
  --config FILE      the cluster's options as JSON or YAML, in the form that vitrine.boot takes
  --tls              serves HTTPS with a certificate of the cluster's own authority; clients may use certificates
  --kubeconfig FILE  writes a kubeconfig for an administrator to FILE; implies --tls
  --page             also serves the page, which then shows this cluster; prints the link that opens it
  --page-port N      the page's port (8081; 0 takes a free one); implies --page
  --data-dir DIR     keeps the cluster in DIR, with its options; a later start needs only this flag
  --repair           with --data-dir: opens a damaged directory with what can be read, and says what is lost
  --etcd-servers URL,…
                     keeps the cluster in etcd; several servers may share one etcd
  --etcd-prefix, --etcd-cafile, --etcd-certfile, --etcd-keyfile, --etcd-compaction-interval
                     as for the reference's API server
  --advertise-address ADDRESS
                     with --etcd-servers: the address under which clients in the cluster reach this server
  --ca-file FILE     with --tls: writes the certificate of the authority that clients have to trust to FILE
  --tls-cert-file FILE, --tls-private-key-file FILE, --client-ca-file FILE
                     as for the reference's API server; they imply --tls. A name in the config's files comes first
  --naming PROFILE   the names of the API: ${profiles.join(' or ')}; overrides the config
  --nodes N          the number of simulated nodes; overrides the config
  --addons LIST      dns (the name server as pods; the default with --nodes) or none
  --help             prints this text`;

/** Parses a command line. Throws UsageError. */
export function readArguments(args: readonly string[], readFile = readText): ServeOptions {
  const values = parseValues(args);
  const config = values.config === undefined ? {} : readConfig(values.config, readFile);
  const { naming, nodes, repair, kubeconfig, 'ca-file': caFile, 'data-dir': dataDir } = values;
  const flags = certificateFlags.flatMap((name) => (values[name] === undefined ? [] : [`--${name}=${values[name]}`]));
  const others = serverFlags.flatMap((name) => (values[name] === undefined ? [] : [`--${name}=${values[name]}`]));
  const apiserver = [...(config.apiserver ?? []), ...flags, ...others];
  const files = certificateFlags.flatMap((name) => fileOf(name, values, config.files, readFile));
  const isShared = apiserver.some((flag) => flag.startsWith('--etcd-servers'));
  const etcdFlag = others.find((flag) => flag.startsWith('--etcd-'));
  if (etcdFlag !== undefined && !isShared)
    throw new UsageError(`${etcdFlag.replace(/=.*/s, '')}: needs --etcd-servers, which is not given`);
  if (naming !== undefined && !isProfile(naming))
    throw new UsageError(`--naming: want ${profiles.join(' or ')}, got ${JSON.stringify(naming)}`);
  const tls = values.tls || flags.length > 0 || kubeconfig !== undefined;
  if (caFile !== undefined && !tls) throw new UsageError('--ca-file: needs --tls; without it there is no certificate');
  if (dataDir !== undefined && isShared)
    throw new UsageError('--data-dir and --etcd-servers: give one of them; a cluster is kept in one place');
  if (repair && dataDir === undefined) throw new UsageError('--repair: needs --data-dir');
  return {
    port: portOf('--port', values.port),
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
      ...(files.length > 0 && { files: { ...config.files, ...Object.fromEntries(files) } }),
      ...(naming !== undefined && { naming }),
      ...(nodes !== undefined && { nodes: numberOf('--nodes', nodes) }),
      ...addonsOf(values.addons, nodes, config),
      storage: 'memory',
    },
  };
}

/** A cluster with nodes from the command line has a name server; a configuration file decides for itself. */
function addonsOf(
  text: string | undefined,
  nodes: string | undefined,
  { addons }: Partial<ClusterOptions>,
): Pick<ClusterOptions, 'addons'> {
  if (text === 'none') return { addons: [] };
  if (text !== undefined && text !== 'dns')
    throw new UsageError(`--addons: want dns or none, got ${JSON.stringify(text)}`);
  return text === 'dns' || (addons === undefined && Number(nodes) > 0) ? { addons: ['dns'] } : {};
}

/** Flags of the API server that are about the connection, so they may be given here, too. */
const certificateFlags = ['tls-cert-file', 'tls-private-key-file', 'client-ca-file'] as const;

/** Flags of the API server about its storage and its address. */
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
  page || port !== undefined ? { pagePort: portOf('--page-port', port ?? PAGE_PORT) } : {};

function numberOf(flag: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new UsageError(`${flag}: want a whole number, got ${JSON.stringify(text)}`);
  return Number(text);
}

const MAX_PORT = 65_535;

function portOf(flag: string, text: string): number {
  const port = numberOf(flag, text);
  if (port > MAX_PORT) throw new UsageError(`${flag}: want a port from 0 to ${MAX_PORT}, got ${text}`);
  return port;
}

/** The file that a flag names, for the cluster's files. Returns nothing if these have it already, or a data directory may. */
function fileOf(
  flag: (typeof certificateFlags)[number],
  { [flag]: path, 'data-dir': dataDir }: ReturnType<typeof parseValues>,
  files: Readonly<Record<string, string>> = {},
  readFile: (path: string) => string,
): [path: string, text: string][] {
  if (path === undefined || Object.hasOwn(files, path)) return [];
  try {
    return [[path, readFile(path)]];
  } catch (error) {
    if (dataDir !== undefined && codeOf(error) === 'ENOENT') return [];
    throw new UsageError(`--${flag} ${path}: ${reasonOf(error)}`);
  }
}

/** JSON is YAML too. */
function readConfig(path: string, readFile: (path: string) => string): Partial<ClusterOptions> {
  try {
    const config: unknown = parse(readFile(path));
    if (!isObject(config)) throw new Error('want a map of options');
    requireForms(config);
    return config;
  } catch (error) {
    throw new UsageError(`--config ${path}: ${reasonOf(error)}`);
  }
}

/** npm starts scripts in the project's root and passes the original directory. */
export const pathOf = (path: string): string => resolve(process.env['INIT_CWD'] ?? '.', path);

const readText = (path: string): string => readFileSync(pathOf(path), 'utf8');
