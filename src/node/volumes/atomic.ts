import { Tree, type Device } from '../../programs/index.ts';

/** A file that the agent writes to a volume. */
export interface Payload {
  /** Nobody changes it: all files with this content share it. */
  readonly content: Uint8Array<ArrayBuffer>;
  readonly mode: number;
}

type Files = ReadonlyMap<string, Payload>;

/** Files that nobody has looked at. */
interface Unseen {
  readonly files: Files;
  /** When they were written, in milliseconds since the epoch. */
  readonly at: number;
}

/**
 * A volume with atomic updates: its files are in a directory named after the time, `..data` points to it, and each
 * top-level name is a link through `..data`. Few programs look into their volumes, so the files are made when one does.
 */
export class AtomicVolume {
  readonly tree: Tree;
  #unseen: Unseen | undefined;
  readonly #now: () => number;
  #written: Files = new Map();
  #current: string | undefined;

  constructor(device: Device, now: () => number) {
    this.#now = () => this.#unseen?.at ?? now();
    this.tree = new Tree(device, this.#now, 0o777, () => this.#show());
    this.tree.root.mode = 0o1777;
  }

  /** Replaces all files with these. */
  write(files: Files): void {
    const isNew = this.#current === undefined && !this.#unseen;
    if (!isNew && isSame(files, this.#unseen?.files ?? this.#written)) return;
    if (this.#current !== undefined) return this.#replace(files);
    this.#count(-1);
    // The time is that of this write, not of the one before.
    this.#unseen = undefined;
    this.#unseen = { files, at: this.#now() };
    this.#count(1);
    this.tree.root.modified = this.#now();
  }

  /** Makes the files as they were written. */
  #show(): void {
    if (!this.#unseen) return;
    this.#count(-1);
    this.#replace(this.#unseen.files);
    this.#unseen = undefined;
  }

  /** Counts the bytes of files that nobody has looked at, or stops counting them. */
  #count(sign: 1 | -1): void {
    for (const { content } of this.#unseen?.files.values() ?? []) this.tree.device.take(sign * content.length);
  }

  #replace(files: Files): void {
    const before = this.#current;
    this.#current = this.#directoryName();
    this.#written = files;
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
    const time = new Date(this.#now()).toISOString().slice(0, 19).replace(/[-T:]/g, '_');
    for (let i = this.#now() % 1000; ; i++) {
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
