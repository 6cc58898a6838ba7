import { SpecialNode, type DeviceKind, type Tree } from '../files/index.ts';
import type { Program } from '../process.ts';
import { shell } from '../shell/index.ts';
import { extraTools, tools } from '../tools/index.ts';

const PASSWD = `root:x:0:0:root:/root:/bin/sh
daemon:x:1:1:daemon:/usr/sbin:/bin/false
bin:x:2:2:bin:/bin:/bin/false
www-data:x:33:33:www-data:/var/www:/bin/false
nobody:x:65534:65534:nobody:/home:/bin/false
`;
const GROUP = 'root:x:0:\ndaemon:x:1:\nbin:x:2:\nwww-data:x:33:\nnobody:x:65534:\n';
const RELEASES = {
  alpine: 'NAME="Alpine Linux"\nID=alpine\nVERSION_ID=3.12.3\nPRETTY_NAME="Alpine Linux v3.12"\n',
  debian: 'PRETTY_NAME="Debian GNU/Linux 10 (buster)"\nNAME="Debian GNU/Linux"\nVERSION_ID="10"\nID=debian\n',
  busybox: 'NAME="BusyBox"\nID=busybox\n',
};

/** The directories, devices and users that every image has. */
export function base(tree: Tree): void {
  for (const path of [
    'bin',
    'etc',
    'home',
    'lib',
    'mnt',
    'opt',
    'proc',
    'run',
    'sbin',
    'srv',
    'sys',
    'usr/bin',
    'usr/local/bin',
    'usr/sbin',
    'var/lib',
    'var/log',
    'var/run',
  ])
    tree.directory(path);
  tree.directory('root', 0o700);
  for (const path of ['tmp', 'var/tmp']) tree.directory(path).mode = 0o1777;
  tree.file('etc/passwd', PASSWD);
  tree.file('etc/group', GROUP);
  tree.file('etc/nsswitch.conf', 'hosts: files dns\n');
}

/** What the runtime mounts at `/dev`. */
export function devices(tree: Tree): void {
  const kinds: readonly (readonly [string, DeviceKind])[] = [
    ['null', 'null'],
    ['zero', 'zero'],
    ['random', 'random'],
    ['urandom', 'random'],
    ['stdin', 'stdin'],
    ['stdout', 'stdout'],
    ['stderr', 'stderr'],
    ['tty', 'tty'],
  ];
  for (const [name, kind] of kinds)
    tree.node(name, (device, attributes) => new SpecialNode(device, attributes, kind), 0o666);
  tree.directory('shm').mode = 0o1777;
  tree.directory('pts');
}

/** Programs as files. */
export const programs =
  (directory: string, list: Readonly<Record<string, Program>>) =>
  (tree: Tree): void => {
    for (const [name, program] of Object.entries(list)) tree.program(`${directory}/${name}`, program);
  };

/** A system with a shell and the usual tools. */
export const system =
  (release: 'alpine' | 'busybox' | 'debian', ...extra: readonly (keyof typeof extraTools)[]) =>
  (tree: Tree): void => {
    base(tree);
    tree.programs('bin', release === 'debian' ? { ...tools, bash: shell } : tools);
    for (const name of ['env', 'awk', 'printf', 'test', 'which', 'id'] as const)
      tree.link(`usr/bin/${name}`, `/bin/${name}`);
    for (const name of extra) programs('usr/bin', { [name]: extraTools[name] })(tree);
    tree.file('etc/os-release', RELEASES[release] ?? '');
  };
