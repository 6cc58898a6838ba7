import { encodeText } from '../../std/index.ts';
import { SystemError } from '../errors.ts';
import type { Program } from '../process.ts';
import { CopiedDirectory } from './copies.ts';
import { DirectoryNode, FileNode, LinkNode, type Attributes, type Device, type Node } from './nodes.ts';

/**
 * A file tree with operations that need no process: an image's layer, a volume. Everything belongs to root by default.
 */
export class Tree {
  readonly device: Device;
  readonly root: DirectoryNode;
  readonly #now: () => number;

  /** `content` is a function that fills the tree on first access, or a tree to copy, which must not change any more. */
  constructor(device: Device, now: () => number, mode = 0o755, content?: Tree | ((tree: Tree) => void)) {
    this.device = device;
    this.#now = now;
    if (content instanceof Tree) {
      device.take(content.device.used);
      this.root = new CopiedDirectory(content.root, { device, modified: now() });
    } else this.root = new DirectoryNode(device, this.#attributes(mode), content && (() => content(this)));
  }

  /** Makes a directory and those above it, from one of the tree's directories. */
  directory(path: string, mode = 0o755, from = this.root): DirectoryNode {
    return this.#directory(namesOf(path), mode, from);
  }

  file(path: string, content: string | Uint8Array, mode = 0o644): FileNode {
    const bytes = typeof content === 'string' ? encodeText(content) : content.slice();
    return this.#put(path, new FileNode(this.device, this.#attributes(mode), bytes));
  }

  /** A file whose content others have, too: it is copied when somebody changes it. */
  shared(path: string, content: Uint8Array<ArrayBuffer>, mode: number): FileNode {
    return this.#put(path, FileNode.sharing(content, this.device, this.#attributes(mode)));
  }

  /** A file that runs a program of the simulation. */
  program(path: string, program: Program): FileNode {
    return this.#put(path, new FileNode(this.device, this.#attributes(0o755), undefined, program));
  }

  /** A directory of programs. They are many, and most containers do not read it: it is created on first access. */
  programs(path: string, programs: Readonly<Record<string, Program>>): DirectoryNode {
    const made = this.#attributes(0o755);
    const file = (program: Program): FileNode => new FileNode(this.device, { ...made }, undefined, program);
    const fill = ({ entries }: DirectoryNode): void => {
      for (const name of Object.keys(programs)) entries.set(name, file(programs[name] as Program));
    };
    return this.#put(path, new DirectoryNode(this.device, { ...made }, fill));
  }

  link(path: string, target: string): LinkNode {
    return this.#put(path, new LinkNode(this.device, this.#attributes(0o777), target));
  }

  /** Puts a node of any kind in its place. */
  node<T extends Node>(path: string, make: (device: Device, attributes: Attributes) => T, mode = 0o644): T {
    return this.#put(path, make(this.device, this.#attributes(mode)));
  }

  remove(path: string): void {
    const [directory, name] = this.#parent(path);
    const node = directory.entries.get(name);
    if (node?.type === 'directory') for (const child of [...node.entries.keys()]) this.remove(`${path}/${child}`);
    freeBlocks(node);
    directory.entries.delete(name);
  }

  #put<T extends Node>(path: string, node: T): T {
    const [directory, name] = this.#parent(path);
    freeBlocks(directory.entries.get(name));
    directory.entries.set(name, node);
    directory.modified = this.#now();
    return node;
  }

  #parent(path: string): [DirectoryNode, string] {
    const names = namesOf(path);
    const name = names.pop() ?? '';
    return [this.#directory(names), name];
  }

  #directory(names: readonly string[], mode = 0o755, from = this.root): DirectoryNode {
    let current = from;
    for (const name of names) {
      const { entries } = current;
      const found = entries.get(name);
      if (found && found.type !== 'directory') throw new SystemError('ENOTDIR', names.join('/'));
      if (!found) entries.set(name, (current = new DirectoryNode(this.device, this.#attributes(mode))));
      else current = found;
    }
    return current;
  }

  #attributes(mode: number): Attributes {
    return { mode, uid: 0, gid: this.device.group ?? 0, modified: this.#now() };
  }
}

const namesOf = (path: string): string[] => path.split('/').filter(Boolean);

/** Frees a file's space on its device. */
function freeBlocks(node: Node | undefined): void {
  if (node?.type === 'file') node.device.take(-node.size);
}
