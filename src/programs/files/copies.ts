/**
 * Copies of file trees. A node is copied when it is first looked at, so that a container costs the files that it uses,
 * not all files of its image.
 */
import { DirectoryNode, FileNode, GeneratedNode, LinkNode, SpecialNode, type Device, type Node } from './nodes.ts';

/** Where the copies of a tree lie, and the time that they have. */
interface Place {
  readonly device: Device;
  readonly modified: number;
}

/** A copy of a directory. The original must not change any more. Copies are not counted on their device. */
export class CopiedDirectory extends DirectoryNode {
  readonly #original: DirectoryNode;
  readonly #place: Place;

  constructor(original: DirectoryNode, place: Place) {
    super(place.device, { ...attributesOf(original), modified: place.modified });
    this.#original = original;
    this.#place = place;
  }

  protected override begin(): Map<string, Node> {
    return new CopiedEntries(this.#original, this.#place);
  }

  override look(name: string): Node | undefined {
    const { begun } = this;
    if (!begun) return this.#original.look(name);
    return begun instanceof CopiedEntries ? begun.look(name) : begun.get(name);
  }

  override names(): Iterable<string> {
    const { begun } = this;
    if (!begun) return this.#original.names();
    return begun instanceof CopiedEntries ? begun.names() : begun.keys();
  }
}

const attributesOf = ({ mode, uid, gid, modified }: Node) => ({ mode, uid, gid, modified });

function copyOf(node: Node, place: Place): Node {
  const { device } = place;
  const attributes = { ...attributesOf(node), modified: place.modified };
  switch (node.type) {
    case 'directory':
      return new CopiedDirectory(node, place);
    case 'file':
      return FileNode.copyOf(node, device, attributes);
    case 'link':
      return new LinkNode(device, attributes, node.target);
    case 'special':
      return new SpecialNode(device, attributes, node.kind);
    case 'generated':
      return new GeneratedNode(device, attributes, node.generate);
  }
}

/** The entries of a copied directory. What needs all of them, as a list does, copies what is left. */
class CopiedEntries extends Map<string, Node> {
  /** Undefined when everything is copied. */
  #original: DirectoryNode | undefined;
  readonly #place: Place;

  constructor(original: DirectoryNode, place: Place) {
    super();
    this.#original = original;
    this.#place = place;
  }

  /** An entry as it is now, without a copy of it. */
  look(name: string): Node | undefined {
    return super.get(name) ?? this.#original?.look(name);
  }

  /** All names, without copies. */
  names(): Iterable<string> {
    return new Set([...(this.#original?.names() ?? []), ...super.keys()]);
  }

  override get(name: string): Node | undefined {
    const own = super.get(name);
    if (own) return own;
    const original = this.#original?.look(name);
    if (!original) return undefined;
    const copy = copyOf(original, this.#place);
    super.set(name, copy);
    return copy;
  }

  override has(name: string): boolean {
    return super.has(name) || this.#original?.look(name) !== undefined;
  }

  override get size(): number {
    this.#copyAll();
    return super.size;
  }

  override delete(name: string): boolean {
    this.#copyAll();
    return super.delete(name);
  }

  override clear(): void {
    this.#original = undefined;
    super.clear();
  }

  override keys(): MapIterator<string> {
    this.#copyAll();
    return super.keys();
  }

  override values(): MapIterator<Node> {
    this.#copyAll();
    return super.values();
  }

  override entries(): MapIterator<[string, Node]> {
    this.#copyAll();
    return super.entries();
  }

  override [Symbol.iterator](): MapIterator<[string, Node]> {
    return this.entries();
  }

  override forEach(each: (node: Node, name: string, map: Map<string, Node>) => void): void {
    this.#copyAll();
    super.forEach(each);
  }

  #copyAll(): void {
    const original = this.#original;
    this.#original = undefined;
    for (const name of original?.names() ?? []) {
      const node = super.has(name) ? undefined : original?.look(name);
      if (node) super.set(name, copyOf(node, this.#place));
    }
  }
}
