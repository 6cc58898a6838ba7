import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  Device,
  FileNode,
  FileView,
  MountTable,
  Tree,
  type DirectoryNode,
  type Mount,
} from '../../src/programs/index.ts';
import { encodeText } from '../../src/std/index.ts';

const NOW = 1000;
const ROOT = { user: { uid: 0, gid: 0, groups: [] }, cwd: '/', umask: 0o022 };

/** An image's files. */
const layer = new Tree(new Device('overlay', 'overlay', 1e6), () => 0);
layer.file('etc/a', 'a');
layer.file('etc/sub/b', 'b');
layer.link('etc/link', '/etc/sub');
layer.file('bin/c', 'c');

/** A container's files; the mounts are made where they are asked for, or once at the beginning. */
function filesOf(isLazy: boolean): FileView {
  const root = (): DirectoryNode => new Tree(new Device('overlay', 'overlay', 1e6), () => NOW, 0o755, layer).root;
  const hosts = (): Mount => ({
    path: '/etc/hosts',
    root: new FileNode(
      new Device('sda', 'ext4', 1e6),
      { mode: 0o644, uid: 0, gid: 0, modified: NOW },
      encodeText('hosts'),
    ),
    readOnly: false,
  });
  const lazy = new MountTable({ mounts: () => [{ path: '/', root: root(), readOnly: false }, hosts()] });
  const kept = new MountTable(root());
  kept.add(hosts());
  return new FileView(
    isLazy ? lazy : kept,
    () => ROOT,
    () => NOW,
  );
}

const paths = fc.constantFrom('/etc/a', '/etc/sub/b', '/etc/link/b', '/etc/hosts', '/bin/c', '/bin/new', '/etc');

type Act = (files: FileView) => unknown;

const tried =
  (act: Act): Act =>
  (files) => {
    try {
      return act(files);
    } catch (problem) {
      return String(problem);
    }
  };

const acts = fc
  .oneof(
    paths.map(
      (path): Act =>
        (files) =>
          files.text(path),
    ),
    paths.map(
      (path): Act =>
        (files) =>
          files.list(path),
    ),
    paths.map(
      (path): Act =>
        (files) =>
          files.isDirectory(path),
    ),
    paths.map(
      (path): Act =>
        (files) =>
          files.look(path)?.path,
    ),
    paths.map(
      (path): Act =>
        (files) =>
          files.tryFind(path)?.node.mode,
    ),
    paths.map(
      (path): Act =>
        (files) =>
          files.remove(path),
    ),
    fc.tuple(paths, fc.string()).map(
      ([path, text]): Act =>
        (files) =>
          files.write(path, text),
    ),
    fc.tuple(paths, paths).map(
      ([from, to]): Act =>
        (files) =>
          files.rename(from, to),
    ),
    paths.map(
      (path): Act =>
        (files) =>
          files.setAttributes(path, { mode: 0o600 }),
    ),
    fc.constant<Act>((files) => files.mounts.putAway()),
  )
  .map(tried);

test('files that are put away while nobody needs them are those that were kept', () => {
  fc.assert(
    fc.property(fc.array(acts, { maxLength: 30 }), (all) => {
      const [lazy, kept] = [filesOf(true), filesOf(false)];
      for (const act of all) expect(act(lazy)).toEqual(act(kept));
    }),
  );
});

test('who only looks at files, copies none', () => {
  const files = filesOf(true);
  expect(files.text('/etc/link/b')).toBe('b');
  const [first, second] = [files.look('/etc/a'), files.look('/etc/a')];
  expect(first?.node).toBe(second?.node);
  expect(files.tryFind('/etc/a')?.node).not.toBe(first?.node);
  expect(files.look('/etc/a')?.node).toBe(files.tryFind('/etc/a')?.node);
});
