import type { Names } from '../../names/index.ts';
import { encodeText, trimRight } from '../../std/index.ts';
import { resolvConfOf, resolvConfText, type NetworkSettings } from '../../network/index.ts';
import type { Confinement, DirectoryNode, MountMaker, Mounts } from '../../programs/index.ts';
import {
  Device,
  devices,
  FileNode,
  imageOf,
  kernelFiles,
  layerWith,
  mountLines,
  MountTable,
  type Mount,
  SystemError,
  Tree,
  type Node as FileTreeNode,
} from '../../programs/index.ts';
import type { objects } from '../../schema/index.ts';
import { AtomicVolume } from '../volumes/atomic.ts';
import type { Mounted } from '../volumes/podVolumes.ts';
import { ConfigurationProblem, subPathOf } from './configuration.ts';
import type { ContainerOwner } from './containerOwner.ts';
import type { Whereabouts } from './references.ts';

export interface FilesSetup {
  readonly container: objects.Container;
  readonly owner: Pick<ContainerOwner, 'where' | 'volumes' | 'environment'>;
  readonly variables: ReadonlyMap<string, string>;
  readonly confinement: Confinement;
}

const MB = 1024 * 1024;
const ROOT_LIMIT = 256 * MB;
export const TERMINATION_LOG = '/dev/termination-log';

/**
 * The files of one run of a container: the image's layer, the mounts of runtime and agent, volumes. Throws
 * ConfigurationProblem.
 */
export function filesOf(setup: FilesSetup): MountTable {
  const table = new MountTable(new ContainerMounts(setup));
  // A problem shows at once.
  table.paths();
  // To mount a part of a volume may make directories in it, which has to be done once.
  if (setup.container.volumeMounts?.some(({ subPath, subPathExpr }) => subPath || subPathExpr)) table.list();
  return table;
}

/** What is mounted in one run of a container. */
class ContainerMounts implements MountMaker {
  readonly #setup: FilesSetup;
  readonly #started: number;

  constructor(setup: FilesSetup) {
    this.#setup = setup;
    this.#started = setup.owner.environment.now();
  }

  mounts(table: MountTable): Mounts {
    const { container } = this.#setup;
    const own = mountsOf(this.#setup, this.#started);
    const layer = layerWith(
      imageOf(container.image ?? ''),
      own.map(({ point }) => point),
    );
    const { root } = tree('overlay', 'overlay', ROOT_LIMIT, () => this.#started, layer);
    const readOnly = container.securityContext?.readOnlyRootFilesystem ?? false;
    return [{ path: '/', root, readOnly }, ...kernelMounts(this.#setup, this.#started, () => table), ...own];
  }
}

/**
 * The mounts of the runtime. The files in /proc are made when somebody looks into it, and what they refer to lives as long as
 * the container.
 */
function kernelMounts({ owner, confinement }: FilesSetup, started: number, table: () => MountTable): Mount[] {
  const { now } = owner.environment;
  const facts = { mounts: () => mountLines(table()), uptime: () => (now() - started) / 1000, confinement };
  const at = (): number => started;
  return [
    { path: '/dev', root: tree('tmpfs', 'tmpfs', 64 * MB, at, devices).root, readOnly: false },
    { path: '/proc', root: tree('proc', 'proc', MB, at, (files) => kernelFiles(files, facts)).root, readOnly: true },
  ];
}

type Content = Tree | ((tree: Tree) => void);

function tree(name: string, type: string, limit: number, now: () => number, content?: Content): Tree {
  return new Tree(new Device(name, type, limit), now, 0o755, content);
}

/** A mount of the agent. */
interface OwnMount extends Mount {
  /** The directory that it needs to be there. */
  readonly point: string;
}

const directoryOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

/** The agent's mounts: name files, the termination message, the pod's volumes. */
function mountsOf(setup: FilesSetup, modified: number): OwnMount[] {
  const { container, owner } = setup;
  const { names, network } = owner.environment;
  const where = owner.where();
  const device = new Device('/dev/sda1', 'ext4', MB);
  const file = (path: string, text: string, mode = 0o644): OwnMount => ({
    path,
    point: directoryOf(path),
    root: new FileNode(device, { mode, uid: 0, gid: 0, modified }, encodeText(text)),
    readOnly: false,
  });
  const volumes = (container.volumeMounts ?? []).map((mount) => mountOf(mount, setup));
  const isMounted = (path: string): boolean => volumes.some((mount) => mount.path === path);
  const own = [
    file('/etc/hosts', hostsFile(where, names, network)),
    file('/etc/hostname', `${hostnameOf(where)}\n`),
    file('/etc/resolv.conf', resolvConfText(resolvConfOf(where.pod, network))),
    file(container.terminationMessagePath || TERMINATION_LOG, '', 0o666),
  ];
  return [...own.filter(({ path }) => !isMounted(path)), ...volumes];
}

function mountOf(mount: objects.VolumeMount, { owner, variables }: FilesSetup): OwnMount {
  const volume = owner.volumes.get(mount.name);
  if (!volume) throw new ConfigurationProblem(`volume ${JSON.stringify(mount.name)} is not mounted`);
  const path = trimRight(mount.mountPath, '/') || '/';
  const subPath = subPathOf(mount, variables);
  const readOnly = volume.readOnly || (mount.readOnly ?? false);
  // Most containers don't look at their token.
  if (subPath === '' && volume instanceof AtomicVolume) return new TreeMount(path, volume);
  const root = subPath === '' ? volume.root : below(volume, subPath);
  return { path, root, readOnly, point: root.type === 'directory' ? path : directoryOf(path) };
}

/** A volume whose files are made when somebody walks there. */
class TreeMount implements OwnMount {
  readonly path: string;
  readonly readOnly = true;
  readonly #volume: AtomicVolume;

  constructor(path: string, volume: AtomicVolume) {
    this.path = path;
    this.#volume = volume;
  }

  get point(): string {
    return this.path;
  }

  get root(): DirectoryNode {
    return this.#volume.root;
  }
}

/** The target of a sub path of a volume. A volume that is a file has no sub paths. */
function below({ tree: files, root }: Mounted, path: string): DirectoryNode | FileNode {
  if (root.type === 'file')
    throw new ConfigurationProblem(`failed to prepare subPath for volumeMount: not a directory`);
  return nodeAt(files, root, path);
}

/** The node at a path of a volume; missing directories are created. The agent's own links are followed. */
function nodeAt(files: Tree, root: DirectoryNode, path: string): DirectoryNode | FileNode {
  const found = existing(root, path) ?? makeDirectory(files, root, path);
  if (found.type === 'directory' || found.type === 'file') return found;
  throw new ConfigurationProblem(`failed to prepare subPath for volumeMount: a ${found.type} can't be mounted`);
}

function existing(root: DirectoryNode, path: string): FileTreeNode | undefined {
  const found = new MountTable(root).lookUp(`/${path}`, true);
  if (found === 'ENOENT') return undefined;
  if (typeof found === 'string') throw subPathProblem(new SystemError(found, path));
  return found?.node;
}

function makeDirectory(files: Tree, root: DirectoryNode, path: string): DirectoryNode {
  try {
    return files.directory(path, 0o755, root);
  } catch (problem) {
    throw subPathProblem(problem);
  }
}

/** File errors of a volume become configuration problems of the pod. */
function subPathProblem(problem: unknown): unknown {
  if (!(problem instanceof SystemError)) return problem;
  return new ConfigurationProblem(`failed to prepare subPath for volumeMount: ${problem.message.toLowerCase()}`);
}

/** The container's host name. */
export function hostnameOf({ pod }: Whereabouts): string {
  if (pod.spec.hostNetwork) return pod.spec.nodeName ?? '';
  return (pod.spec.hostname || pod.metadata.name).slice(0, 63).replace(/[-.]+$/, '');
}

/** The domain of the pod's full name: set if the pod has a subdomain. */
const domainOf = ({ pod }: Whereabouts, { domain }: NetworkSettings): string =>
  pod.spec.subdomain ? `${pod.spec.subdomain}.${pod.metadata.namespace}.svc.${domain}` : '';

const LOCAL = `127.0.0.1\tlocalhost
::1\tlocalhost ip6-localhost ip6-loopback
fe00::0\tip6-localnet
fe00::0\tip6-mcastprefix
fe00::1\tip6-allnodes
fe00::2\tip6-allrouters
`;

function hostsFile(where: Whereabouts, names: Names, network: NetworkSettings): string {
  const { pod, podIP, hostIP } = where;
  const hostname = hostnameOf(where);
  const domain = domainOf(where, network);
  const own = domain === '' ? `${podIP}\t${hostname}\n` : `${podIP}\t${hostname}.${domain}\t${hostname}\n`;
  const aliases = (pod.spec.hostAliases ?? []).map(({ ip, hostnames }) => `${ip}\t${(hostnames ?? []).join('\t')}\n`);
  const added = aliases.length > 0 ? `\n# Entries added by HostAliases.\n${aliases.join('')}` : '';
  if (pod.spec.hostNetwork)
    return `${aliases.length > 0 ? `# ${names.Product}-managed hosts file (host network).\n` : ''}${LOCAL}${hostIP}\t${hostname}\n${added}`;
  return `# ${names.Product}-managed hosts file.\n${LOCAL}${own}${added}`;
}
