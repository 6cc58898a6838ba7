/** The computer that the terminal's shell runs on: its programs, its files, its processes. It is no part of the cluster. */
import {
  base,
  Container,
  Cpu,
  Device,
  type Exit,
  devices,
  LoopbackNetwork,
  MountTable,
  tools as usualTools,
  Tree,
  typedShell,
  type Program,
  type Prompt,
  type Stream,
} from '../../programs/index.ts';
import { freshSeed, getOwn, seededRandom, type Clock } from '../../std/index.ts';
import { HOME, USER, type Home } from './home.ts';

/** Tools for networks and machines, neither of which is here. */
const LEFT_OUT = [
  ...['wget', 'nc', 'nslookup', 'getent', 'ping', 'ip', 'ifconfig', 'sysctl', 'mount', 'df', 'free', 'dd'],
  ...['hostname', 'uname', 'nproc', 'uptime', 'chown', 'chgrp', 'ash'],
];
/** Bytes of what lies outside of the home folder. */
const ROOM = 16 * 1024 * 1024;
const MEMORY = 256 * 1024 * 1024;
const MOST_WORK = { cpu: Infinity, memory: MEMORY };

export interface ComputerOptions {
  readonly name: string;
  readonly clock: Clock;
  readonly home: Home;
  readonly programs: ReadonlyMap<string, Program>;
}

export interface Computer {
  /** The names of its programs. */
  readonly programs: readonly string[];
  readonly mounts: MountTable;
  /** Starts a shell that asks for command lines. */
  start(stream: Stream, next: (prompt: Prompt) => Promise<string | undefined>): Running;
}

export interface Running {
  readonly exit: Promise<unknown>;
  interrupt(): void;
  end(): void;
}

export function makeComputer({ name, clock, home, programs }: ComputerOptions): Computer {
  const now = (): number => clock.now();
  const usual = Object.keys(usualTools).filter((each) => !LEFT_OUT.includes(each) && !programs.has(each));
  const system = new Tree(new Device('system', 'overlay', ROOM), now, 0o755, (tree) => {
    base(tree);
    for (const each of usual) tree.program(`bin/${each}`, getOwn(usualTools, each) as Program);
    tree.program('bin/bash', usualTools.sh as Program);
    for (const [own, program] of programs) tree.program(`usr/bin/${own}`, program);
    tree.file('etc/passwd', `root:x:0:0:root:/root:/bin/sh\nyou:x:${USER.uid}:${USER.gid}:you:${HOME}:/bin/sh\n`);
    tree.file('etc/group', `root:x:0:\nyou:x:${USER.gid}:\n`);
    tree.directory(HOME.slice(1));
  });
  const special = new Tree(new Device('devices', 'tmpfs', ROOM), now, 0o755, devices);
  const mounts = new MountTable(system.root);
  mounts.add({ path: '/dev', root: special.root, readOnly: false });
  mounts.add({ path: HOME, root: home.tree.root, readOnly: false });
  const random = seededRandom(freshSeed());
  return {
    programs: [...usual, 'bash', ...programs.keys()],
    mounts,
    start: (stream, next) => {
      const container = new Container({
        ...{ mounts, clock, random, hostname: name, image: 'terminal', ports: [], limits: MOST_WORK },
        network: new LoopbackNetwork().at('127.0.0.1'),
        cpu: new Cpu(unhurried(clock)),
      });
      const env = new Map([
        ...[['HOME', HOME] as const, ['USER', 'you'] as const, ['TERM', 'xterm-256color'] as const],
        ...[['EDITOR', 'vi'] as const, ['PATH', '/usr/bin:/bin'] as const],
      ]);
      const streams = new Map([0, 1, 2].map((fd) => [fd, stream]));
      const program = typedShell(next);
      const shell = { args: ['sh'], env, cwd: HOME, user: USER, streams, program };
      const exit = new Promise<Exit>((resolve) => container.start(shell, { exited: resolve }));
      return { exit, interrupt: () => void container.signal(1, 'INT'), end: () => container.killAll() };
    },
  };
}

/** The person waits for it: work takes no simulated time, only turns. */
const unhurried = (clock: Clock): Clock => ({
  now: () => clock.now(),
  clearTimeout: () => undefined,
  during: (work, kind) => clock.during(work, kind),
  setTimeout: (fn) => {
    queueMicrotask(fn);
    return { key: 0, due: 0 };
  },
});
