import { Tree, type Device } from '../../programs/index.ts';

/** A file that the agent writes to a volume. */
export interface Payload {
  readonly content: Uint8Array;
  readonly mode: number;
}

/**
 * A volume with atomic updates: its files are in a directory named after the time, `..data` points to it, and each
 * top-level name is a link through `..data`.
 */
export class AtomicVolume {
  readonly tree: Tree;
  readonly #now: () => number;
  #written = new Map<string, Payload>();
  #current: string | undefined;

  constructor(device: Device, now: () => number) {
    this.tree = new Tree(device, now, 0o777);
    this.tree.root.mode = 0o1777;
    this.#now = now;
  }

  /** Replaces all files with these. */
  write(files: ReadonlyMap<string, Payload>): void {
    if (this.#current !== undefined && isSame(files, this.#written)) return;
    const before = this.#current;
    this.#current = this.#directoryName();
    this.#written = new Map(files);
    this.tree.directory(this.#current);
    for (const [path, { content, mode }] of files) this.tree.file(`${this.#current}/${path}`, content, mode);
    this.tree.link('..data', this.#current);
    this.#linkNames(files);
    if (before !== undefined) this.tree.remove(before);
  }

  #linkNames(files: ReadonlyMap<string, Payload>): void {
    const names = new Set([...files.keys()].map((path) => path.split('/')[0] ?? path));
    for (const name of [...this.tree.root.entries.keys()])
      if (!name.startsWith('..') && !names.has(name)) this.tree.remove(name);
    for (const name of names) if (!this.tree.root.entries.has(name)) this.tree.link(name, `..data/${name}`);
  }

  #directoryName(): string {
    const time = new Date(this.#now()).toISOString().slice(0, 19).replace(/[-T:]/g, '_');
    for (let i = this.#now() % 1000; ; i++) {
      const name = `..${time}.${String(i).padStart(9, '0')}`;
      if (!this.tree.root.entries.has(name)) return name;
    }
  }
}

function isSame(a: ReadonlyMap<string, Payload>, b: ReadonlyMap<string, Payload>): boolean {
  if (a.size !== b.size) return false;
  for (const [path, { content, mode }] of a) {
    const other = b.get(path);
    if (!other || other.mode !== mode || other.content.length !== content.length) return false;
    if (content.some((byte, i) => byte !== other.content[i])) return false;
  }
  return true;
}
