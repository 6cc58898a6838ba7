import { always, bool, int64, list, named, opt, ptr, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';

const Capability = named('v1.Capability', string);

export const Capabilities = struct('api.core.v1.Capabilities', {
  add: opt(1, list(Capability)),
  drop: opt(2, list(Capability)),
});
export type Capabilities = Infer<typeof Capabilities>;

export const SELinuxOptions = struct('api.core.v1.SELinuxOptions', {
  user: opt(1, string),
  role: opt(2, string),
  type: opt(3, string),
  level: opt(4, string),
});
export type SELinuxOptions = Infer<typeof SELinuxOptions>;

export const SeccompProfile = struct(
  'api.core.v1.SeccompProfile',
  {
    type: always(1, named('v1.SeccompProfileType', string)),
    localhostProfile: ptr(2, string),
  },
  { unions: [{ discriminator: 'type', fields: { localhostProfile: 'LocalhostProfile' } }] },
);
export type SeccompProfile = Infer<typeof SeccompProfile>;

export const WindowsSecurityContextOptions = struct('api.core.v1.WindowsSecurityContextOptions', {
  gmsaCredentialSpecName: ptr(1, string),
  gmsaCredentialSpec: ptr(2, string),
  runAsUserName: ptr(3, string),
});
export type WindowsSecurityContextOptions = Infer<typeof WindowsSecurityContextOptions>;

export const Sysctl = struct('api.core.v1.Sysctl', {
  name: always(1, string),
  value: always(2, string),
});
export type Sysctl = Infer<typeof Sysctl>;

export const SecurityContext = struct('api.core.v1.SecurityContext', {
  capabilities: ptr(1, Capabilities),
  privileged: ptr(2, bool),
  seLinuxOptions: ptr(3, SELinuxOptions),
  windowsOptions: ptr(10, WindowsSecurityContextOptions),
  runAsUser: ptr(4, int64),
  runAsGroup: ptr(8, int64),
  runAsNonRoot: ptr(5, bool),
  readOnlyRootFilesystem: ptr(6, bool),
  allowPrivilegeEscalation: ptr(7, bool),
  procMount: ptr(9, named('v1.ProcMountType', string)),
  seccompProfile: ptr(11, SeccompProfile),
});
export type SecurityContext = Infer<typeof SecurityContext>;

export const PodSecurityContext = struct('api.core.v1.PodSecurityContext', {
  seLinuxOptions: ptr(1, SELinuxOptions),
  windowsOptions: ptr(8, WindowsSecurityContextOptions),
  runAsUser: ptr(2, int64),
  runAsGroup: ptr(6, int64),
  runAsNonRoot: ptr(3, bool),
  supplementalGroups: opt(4, list(int64)),
  fsGroup: ptr(5, int64),
  sysctls: opt(7, list(Sysctl)),
  fsGroupChangePolicy: ptr(9, named('v1.PodFSGroupChangePolicy', string)),
  seccompProfile: ptr(10, SeccompProfile),
});
export type PodSecurityContext = Infer<typeof PodSecurityContext>;
