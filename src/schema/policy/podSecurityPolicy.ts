import { always, bool, int32, int64, list, opt, ptr, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { SELinuxOptions } from '../core/securityContext.ts';
import { object } from '../meta/object.ts';

export const AllowedCSIDriver = struct('api.policy.v1beta1.AllowedCSIDriver', {
  name: always(1, string),
});
export type AllowedCSIDriver = Infer<typeof AllowedCSIDriver>;

export const AllowedFlexVolume = struct('api.policy.v1beta1.AllowedFlexVolume', {
  driver: always(1, string),
});
export type AllowedFlexVolume = Infer<typeof AllowedFlexVolume>;

export const AllowedHostPath = struct('api.policy.v1beta1.AllowedHostPath', {
  pathPrefix: opt(1, string),
  readOnly: opt(2, bool),
});
export type AllowedHostPath = Infer<typeof AllowedHostPath>;

export const IDRange = struct('api.policy.v1beta1.IDRange', {
  min: always(1, int64),
  max: always(2, int64),
});
export type IDRange = Infer<typeof IDRange>;

export const FSGroupStrategyOptions = struct('api.policy.v1beta1.FSGroupStrategyOptions', {
  rule: opt(1, string),
  ranges: opt(2, list(IDRange)),
});
export type FSGroupStrategyOptions = Infer<typeof FSGroupStrategyOptions>;

export const HostPortRange = struct('api.policy.v1beta1.HostPortRange', {
  min: always(1, int32),
  max: always(2, int32),
});
export type HostPortRange = Infer<typeof HostPortRange>;

export const RunAsGroupStrategyOptions = struct('api.policy.v1beta1.RunAsGroupStrategyOptions', {
  rule: always(1, string),
  ranges: opt(2, list(IDRange)),
});
export type RunAsGroupStrategyOptions = Infer<typeof RunAsGroupStrategyOptions>;

export const RunAsUserStrategyOptions = struct('api.policy.v1beta1.RunAsUserStrategyOptions', {
  rule: always(1, string),
  ranges: opt(2, list(IDRange)),
});
export type RunAsUserStrategyOptions = Infer<typeof RunAsUserStrategyOptions>;

export const RuntimeClassStrategyOptions = struct('api.policy.v1beta1.RuntimeClassStrategyOptions', {
  allowedRuntimeClassNames: always(1, list(string)),
  defaultRuntimeClassName: ptr(2, string),
});
export type RuntimeClassStrategyOptions = Infer<typeof RuntimeClassStrategyOptions>;

export const SELinuxStrategyOptions = struct('api.policy.v1beta1.SELinuxStrategyOptions', {
  rule: always(1, string),
  seLinuxOptions: ptr(2, SELinuxOptions),
});
export type SELinuxStrategyOptions = Infer<typeof SELinuxStrategyOptions>;

export const SupplementalGroupsStrategyOptions = struct('api.policy.v1beta1.SupplementalGroupsStrategyOptions', {
  rule: opt(1, string),
  ranges: opt(2, list(IDRange)),
});
export type SupplementalGroupsStrategyOptions = Infer<typeof SupplementalGroupsStrategyOptions>;

export const PodSecurityPolicySpec = struct('api.policy.v1beta1.PodSecurityPolicySpec', {
  privileged: opt(1, bool),
  defaultAddCapabilities: opt(2, list(string)),
  requiredDropCapabilities: opt(3, list(string)),
  allowedCapabilities: opt(4, list(string)),
  volumes: opt(5, list(string)),
  hostNetwork: opt(6, bool),
  hostPorts: opt(7, list(HostPortRange)),
  hostPID: opt(8, bool),
  hostIPC: opt(9, bool),
  seLinux: always(10, SELinuxStrategyOptions),
  runAsUser: always(11, RunAsUserStrategyOptions),
  runAsGroup: ptr(22, RunAsGroupStrategyOptions),
  supplementalGroups: always(12, SupplementalGroupsStrategyOptions),
  fsGroup: always(13, FSGroupStrategyOptions),
  readOnlyRootFilesystem: opt(14, bool),
  defaultAllowPrivilegeEscalation: ptr(15, bool),
  allowPrivilegeEscalation: ptr(16, bool, { default: true }),
  allowedHostPaths: opt(17, list(AllowedHostPath)),
  allowedFlexVolumes: opt(18, list(AllowedFlexVolume)),
  allowedCSIDrivers: opt(23, list(AllowedCSIDriver)),
  allowedUnsafeSysctls: opt(19, list(string)),
  forbiddenSysctls: opt(20, list(string)),
  allowedProcMountTypes: opt(21, list(string)),
  runtimeClass: ptr(24, RuntimeClassStrategyOptions),
});
export type PodSecurityPolicySpec = Infer<typeof PodSecurityPolicySpec>;

export const PodSecurityPolicy = object('api.policy.v1beta1.PodSecurityPolicy', {
  spec: opt(2, PodSecurityPolicySpec),
});
export type PodSecurityPolicy = Infer<typeof PodSecurityPolicy>;
