import type { Pod } from '../../client/index.ts';
import { getOwn } from '../../std/index.ts';

/** The kernel parameters that a pod may set: each pod has its own, without effect on others. */
const SAFE: Readonly<Record<string, 'ipc' | 'net'>> = {
  'kernel.shm_rmid_forced': 'ipc',
  'net.ipv4.ip_local_port_range': 'net',
  'net.ipv4.tcp_syncookies': 'net',
  'net.ipv4.ping_group_range': 'net',
};

/** Why the node rejects a pod's kernel parameters; undefined if it accepts them. */
export function sysctlProblem({ spec }: Pod): { readonly reason: string; readonly message: string } | undefined {
  const forbidden = (why: string): { reason: string; message: string } => ({
    reason: 'SysctlForbidden',
    message: `forbidden sysctl: ${why}`,
  });
  for (const { name } of spec.securityContext?.sysctls ?? []) {
    const scope = getOwn(SAFE, name);
    const quoted = JSON.stringify(name);
    if (scope === undefined) return forbidden(`${quoted} not whitelisted`);
    if (scope === 'net' && spec.hostNetwork) return forbidden(`${quoted} not allowed with host net enabled`);
    if (scope === 'ipc' && spec.hostIPC) return forbidden(`${quoted} not allowed with host ipc enabled`);
  }
  return undefined;
}
