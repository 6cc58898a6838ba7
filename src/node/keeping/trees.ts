/** Files of volumes as texts that survive a reload. */
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
import { fromBase64, getOwn, isObject, toBase64 } from '../../std/index.ts';

/** The maximum size of a volume's text in characters: somewhat more than 1 MiB of files in Base64. */
const MOST_CHARACTERS = 1.5 * 1024 * 1024;
/** The maximum number of files and directories of a volume, because a program can quickly create many more. */
const MOST_ENTRIES = 10_000;
/** The maximum length of a path in characters. */
const LONGEST_PATH = 1024;
/** The node types that are saved. */
const KINDS: ReadonlySet<FileTreeNode['type']> = new Set(['file', 'directory', 'link']);

interface Kept extends Attributes {
  /** Empty for the volume's root directory. */
  readonly path: string;
  /** Base64 of a file; a link has its target, a directory neither. */
  readonly content?: string;
  readonly target?: string;
  /** The path of the file that this is a hard link to. */
  readonly same?: string;
}

/** The saved form of a tree. */
export interface TreeText {
  readonly text: string;
  /** Whether it is complete. */
  readonly isWhole: boolean;
}

interface Found {
  readonly path: string;
  readonly node: FileTreeNode;
}

/** Serializes a tree. What does not fit is omitted: the largest files, and the deepest nodes. */
export function textOfTree(tree: Tree): TreeText {
  const { found, isWhole } = nodesOf(tree.root);
  let size = 2;
  const texts = new Map<Found, string>();
  const add = (each: Found, text: string): boolean => {
    if (size + text.length + 1 > MOST_CHARACTERS) return false;
    size += text.length + 1;
    texts.set(each, text);
    return true;
  };
  let left = 0;
  for (const each of found) if (each.node.type !== 'file' && !add(each, JSON.stringify(keptOf(each)))) left += 1;
  left += addFiles(found, (each, text) => add(each, text));
  return { text: `[${found.flatMap((each) => texts.get(each) ?? []).join(',')}]`, isWhole: isWhole && left === 0 };
}

/** Adds files from the smallest to the largest, each before its hard links. Returns how many did not fit. */
function addFiles(found: readonly Found[], add: (each: Found, text: string) => boolean): number {
  const names = new Map<FileNode, Found[]>();
  for (const each of found)
    if (each.node.type === 'file') names.set(each.node, [...(names.get(each.node) ?? []), each]);
  let left = 0;
  for (const [node, [first, ...others]] of [...names].sort(([a], [b]) => a.size - b.size)) {
    // After the first file that does not fit none is written, because the others are larger.
    const fits = first && left === 0 && node.size < MOST_CHARACTERS && add(first, JSON.stringify(keptOf(first)));
    if (!fits) left += 1;
    else for (const other of others) if (!add(other, JSON.stringify({ path: other.path, same: first.path }))) left += 1;
  }
  return left;
}

/** The nodes of a tree, parents before children. */
function nodesOf(root: DirectoryNode): { readonly found: readonly Found[]; readonly isWhole: boolean } {
  const found: Found[] = [{ path: '', node: root }];
  let isWhole = true;
  for (const { path, node } of found) {
    if (node.type !== 'directory') continue;
    for (const [name, entry] of node.entries) {
      const below = path === '' ? name : `${path}/${name}`;
      if (found.length >= MOST_ENTRIES) return { found, isWhole: false };
      if (below.length > LONGEST_PATH) isWhole = false;
      else if (KINDS.has(entry.type)) found.push({ path: below, node: entry });
    }
  }
  return { found, isWhole };
}

function keptOf({ path, node }: Found): Kept {
  const { mode, uid, gid, modified } = node;
  const kept = { path, mode, uid, gid, modified };
  if (node.type === 'link') return { ...kept, target: node.target };
  return node.type === 'file' ? { ...kept, content: toBase64(node.content) } : kept;
}

/** Restores what `textOfTree` returned. Entries that can't be read are skipped. */
export function restoreTree(tree: Tree, text: string): void {
  const files = new Map<string, FileTreeNode>();
  for (const kept of entriesOf(text)) {
    try {
      restoreOne(tree, kept, files);
    } catch (problem) {
      if (!(problem instanceof SystemError)) throw problem;
    }
  }
}

function entriesOf(text: string): Kept[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter(isKept) : [];
  } catch {
    // An exported cluster has a placeholder text instead.
    return [];
  }
}

function isKept(value: unknown): value is Kept {
  if (!isObject(value) || typeof value['path'] !== 'string') return false;
  if (typeof value['same'] === 'string') return true;
  const areNumbers = ['mode', 'uid', 'gid', 'modified'].every((name) => typeof getOwn(value, name) === 'number');
  return (
    areNumbers && ['content', 'target'].every((name) => ['string', 'undefined'].includes(typeof getOwn(value, name)))
  );
}

function restoreOne(
  tree: Tree,
  { path, content, target, same, ...attributes }: Kept,
  files: Map<string, FileTreeNode>,
): void {
  if (path === '') return void Object.assign(tree.root, attributes);
  const known = same === undefined ? undefined : files.get(same);
  if (same !== undefined && !known) return;
  const bytes = content === undefined ? undefined : fromBase64(content);
  if (content !== undefined && !bytes) return;
  const make = (device: Device): FileTreeNode => {
    if (target !== undefined) return new LinkNode(device, attributes, target);
    return bytes ? new FileNode(device, attributes, bytes) : new DirectoryNode(device, attributes);
  };
  files.set(path, known ? tree.node(path, () => known) : tree.node(path, make));
}
