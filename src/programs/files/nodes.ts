import { SystemError } from '../errors.ts';
import type { User } from '../user.ts';

/** The maximum size of any device in bytes, because it uses the host's memory. */
const MOST_BYTES = 64 * 1024 * 1024;

/** What files lie on: it counts their bytes and refuses more than it has. */
export class Device {
  readonly name: string;
  /** As `df -T` and `mount` show it: `overlay`, `tmpfs`, `ext4`. */
  readonly type: string;
  /** Bytes. */
  readonly limit: number;
  /** The group of new files, if the pod's security context sets one. */
  readonly group: number | undefined;
  /** Called for every change of a file or directory on it. */
  onChange: (() => void) | undefined;
  #used = 0;

  constructor(name: string, type: string, limit: number, group?: number) {
    this.name = name;
    this.type = type;
    this.limit = limit;
    this.group = group;
  }

  get used(): number {
    return this.#used;
  }

  /** Throws ENOSPC if the additional bytes do not fit. */
  take(bytes: number): void {
    if (bytes > 0 && this.#used + bytes > Math.min(this.limit, MOST_BYTES)) throw new SystemError('ENOSPC');
    this.#used = Math.max(0, this.#used + bytes);
  }
}

/** What every file has. */
export interface Attributes {
  /** Permission bits, with set-id and sticky bits. */
  mode: number;
  uid: number;
  gid: number;
  /** Milliseconds since the epoch. */
  modified: number;
}

let nodes = 0;

abstract class BaseNode implements Attributes {
  readonly id = ++nodes;
  readonly device: Device;
  mode: number;
  uid: number;
  gid: number;
  modified: number;

  constructor(device: Device, { mode, uid, gid, modified }: Attributes) {
    this.device = device;
    this.mode = mode;
    this.uid = uid;
    this.gid = gid;
    this.modified = modified;
  }
}

const EMPTY = new Uint8Array(0);

/** A program of the simulation, as files keep it: only the kernel knows the process that it takes. */
export type FileProgram = (process: never) => Promise<number>;

/** A regular file. Its content grows in place, so that appending costs what is appended. */
export class FileNode extends BaseNode {
  readonly type = 'file';
  /** What runs when the file is executed, where it is one of the simulation's programs. */
  readonly program: FileProgram | undefined;
  #buffer = EMPTY;
  #size = 0;
  /** Another file has the same bytes: they are copied before they are changed. */
  #isShared = false;
  /** Few files are watched. */
  #watchers: Set<() => void> | undefined;

  constructor(device: Device, attributes: Attributes, content = EMPTY, program?: FileProgram) {
    super(device, attributes);
    this.program = program;
    this.#buffer = content;
    this.#size = content.length;
    device.take(content.length);
  }

  /** A file with the same content, which is not counted on `device` a second time. */
  static copyOf(original: FileNode, device: Device, attributes: Attributes): FileNode {
    const copy = new FileNode(device, attributes, EMPTY, original.program);
    copy.#buffer = original.#buffer;
    copy.#size = original.size;
    copy.#isShared = true;
    return copy;
  }

  /** A file whose content others have, too: it is copied before it is changed. */
  static sharing(content: Uint8Array<ArrayBuffer>, device: Device, attributes: Attributes): FileNode {
    const file = new FileNode(device, attributes, content);
    file.#isShared = true;
    return file;
  }

  get size(): number {
    return this.#size;
  }

  /** The bytes as they are now. */
  get content(): Uint8Array {
    return this.#buffer.subarray(0, this.#size);
  }

  /** Writes bytes at an offset; a gap is filled with zeros. */
  writeAt(offset: number, bytes: Uint8Array, now: number): void {
    const end = Math.max(this.#size, offset + bytes.length);
    this.device.take(end - this.#size);
    if (end > this.#buffer.length || this.#isShared) {
      const grown = new Uint8Array(Math.max(end, this.#buffer.length * 2));
      grown.set(this.content);
      this.#buffer = grown;
      this.#isShared = false;
    }
    this.#buffer.set(bytes, offset);
    this.#size = end;
    this.#changed(now);
  }

  truncate(size: number, now: number): void {
    this.device.take(size - this.#size);
    const content = new Uint8Array(size);
    content.set(this.content.subarray(0, size));
    this.#buffer = content;
    this.#isShared = false;
    this.#size = size;
    this.#changed(now);
  }

  /** Calls back on every change until the returned function is called. */
  watch(changed: () => void): () => void {
    const watchers = (this.#watchers ??= new Set());
    watchers.add(changed);
    return () => void watchers.delete(changed);
  }

  #changed(now: number): void {
    this.modified = now;
    this.device.onChange?.();
    if (this.#watchers) for (const watcher of [...this.#watchers]) watcher();
  }
}

/** Who reads a file, for those that tell each process of itself. */
export interface Reader {
  readonly user: User;
  readonly pid?: number;
}

/** A file whose content is made when it is read, as those in /proc. */
export class GeneratedNode extends BaseNode {
  readonly type = 'generated';
  readonly generate: (reader?: Reader) => Uint8Array;

  constructor(device: Device, attributes: Attributes, generate: (reader?: Reader) => Uint8Array) {
    super(device, attributes);
    this.generate = generate;
  }
}

export class LinkNode extends BaseNode {
  readonly type = 'link';
  readonly target: string;

  constructor(device: Device, attributes: Attributes, target: string) {
    super(device, attributes);
    this.target = target;
  }
}

export type DeviceKind = 'null' | 'zero' | 'random' | 'stdin' | 'stdout' | 'stderr' | 'tty';

/** A file that stands for something that is not stored: `/dev/null`. */
export class SpecialNode extends BaseNode {
  readonly type = 'special';
  readonly kind: DeviceKind;

  constructor(device: Device, attributes: Attributes, kind: DeviceKind) {
    super(device, attributes);
    this.kind = kind;
  }
}

/** The entries of a directory that somebody watches. */
class WatchedEntries extends Map<string, Node> {
  readonly watchers = new Set<() => void>();

  override set(name: string, node: Node): this {
    super.set(name, node);
    this.#changed();
    return this;
  }

  override delete(name: string): boolean {
    const had = super.delete(name);
    if (had) this.#changed();
    return had;
  }

  #changed(): void {
    for (const watcher of [...this.watchers]) watcher();
  }
}

export class DirectoryNode extends BaseNode {
  readonly type = 'directory';
  #entries: Map<string, Node> | undefined;
  readonly #fill: ((directory: DirectoryNode) => void) | undefined;

  /** `fill` adds the directory's initial content on first access. */
  constructor(device: Device, attributes: Attributes, fill?: (directory: DirectoryNode) => void) {
    super(device, attributes);
    this.#fill = fill;
  }

  get entries(): Map<string, Node> {
    if (!this.#entries) {
      this.#entries = this.begin();
      this.#fill?.(this);
    }
    return this.#entries;
  }

  /** The entry of a name, for somebody who only looks at it: it may be the original of an entry. */
  look(name: string): Node | undefined {
    return this.entries.get(name);
  }

  /** The names of all entries. */
  names(): Iterable<string> {
    return this.entries.keys();
  }

  /** The entries, if somebody has asked for them. */
  protected get begun(): Map<string, Node> | undefined {
    return this.#entries;
  }

  /** The entries before the directory is filled. */
  protected begin(): Map<string, Node> {
    return new Map();
  }

  /** Calls `changed` whenever a name is added or removed, until the returned function is called. */
  watch(changed: () => void): () => void {
    const entries = this.entries instanceof WatchedEntries ? this.entries : new WatchedEntries();
    if (this.#entries !== entries) {
      for (const [name, node] of this.entries) entries.set(name, node);
      this.#entries = entries;
    }
    entries.watchers.add(changed);
    return () => void entries.watchers.delete(changed);
  }
}

export type Node = FileNode | GeneratedNode | LinkNode | SpecialNode | DirectoryNode;

/** How many bytes a node counts on its device. */
export function sizeOf(node: Node): number {
  if (node.type === 'file') return node.size;
  if (node.type === 'link') return node.target.length;
  if (node.type === 'generated') return node.generate().length;
  return node.type === 'directory' ? 4096 : 0;
}
