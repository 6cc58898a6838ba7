/** The files of volumes as texts: what is kept of them over a reload. */
import {
  DirectoryNode,
  FileNode,
  LinkNode,
  SystemError,
  type Attributes,
  type Device,
  type Node as FileTreeNode,
  type Tree,
} from '../../programs/index.ts';
import { fromBase64, isObject, toBase64 } from '../../std/index.ts';

/** Bytes of a volume that are kept. Files that go beyond are not. */
const MOST_BYTES = 1024 * 1024;

interface Kept extends Attributes {
  readonly path: string;
  /** Base64 of a file; a link has its target, a directory neither. */
  readonly content?: string;
  readonly target?: string;
}

/** A tree as a text. Files that have no room in it are left out, the largest ones first. */
export function textOfTree(tree: Tree): string {
  const nodes = [...nodesBelow(tree.root, '')];
  const files = nodes.flatMap(([, node]) => (node.type === 'file' ? [node] : [])).sort((a, b) => a.size - b.size);
  const fitting = new Set<FileTreeNode>();
  let size = 0;
  for (const file of files) if ((size += file.size) <= MOST_BYTES) fitting.add(file);
  return JSON.stringify(nodes.flatMap(([path, node]) => keptOf(path, node, fitting)));
}

function* nodesBelow(directory: DirectoryNode, path: string): Generator<[string, FileTreeNode]> {
  for (const [name, node] of directory.entries) {
    yield [`${path}${name}`, node];
    if (node.type === 'directory') yield* nodesBelow(node, `${path}${name}/`);
  }
}

function keptOf(path: string, node: FileTreeNode, fitting: ReadonlySet<FileTreeNode>): Kept[] {
  const { mode, uid, gid, modified } = node;
  const kept = { path, mode, uid, gid, modified };
  if (node.type === 'directory') return [kept];
  if (node.type === 'link') return [{ ...kept, target: node.target }];
  return node.type === 'file' && fitting.has(node) ? [{ ...kept, content: toBase64(node.content) }] : [];
}

/** Puts back what `textOfTree` gave. What can't be read is passed over. */
export function restoreTree(tree: Tree, text: string): void {
  for (const kept of entriesOf(text)) {
    try {
      restoreOne(tree, kept);
    } catch (problem) {
      if (!(problem instanceof SystemError)) throw problem;
    }
  }
}

function entriesOf(text: string): Kept[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value)
      ? value.filter((each): each is Kept => isObject(each) && typeof each['path'] === 'string')
      : [];
  } catch {
    // An exported cluster brings a word in its place.
    return [];
  }
}

function restoreOne(tree: Tree, { path, content, target, ...attributes }: Kept): void {
  const bytes = content === undefined ? undefined : fromBase64(content);
  const make = (device: Device): FileTreeNode => {
    if (target !== undefined) return new LinkNode(device, attributes, target);
    return bytes ? new FileNode(device, attributes, bytes) : new DirectoryNode(device, attributes);
  };
  tree.node(path, make);
}
