import { Tree, type Device, type DirectoryNode } from '../../programs/index.ts';

/** A file that the agent writes to a volume. */
export interface Payload {
  /** Nobody changes it: all files with this content share it. */
  readonly content: Uint8Array<ArrayBuffer>;
  readonly mode: number;
}

type Files = ReadonlyMap<string, Payload>;

/**
 * A volume with atomic updates: its files are in a directory named after the time, `..data` points to it, and each
 * top-level name is a link through `..data`. Few programs look into their volumes, so the files are made when one does.
 */
export class AtomicVolume {
  readonly readOnly = true;
  readonly #device: Device;
  readonly #now: () => number;
  /** Made when somebody mounts it and walks there. */
  #tree: Tree | undefined;
  #files: Files | undefined;
  /** Somebody has looked: the files are in the tree, and further ones are put there at once. */
  #isSeen = false;
  /** When files were written that nobody has looked at, in milliseconds since the epoch. */
  #writtenAt: number | undefined;
  #current: string | undefined;

  constructor(device: Device, now: () => number) {
    this.#device = device;
    this.#now = now;
  }

  get tree(): Tree {
    return (this.#tree ??= this.#makeTree());
  }

  get root(): DirectoryNode {
    return this.tree.root;
  }

  #makeTree(): Tree {
    const tree = new Tree(
      this.#device,
      () => this.#time(),
      0o777,
      () => this.#show(),
    );
    tree.root.mode = 0o1777;
    return tree;
  }

  #time(): number {
    return this.#writtenAt ?? this.#now();
  }

  /** Replaces all files with these. */
  write(files: Files): void {
    if (this.#files && isSame(files, this.#files)) return;
    if (this.#isSeen) this.#replace(files);
    else this.#keepUnseen(files);
    this.#files = files;
  }

  #keepUnseen(files: Files): void {
    this.#count(-1);
    this.#writtenAt = this.#now();
    if (this.#tree) this.#tree.root.modified = this.#writtenAt;
    this.#count(1, files);
  }

  /** Makes the files as of the moment when they were written. */
  #show(): void {
    this.#count(-1);
    if (this.#files) this.#replace(this.#files);
    this.#writtenAt = undefined;
    this.#isSeen = true;
  }

  /** Counts the bytes of files that nobody has looked at on the device, or no longer. */
  #count(sign: 1 | -1, files = this.#files): void {
    for (const { content } of files?.values() ?? []) this.#device.take(sign * content.length);
  }

  #replace(files: Files): void {
    const before = this.#current;
    this.#current = this.#directoryName();
    this.tree.directory(this.#current);
    for (const [path, { content, mode }] of files) this.tree.shared(`${this.#current}/${path}`, content, mode);
    this.tree.link('..data', this.#current);
    this.#linkNames(files);
    if (before !== undefined) this.tree.remove(before);
  }

  #linkNames(files: Files): void {
    const names = new Set([...files.keys()].map((path) => path.split('/')[0] ?? path));
    for (const name of [...this.tree.root.entries.keys()])
      if (!name.startsWith('..') && !names.has(name)) this.tree.remove(name);
    for (const name of names) if (!this.tree.root.entries.has(name)) this.tree.link(name, `..data/${name}`);
  }

  #directoryName(): string {
    const time = new Date(this.#time()).toISOString().slice(0, 19).replace(/[-T:]/g, '_');
    for (let i = this.#time() % 1000; ; i++) {
      const name = `..${time}.${String(i).padStart(9, '0')}`;
      if (!this.tree.root.entries.has(name)) return name;
    }
  }
}

function isSame(a: Files, b: Files): boolean {
  if (a === b) return true;
  if (a.size !== b.size) return false;
  for (const [path, { content, mode }] of a) {
    const other = b.get(path);
    if (!other || other.mode !== mode || other.content.length !== content.length) return false;
    if (content !== other.content && content.some((byte, i) => byte !== other.content[i])) return false;
  }
  return true;
}
