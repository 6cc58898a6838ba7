import { trimRight } from '../../std/index.ts';
import { SystemError, type ErrorCode } from '../errors.ts';
import type { DirectoryNode, FileNode, Node } from './nodes.ts';

/** A mount at a path: a volume, or a single file of one. */
export interface Mount {
  /** Absolute. */
  readonly path: string;
  readonly root: DirectoryNode | FileNode;
  readonly readOnly: boolean;
}

/** A node at a path, and its mount. */
export interface Place {
  /** The path without links. */
  readonly path: string;
  readonly node: Node;
  readonly mount: Mount;
}

type Visit = (directory: DirectoryNode) => void;

/** Takes an entry out of a directory. */
type Entry = (directory: DirectoryNode, name: string) => Node | undefined;

const entryOf: Entry = (directory, name) => directory.entries.get(name);

const MOST_LINKS = 40;

/** The mounts of a table: the first one is the root. */
export type Mounts = readonly [Mount, ...Mount[]];

/** Makes the first mounts of a table, and makes them again, equal, if they were put away. */
export interface MountMaker {
  mounts(table: MountTable): Mounts;
}

/** The mount of the root directory, and all mounts by their path. */
interface Mounted {
  readonly root: Mount;
  readonly all: Map<string, Mount>;
}

const mountedOf = (mounts: Mounts): Mounted => ({
  root: mounts[0],
  all: new Map(mounts.map((mount) => [mount.path, mount])),
});

/** The files of one container: the root and what is mounted over it. */
export class MountTable {
  readonly #maker: MountMaker | undefined;
  #mounted: Mounted | undefined;
  /** Whether somebody may keep or have changed a file. */
  #isInUse = false;

  constructor(root: DirectoryNode | MountMaker) {
    if ('mounts' in root) this.#maker = root;
    else this.#mounted = mountedOf([{ path: '/', root, readOnly: false }]);
  }

  add(mount: Mount): void {
    this.#isInUse = true;
    this.#all.set(mount.path, mount);
  }

  list(): readonly Mount[] {
    this.#isInUse = true;
    return [...this.#all.values()];
  }

  isMountPoint(path: string): boolean {
    return this.#all.has(path);
  }

  /** The paths of all mounts. */
  paths(): Iterable<string> {
    return this.#all.keys();
  }

  /** Puts away what can be made again, because the programs wait for something that may never come. */
  putAway(): void {
    if (this.#maker && !this.#isInUse) this.#mounted = undefined;
  }

  get #made(): Mounted {
    return (this.#mounted ??= mountedOf((this.#maker as MountMaker).mounts(this)));
  }

  get #all(): Map<string, Mount> {
    return this.#made.all;
  }

  /** As `tryFind`, for somebody who only looks: the node may be one that other containers share. Undefined for wrong paths, too. */
  look(path: string, followLast: boolean, visit?: Visit): Place | undefined {
    const found = this.#walk(path, followLast, visit, (directory, name) => directory.look(name));
    return typeof found === 'string' ? undefined : found;
  }

  /** Where an absolute path leads. `visit` may refuse directories that are walked through. Throws SystemError. */
  find(path: string, followLast: boolean, visit?: Visit): Place {
    const place = this.tryFind(path, followLast, visit);
    if (!place) throw new SystemError('ENOENT', path);
    return place;
  }

  /** As `find`; undefined where the last name of the path doesn't exist. */
  tryFind(path: string, followLast: boolean, visit?: Visit): Place | undefined {
    const found = this.lookUp(path, followLast, visit);
    if (typeof found === 'string') throw new SystemError(found, path);
    return found;
  }

  /** As `tryFind`, but returns the error code of a wrong path instead of throwing it. Only `visit` can throw. */
  lookUp(path: string, followLast: boolean, visit?: Visit): Place | ErrorCode | undefined {
    this.#isInUse = true;
    return this.#walk(path, followLast, visit, entryOf);
  }

  #walk(path: string, followLast: boolean, visit: Visit | undefined, entry: Entry): Place | ErrorCode | undefined {
    const { root } = this.#made;
    const walked: Place[] = [{ path: '/', node: root.root, mount: root }];
    const names = path.split('/').filter(Boolean);
    for (let links = 0; names.length > 0;) {
      const name = names.shift() as string;
      const here = walked[walked.length - 1] as Place;
      if (here.node.type !== 'directory') return 'ENOTDIR';
      visit?.(here.node);
      if (name === '.') continue;
      if (name === '..') {
        if (walked.length > 1) walked.pop();
        continue;
      }
      const next = this.#child(here, name, entry);
      if (!next) return names.length > 0 ? 'ENOENT' : undefined;
      if (next.node.type === 'link' && (names.length > 0 || followLast)) {
        if (++links > MOST_LINKS) return 'ELOOP';
        names.unshift(...next.node.target.split('/').filter(Boolean));
        if (next.node.target.startsWith('/')) walked.length = 1;
      } else walked.push(next);
    }
    return walked[walked.length - 1];
  }

  /** The parent directory of a path's last name, and that name; a final link is followed. */
  parentOf(path: string, visit?: Visit): { readonly parent: Place; readonly name: string } {
    let current = trimRight(path, '/') || '/';
    for (let links = 0; links < MOST_LINKS; links++) {
      const slash = current.lastIndexOf('/');
      const parent = this.find(current.slice(0, slash) || '/', true, visit);
      const name = current.slice(slash + 1);
      if (parent.node.type !== 'directory') throw new SystemError('ENOTDIR', path);
      const node = this.#child(parent, name)?.node;
      if (node?.type !== 'link') return { parent, name };
      current = node.target.startsWith('/') ? node.target : `${parent.path}/${node.target}`;
    }
    throw new SystemError('ELOOP', path);
  }

  #child(here: Place, name: string, entry = entryOf): Place | undefined {
    const path = here.path === '/' ? `/${name}` : `${here.path}/${name}`;
    const mount = this.#all.get(path);
    if (mount) return { path, node: mount.root, mount };
    const node = here.node.type === 'directory' ? entry(here.node, name) : undefined;
    return node && { path, node, mount: here.mount };
  }
}
