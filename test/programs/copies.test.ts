/** A copied tree is held against one that was made anew: it copies its files only when they are looked at. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  Device,
  DirectoryNode,
  FileView,
  imageOf,
  layerOf,
  MountTable,
  SystemError,
  Tree,
} from '../../src/programs/index.ts';

const MB = 1024 * 1024;
const root = { user: { uid: 0, gid: 0, groups: [] }, cwd: '/', umask: 0o22 };

/** A small tree, so that random paths meet its files. */
function fill(tree: Tree): void {
  tree.directory('a/empty');
  tree.file('a/one', 'first');
  tree.file('a/b/two', 'second');
  tree.file('three', 'third', 0o600);
  tree.link('a/link', '/three');
}

interface Seen {
  readonly tree: Tree;
  readonly view: FileView;
}

function seen(tree: Tree): Seen {
  return {
    tree,
    view: new FileView(
      new MountTable(tree.root),
      () => root,
      () => 7,
    ),
  };
}

const device = () => new Device('d', 'ext4', MB);

function made(): Seen {
  const tree = new Tree(device(), () => 5);
  fill(tree);
  return seen(tree);
}

function copied(): Seen & { readonly original: Tree } {
  const original = new Tree(device(), () => 0);
  fill(original);
  return { ...seen(new Tree(device(), () => 5, 0o755, original)), original };
}

/** Everything in a tree, and how much of its device is used. */
function contents({ tree, view }: Seen): unknown {
  const all: unknown[] = [tree.device.used];
  const walk = (path: string): void => {
    for (const name of view.list(path)) {
      const below = path === '/' ? `/${name}` : `${path}/${name}`;
      const { node } = view.find(below, false);
      const text = node.type === 'file' ? view.text(below) : node.type === 'link' ? node.target : '';
      all.push([below, node.type, text, node.mode, node.uid, node.modified, node.device === tree.device]);
      if (node.type === 'directory') walk(below);
    }
  };
  walk('/');
  return all;
}

const path = fc.constantFrom('/a', '/a/one', '/a/b', '/a/b/two', '/three', '/a/link', '/a/empty', '/new', '/a/b/new');

/** One operation; the result or the error's code. */
const operation = fc.oneof(
  fc.tuple(path, fc.string()).map(
    ([to, text]) =>
      (view: FileView) =>
        view.write(to, text),
  ),
  fc.tuple(path, fc.nat(9)).map(([to, at]) => ({ mounts }: FileView) => {
    const node = mounts.tryFind(to, true)?.node;
    if (node?.type === 'file') node.writeAt(at, new Uint8Array([65, 66]), 7);
  }),
  path.map((at) => (view: FileView) => view.remove(at)),
  path.map((at) => (view: FileView) => view.makeDirectory(at)),
  path.map((at) => (view: FileView) => view.list(at)),
  path.map((at) => (view: FileView) => view.text(at)),
  path.map((at) => (view: FileView) => view.tryFind(at)?.node.type),
  fc.tuple(path, path).map(
    ([from, to]) =>
      (view: FileView) =>
        view.rename(from, to),
  ),
  fc.tuple(path, path).map(
    ([from, to]) =>
      (view: FileView) =>
        view.makeHardLink(from, to),
  ),
  fc.tuple(path, path).map(
    ([from, to]) =>
      (view: FileView) =>
        view.makeLink(from, to),
  ),
  path.map((at) => (view: FileView) => view.setAttributes(at, { mode: 0o711, uid: 3 })),
);

function outcome(run: (view: FileView) => unknown, view: FileView): unknown {
  try {
    return run(view);
  } catch (problem) {
    if (problem instanceof SystemError) return problem.code;
    throw problem;
  }
}

describe('a copied tree', () => {
  test('does what a tree that was filled anew does, and its original stays as it is', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 12 }), (operations) => {
        const [plain, copy] = [made(), copied()];
        const before = contents(seen(copy.original));
        for (const run of operations) expect(outcome(run, copy.view)).toEqual(outcome(run, plain.view));
        expect(contents(copy)).toEqual(contents(plain));
        expect(contents(seen(copy.original))).toEqual(before);
      }),
      { numRuns: 500 },
    );
  });

  test('two copies of one tree do not share what is written to them', () => {
    const original = layerOf(imageOf('nginx:1.19'));
    const [a, b] = [device(), device()].map((each) => seen(new Tree(each, () => 5, 0o755, original)));
    const file = '/etc/passwd';
    const before = b?.view.text(file);
    a?.view.write(file, 'changed');
    expect(a?.view.text(file)).toBe('changed');
    expect(b?.view.text(file)).toBe(before);
  });

  test('tells of new names whoever watches a directory', () => {
    const { view, tree } = copied();
    const { node } = view.find('/a');
    if (!(node instanceof DirectoryNode)) throw new Error('no directory');
    let changes = 0;
    node.watch(() => changes++);
    view.write('/a/more', '');
    expect(changes).toBe(1);
    expect(view.list('/a')).toEqual(['b', 'empty', 'link', 'more', 'one']);
    expect(tree.device.used).toBe(16);
  });

  test('has every operation of a map over what was not looked at yet', () => {
    const entries = () => copied().tree.root.entries;
    expect([...entries()].map(([name]) => name)).toEqual(['a', 'three']);
    expect([...entries().keys()]).toEqual(['a', 'three']);
    expect([...entries().values()].map(({ type }) => type)).toEqual(['directory', 'file']);
    expect(entries().size).toBe(2);
    expect(entries().has('a')).toBe(true);
    const named: string[] = [];
    entries().forEach((_, name) => named.push(name));
    expect(named).toEqual(['a', 'three']);
    const cleared = entries();
    cleared.clear();
    expect([cleared.size, cleared.has('a'), cleared.get('a')]).toEqual([0, false, undefined]);
  });
});
