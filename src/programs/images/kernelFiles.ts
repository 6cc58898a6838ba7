import { encodeText } from '../../std/index.ts';
import { capabilityMask, type Confinement } from '../confinement.ts';
import { GeneratedNode, type Reader, type Tree } from '../files/index.ts';

/** The kernel information that a container can read. */
export interface KernelFacts {
  /** The table of mounts as it is then. */
  readonly mounts: () => string;
  /** Seconds since the container's start. */
  readonly uptime: () => number;
  readonly confinement: Confinement;
}

/** Kernel parameters that everybody can read. */
const SYSCTLS: Readonly<Record<string, string>> = {
  'kernel.hostname': 'simulated',
  'kernel.msgmax': '8192',
  'kernel.pid_max': '32768',
  'kernel.shm_rmid_forced': '0',
  'net.core.somaxconn': '128',
  'net.ipv4.ip_forward': '1',
  'net.ipv4.ip_local_port_range': '32768\t60999',
  'net.ipv4.ping_group_range': '1\t0',
  'net.ipv4.tcp_syncookies': '1',
  'vm.max_map_count': '65530',
};
const NOBODY: Reader = { user: { uid: 0, gid: 0, groups: [] } };

/** What the kernel shows at `/proc`. */
export function kernelFiles(tree: Tree, { mounts, uptime, confinement }: KernelFacts): void {
  const generated = (path: string, text: (reader: Reader) => string): void =>
    void tree.node(
      path,
      (device, attributes) => new GeneratedNode(device, attributes, (reader = NOBODY) => encodeText(text(reader))),
      0o444,
    );
  generated('mounts', mounts);
  generated('uptime', () => `${uptime().toFixed(2)} ${uptime().toFixed(2)}\n`);
  generated('loadavg', () => '0.00 0.00 0.00 1/1 1\n');
  generated('version', () => 'Linux version 5.4.0-simulated (simulated)\n');
  generated('meminfo', () => 'MemTotal:        8145856 kB\nMemFree:         7533516 kB\nMemAvailable:    7533516 kB\n');
  generated('cpuinfo', () =>
    Array.from({ length: 4 }, (_, i) => `processor\t: ${i}\nmodel name\t: simulated\n\n`).join(''),
  );
  for (const process of ['self', '1']) {
    generated(`${process}/mounts`, mounts);
    generated(`${process}/status`, (reader) => statusText(reader, confinement));
    generated(`${process}/oom_score_adj`, () => `${confinement.oomScore}\n`);
    generated(`${process}/cgroup`, () => '0::/\n');
  }
  for (const [name, value] of new Map([...Object.entries(SYSCTLS), ...confinement.sysctls]))
    generated(`sys/${name.replaceAll('.', '/')}`, () => `${value}\n`);
}

function statusText({ user: { uid, gid, groups }, pid = 1 }: Reader, confinement: Confinement): string {
  const { capabilities, noNewPrivileges, privileged } = confinement;
  const four = (id: number): string => Array.from({ length: 4 }, () => id).join('\t');
  const all = capabilityMask(capabilities);
  const effective = uid === 0 ? all : '0'.repeat(16);
  const lines = [
    ['Pid', String(pid)],
    ['Uid', four(uid)],
    ['Gid', four(gid)],
    ['Groups', groups.join(' ')],
    ['CapInh', all],
    ['CapPrm', effective],
    ['CapEff', effective],
    ['CapBnd', all],
    ['NoNewPrivs', noNewPrivileges ? '1' : '0'],
    ['Seccomp', privileged ? '0' : '2'],
  ];
  return lines.map(([name, value]) => `${name}:\t${value}\n`).join('');
}
