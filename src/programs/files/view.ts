import { decodeText, encodeText } from '../../std/index.ts';
import { SystemError } from '../errors.ts';
import type { User } from '../user.ts';
import { joinPath, normalize } from './paths.ts';
import type { MountTable, Place } from './mounts.ts';
import { DirectoryNode, FileNode, LinkNode, sizeOf, type Attributes, type Node } from './nodes.ts';

export const READ = 4;
export const WRITE = 2;
export const EXECUTE = 1;

/** Who looks at the files, and from where. */
export interface Viewpoint {
  readonly user: User;
  readonly cwd: string;
  readonly umask: number;
  /** The accessing process, if any. */
  readonly pid?: number;
}

/** The files of a container as one process sees them: paths from its directory, with its rights. All methods throw SystemError. */
export class FileView {
  readonly mounts: MountTable;
  readonly #from: () => Viewpoint;
  readonly #now: () => number;
  readonly #visit = (directory: DirectoryNode): void => this.require(directory, EXECUTE);

  constructor(mounts: MountTable, from: () => Viewpoint, now: () => number) {
    this.mounts = mounts;
    this.#from = from;
    this.#now = now;
  }

  /** The path from the root. */
  absolute(path: string): string {
    return path.startsWith('/') ? path : joinPath(this.#from().cwd, path);
  }

  /** Where a path leads; `follow` a link at its end. */
  find(path: string, follow = true): Place {
    if (path === '') throw new SystemError('ENOENT', path);
    return this.mounts.find(this.absolute(path), follow, this.#visit);
  }

  /** As `find`; undefined where there is nothing, for whatever reason. */
  tryFind(path: string, follow = true): Place | undefined {
    if (path === '') return undefined;
    try {
      const found = this.mounts.lookUp(this.absolute(path), follow, this.#visit);
      return typeof found === 'string' ? undefined : found;
    } catch (problem) {
      if (problem instanceof SystemError) return undefined;
      throw problem;
    }
  }

  /** As `tryFind`, for somebody who only looks: the node may be one that other containers share, and must not be changed. */
  look(path: string, follow = true): Place | undefined {
    if (path === '') return undefined;
    try {
      return this.mounts.look(this.absolute(path), follow, this.#visit);
    } catch (problem) {
      if (problem instanceof SystemError) return undefined;
      throw problem;
    }
  }

  /** The path without links. */
  realPath(path: string): string {
    return this.find(path).path;
  }

  isDirectory(path: string): boolean {
    return this.look(path)?.node.type === 'directory';
  }

  /** Whether the process has the access given by the bits READ, WRITE, EXECUTE. */
  allows(node: Node, access: number): boolean {
    const { uid, gid, groups } = this.#from().user;
    if (uid === 0) return access !== EXECUTE || node.type === 'directory' || (node.mode & 0o111) !== 0;
    const inGroup = node.gid === gid || groups.includes(node.gid);
    const shift = node.uid === uid ? 6 : inGroup ? 3 : 0;
    return ((node.mode >> shift) & access) === access;
  }

  require(node: Node, access: number): void {
    if (!this.allows(node, access)) throw new SystemError('EACCES');
  }

  read(path: string): Uint8Array {
    const { node } = this.look(path) ?? this.find(path);
    this.require(node, READ);
    if (node.type === 'directory') throw new SystemError('EISDIR', path);
    if (node.type === 'generated') return node.generate(this.#from());
    return node.type === 'file' ? node.content : new Uint8Array(0);
  }

  text(path: string): string {
    return decodeText(this.read(path));
  }

  /** Replaces or makes a file. */
  write(path: string, content: string | Uint8Array, mode = 0o666): void {
    const node = this.open(path, { truncate: true, mode });
    if (node.type === 'file') node.writeAt(0, typeof content === 'string' ? encodeText(content) : content, this.#now());
  }

  /** The node at a path for writing, created if it is missing. */
  open(path: string, { truncate = false, mode = 0o666 } = {}): Node {
    const { parent, name } = this.mounts.parentOf(this.absolute(path), this.#visit);
    if (name === '') throw new SystemError('EISDIR', path);
    const found = this.mounts.tryFind(joinPath(parent.path, name), false, this.#visit);
    if (!found)
      return this.#create(parent, name, (attributes) => new FileNode(this.#deviceOf(parent), attributes), mode);
    if (found.node.type === 'directory') throw new SystemError('EISDIR', path);
    if (found.mount.readOnly && found.node.type === 'file') throw new SystemError('EROFS', path);
    this.require(found.node, WRITE);
    if (truncate && found.node.type === 'file' && found.node.size > 0) found.node.truncate(0, this.#now());
    return found.node;
  }

  /** Names in a directory, sorted. */
  list(path: string): string[] {
    const place = this.look(path) ?? this.find(path);
    if (place.node.type !== 'directory') throw new SystemError('ENOTDIR', path);
    this.require(place.node, READ);
    const names = new Set(place.node.names());
    const prefix = place.path === '/' ? '/' : `${place.path}/`;
    for (const mounted of this.mounts.paths())
      if (mounted !== '/' && mounted.startsWith(prefix)) names.add(mounted.slice(prefix.length).split('/')[0] ?? '');
    return [...names].filter(Boolean).sort();
  }

  makeDirectory(path: string, mode = 0o777): void {
    const { parent, name } = this.mounts.parentOf(this.absolute(path), this.#visit);
    if (name === '' || this.mounts.tryFind(joinPath(parent.path, name), false)) throw new SystemError('EEXIST', path);
    this.#create(parent, name, (attributes) => new DirectoryNode(this.#deviceOf(parent), attributes), mode);
  }

  makeLink(path: string, target: string): void {
    const { parent, name } = this.#parent(path);
    if (parent.node.entries.has(name)) throw new SystemError('EEXIST', path);
    this.#create(
      parent,
      name,
      (attributes) => new LinkNode(this.#deviceOf(parent), { ...attributes, mode: 0o777 }, target),
    );
  }

  /** Another name for a file. */
  makeHardLink(from: string, to: string): void {
    const { node } = this.find(from, false);
    if (node.type === 'directory') throw new SystemError('EPERM', from);
    const { parent, name } = this.#parent(to);
    if (parent.node.entries.has(name)) throw new SystemError('EEXIST', to);
    if (parent.node.device !== node.device) throw new SystemError('EXDEV', to);
    this.#change(parent);
    parent.node.entries.set(name, node);
  }

  /** Takes away a file, or a directory that is empty. */
  remove(path: string): void {
    const { parent, name } = this.#parent(path);
    const node = parent.node.entries.get(name);
    if (this.mounts.isMountPoint(joinPath(parent.path, name))) throw new SystemError('EBUSY', path);
    if (!node) throw new SystemError('ENOENT', path);
    if (node.type === 'directory' && node.entries.size > 0) throw new SystemError('ENOTEMPTY', path);
    this.#change(parent);
    parent.node.entries.delete(name);
    if (node.type === 'file') node.device.take(-node.size);
  }

  rename(from: string, to: string): void {
    const source = this.#parent(from);
    const target = this.#parent(to);
    const node = source.parent.node.entries.get(source.name);
    if (!node) throw new SystemError('ENOENT', from);
    if (node.device !== target.parent.node.device) throw new SystemError('EXDEV', to);
    const path = joinPath(source.parent.path, source.name);
    if (this.mounts.isMountPoint(path)) throw new SystemError('EBUSY', from);
    if (node.type === 'directory' && `${target.parent.path}/`.startsWith(`${path}/`))
      throw new SystemError('EINVAL', to);
    const replaced = target.parent.node.entries.get(target.name);
    if (replaced === node) return;
    if (replaced?.type === 'directory' && replaced.entries.size > 0) throw new SystemError('ENOTEMPTY', to);
    this.#change(source.parent);
    this.#change(target.parent);
    source.parent.node.entries.delete(source.name);
    target.parent.node.entries.set(target.name, node);
    if (replaced?.type === 'file') replaced.device.take(-replaced.size);
  }

  /** Changes the mode, owner or time of a node. */
  setAttributes(path: string, changes: Partial<Attributes>, follow = true): void {
    const { node, mount } = this.find(path, follow);
    if (mount.readOnly) throw new SystemError('EROFS', path);
    const { uid } = this.#from().user;
    if (uid !== 0 && node.uid !== uid) throw new SystemError('EPERM', path);
    Object.assign(node, changes);
    node.device.onChange?.();
  }

  size(path: string): number {
    return sizeOf(this.find(path).node);
  }

  #parent(path: string): { readonly parent: Place & { readonly node: DirectoryNode }; readonly name: string } {
    const clean = normalize(path, this.#from().cwd);
    const slash = clean.lastIndexOf('/');
    const { node, ...place } = this.mounts.find(clean.slice(0, slash) || '/', true, this.#visit);
    if (node.type !== 'directory') throw new SystemError('ENOTDIR', path);
    return { parent: { ...place, node }, name: clean.slice(slash + 1) };
  }

  #create<T extends Node>(parent: Place, name: string, make: (attributes: Attributes) => T, mode = 0o666): T {
    if (parent.node.type !== 'directory') throw new SystemError('ENOTDIR');
    this.#change(parent);
    const { user, umask } = this.#from();
    const gid = parent.node.mode & 0o2000 ? parent.node.gid : user.gid;
    const made = make({ mode: mode & ~umask, uid: user.uid, gid, modified: this.#now() });
    parent.node.entries.set(name, made);
    return made;
  }

  #change(parent: Place): void {
    if (parent.mount.readOnly) throw new SystemError('EROFS', parent.path);
    this.require(parent.node, WRITE);
    parent.node.modified = this.#now();
    parent.node.device.onChange?.();
  }

  #deviceOf({ node }: Place): Node['device'] {
    return node.device;
  }
}
