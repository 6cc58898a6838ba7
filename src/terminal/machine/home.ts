/** The small folder of files that a cluster's terminal has: read from its store at the beginning, kept there after each line. */
import { Device, joinPath, Tree, type DirectoryNode, type Node } from '../../programs/index.ts';
import { decodeText } from '../../std/index.ts';
import type { HomeStore, Kept } from '../surroundings.ts';

export const HOME = '/home/you';
/** Whose the files are. */
export const USER = { uid: 1000, gid: 1000, groups: [] } as const;
/** Bytes of all files together. */
const ROOM = 4 * 1024 * 1024;

export class Home {
  readonly tree: Tree;
  #kept: ReadonlyMap<string, Uint8Array>;

  constructor({ files }: Kept, now: () => number) {
    this.tree = new Tree(new Device('home', 'ext4', ROOM, USER.gid), now);
    for (const [path, bytes] of files) this.#restore(path, bytes);
    own(this.tree.root);
    this.#kept = files;
  }

  /** Keeps what is different from what was kept before. */
  async keep(store: HomeStore): Promise<void> {
    const now = new Map<string, Uint8Array>();
    collect(this.tree.root, '', now);
    const put = new Map([...now].filter(([path, bytes]) => !isSame(this.#kept.get(path), bytes)));
    const remove = [...this.#kept.keys()].filter((path) => !now.has(path));
    if (put.size === 0 && remove.length === 0) return;
    await store.keep({ put, remove });
    this.#kept = now;
  }

  /**
   * Adds files by their paths under a folder; returns what stands at the top. A file that is replaced is kept with `~` after
   * its name. Names lose control characters, and steps that lead out of the folder. Throws SystemError where there is no room.
   */
  add(files: ReadonlyMap<string, Uint8Array>, folder: string): readonly string[] {
    const tops = new Set<string>();
    for (const [path, bytes] of files) {
      const names = namesIn(path);
      const [top] = names;
      if (top === undefined) continue;
      const place = [...namesIn(folder), ...names].join('/');
      const before = this.#bytes(place);
      if (before && !isSame(before, bytes)) this.#restore(`${place}~`, before);
      this.#restore(place, bytes);
      tops.add(top);
    }
    own(this.tree.root);
    return [...tops];
  }

  /** The text of a file by its path in the home folder. */
  text(path: string): string | undefined {
    const bytes = this.#bytes(path);
    return bytes && decodeText(bytes);
  }

  #bytes(path: string): Uint8Array | undefined {
    let node: Node | undefined = this.tree.root;
    for (const name of path.split('/')) node = node?.type === 'directory' ? node.entries.get(name) : undefined;
    return node?.type === 'file' ? node.content.slice() : undefined;
  }

  #restore(path: string, bytes: Uint8Array): void {
    if (path.endsWith('/')) this.tree.directory(path);
    else this.tree.file(path, bytes, decodeText(bytes.subarray(0, 2)) === '#!' ? 0o755 : 0o644);
  }
}

const namesIn = (path: string): readonly string[] =>
  path
    .split('/')
    .map((name) => name.replace(/[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, ''))
    .filter((name) => !['', '.', '..'].includes(name));

function own(node: Node): void {
  Object.assign(node, { uid: USER.uid, gid: USER.gid });
  if (node.type === 'directory') for (const child of node.entries.values()) own(child);
}

/** Files with their bytes, and folders that have none in them. */
function collect(folder: DirectoryNode, path: string, found: Map<string, Uint8Array>): void {
  for (const [name, node] of folder.entries) {
    const below = path === '' ? name : joinPath(path, name);
    if (node.type === 'file') found.set(below, node.content.slice());
    if (node.type !== 'directory') continue;
    if (node.entries.size === 0) found.set(`${below}/`, new Uint8Array());
    collect(node, below, found);
  }
}

const isSame = (a: Uint8Array | undefined, b: Uint8Array): boolean =>
  a !== undefined && a.length === b.length && a.every((byte, i) => byte === b[i]);
