/** A container's capabilities and the kernel's view of them. */
export interface Confinement {
  readonly privileged: boolean;
  /** Names without `CAP_`. */
  readonly capabilities: ReadonlySet<string>;
  /** Programs can't gain rights that who started them doesn't have. */
  readonly noNewPrivileges: boolean;
  /** From -1000 to 1000: who is killed first when memory runs out on the node. */
  readonly oomScore: number;
  /** Kernel parameters by name, where they aren't the default. */
  readonly sysctls: ReadonlyMap<string, string>;
}

/** The names of capabilities in the order of their bits. */
const NAMES = [
  ...['CHOWN', 'DAC_OVERRIDE', 'DAC_READ_SEARCH', 'FOWNER', 'FSETID', 'KILL', 'SETGID', 'SETUID', 'SETPCAP'],
  ...['LINUX_IMMUTABLE', 'NET_BIND_SERVICE', 'NET_BROADCAST', 'NET_ADMIN', 'NET_RAW', 'IPC_LOCK', 'IPC_OWNER'],
  ...['SYS_MODULE', 'SYS_RAWIO', 'SYS_CHROOT', 'SYS_PTRACE', 'SYS_PACCT', 'SYS_ADMIN', 'SYS_BOOT', 'SYS_NICE'],
  ...['SYS_RESOURCE', 'SYS_TIME', 'SYS_TTY_CONFIG', 'MKNOD', 'LEASE', 'AUDIT_WRITE', 'AUDIT_CONTROL', 'SETFCAP'],
  ...['MAC_OVERRIDE', 'MAC_ADMIN', 'SYSLOG', 'WAKE_ALARM', 'BLOCK_SUSPEND', 'AUDIT_READ'],
];

/** The default capabilities of a container. */
const DEFAULT = [
  ...['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID', 'KILL', 'SETGID', 'SETUID', 'SETPCAP', 'NET_BIND_SERVICE'],
  ...['NET_RAW', 'SYS_CHROOT', 'MKNOD', 'AUDIT_WRITE', 'SETFCAP'],
];

const ALL: ReadonlySet<string> = new Set(NAMES);
const USUAL: ReadonlySet<string> = new Set(DEFAULT);

/** The capabilities of a container; `ALL` stands for every one. */
export function capabilitiesOf(
  privileged: boolean,
  add: readonly string[],
  drop: readonly string[],
): ReadonlySet<string> {
  if (privileged || add.includes('ALL')) return ALL;
  if (add.length === 0 && drop.length === 0) return USUAL;
  const kept = drop.includes('ALL') ? [] : DEFAULT.filter((name) => !drop.includes(name));
  return new Set([...kept, ...add]);
}

/** The set as `/proc/self/status` shows it. */
export function capabilityMask(names: ReadonlySet<string>): string {
  const bits = NAMES.reduce((mask, name, bit) => (names.has(name) ? mask | (1n << BigInt(bit)) : mask), 0n);
  return bits.toString(16).padStart(16, '0');
}

export const UNCONFINED: Confinement = {
  privileged: false,
  capabilities: capabilitiesOf(false, [], []),
  noNewPrivileges: false,
  oomScore: 1000,
  sysctls: new Map(),
};
