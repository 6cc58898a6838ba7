import {
  Device,
  MountTable,
  SystemError,
  Tree,
  type DirectoryNode,
  type FileNode,
  type Node as FileTreeNode,
} from '../../programs/index.ts';
import type { Names } from '../../names/index.ts';
import { VolumeProblem } from './projections.ts';

const GB = 1024 ** 3;
const RELEASE = 'NAME="Vitrine (simulated)"\nID=vitrine\n';

/** The host files of a node as one tree, for host path volumes. */
export function hostTree(node: string, names: Names, now: () => number): Tree {
  return new Tree(new Device('/dev/sda1', 'ext4', 100 * GB), now, 0o755, (tree) => {
    for (const path of ['etc', 'home', 'opt', 'run', 'srv', 'var/lib', 'var/log/pods', 'var/log/containers', 'var/run'])
      tree.directory(path);
    tree.directory('tmp').mode = 0o1777;
    tree.directory(`etc/${names.product}/manifests`);
    tree.file('etc/hostname', `${node}\n`);
    tree.file('etc/hosts', `127.0.0.1\tlocalhost\n127.0.1.1\t${node}\n`);
    tree.file('etc/resolv.conf', 'nameserver 192.168.49.1\n');
    tree.file('etc/os-release', RELEASE);
    tree.file('etc/machine-id', `${'0'.repeat(32)}\n`);
  });
}

const keyOf = (node: string): string => `node:${node}`;

/** Whether the host files of a node were created. */
export const hasHostTree = (kept: ReadonlyMap<string, Tree>, node: string): boolean => kept.has(keyOf(node));

/** The host files of a node; created on first use. */
export function hostTreeOf(kept: Map<string, Tree>, node: string, names: Names, now: () => number): Tree {
  const key = keyOf(node);
  const found = kept.get(key) ?? hostTree(node, names, now);
  kept.set(key, found);
  return found;
}

/** Lets go of the host files of a deleted node, unless somebody has changed them: another node of that name finds them. */
export function forgetHostTree(kept: Map<string, Tree>, node: string, names: Names): void {
  const tree = kept.get(keyOf(node));
  if (tree && isLike(tree.root, hostTree(node, names, () => 0).root)) kept.delete(keyOf(node));
}

/** Whether two nodes are equal, with all that is in them, but for the times of their changes. */
function isLike(one: FileTreeNode, other: FileTreeNode): boolean {
  if (one.mode !== other.mode || one.uid !== other.uid || one.gid !== other.gid) return false;
  if (one.type === 'file') return other.type === 'file' && hasBytes(one.content, other.content);
  if (one.type !== 'directory' || other.type !== 'directory' || one.entries.size !== other.entries.size) return false;
  for (const [name, entry] of one.entries) {
    const same = other.entries.get(name);
    if (!same || !isLike(entry, same)) return false;
  }
  return true;
}

const hasBytes = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, i) => byte === other[i]);

/** The directories on the path to one, from the root; `end` is that directory if it exists. */
export function wayTo(tree: Tree, path: string): { readonly way: DirectoryNode[]; readonly end?: DirectoryNode } {
  const way = [tree.root];
  let last = tree.root;
  for (const name of path.split('/').filter(Boolean)) {
    const next = last.entries.get(name);
    if (next?.type !== 'directory') return { way };
    way.push(next);
    last = next;
  }
  return { way, end: last };
}

/** The node at a host path, created if the type allows. Throws VolumeProblem for a wrong type. */
export function hostNode(files: Tree, path: string, type: string): DirectoryNode | FileNode {
  const found = find(files, path);
  if (!found) return made(files, path, type);
  const wantsFile = type === 'File' || type === 'FileOrCreate';
  if (type !== '' && found.type !== (wantsFile ? 'file' : 'directory'))
    throw mismatch(path, wantsFile ? 'a file' : 'a directory');
  return found;
}

function find(files: Tree, path: string): DirectoryNode | FileNode | undefined {
  try {
    const node = new MountTable(files.root).tryFind(path, true)?.node;
    return node?.type === 'directory' || node?.type === 'file' ? node : undefined;
  } catch (problem) {
    if (problem instanceof SystemError) return undefined;
    throw problem;
  }
}

/** Without a type the directory is created, as the runtime does. */
function made(files: Tree, path: string, type: string): DirectoryNode | FileNode {
  const isMade = ['', 'DirectoryOrCreate', 'FileOrCreate'].includes(type);
  if (!isMade) throw mismatch(path, KINDS.get(type) ?? 'a directory');
  try {
    return type === 'FileOrCreate' ? files.file(path, '') : files.directory(path);
  } catch (problem) {
    if (!(problem instanceof SystemError)) throw problem;
    throw mismatch(path, 'a directory');
  }
}

const KINDS = new Map([
  ['File', 'a file'],
  ['Socket', 'a socket file'],
  ['CharDevice', 'a character device'],
  ['BlockDevice', 'a block device'],
]);

const mismatch = (path: string, what: string): VolumeProblem =>
  new VolumeProblem(`hostPath type check failed: ${path} is not ${what}`);
