import { always, bool, int32, int64, list, map, opt, ptr, quantity, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { roundResources } from './resourceList.ts';
import { ObjectMeta } from '../meta/objectMeta.ts';
import { Affinity, Toleration, TopologySpreadConstraint } from './affinity.ts';
import { Container, EphemeralContainer } from './container.ts';
import { LocalObjectReference } from './references.ts';
import { PodSecurityContext } from './securityContext.ts';
import { Volume } from './volumes.ts';

export const HostAlias = struct('api.core.v1.HostAlias', {
  ip: opt(1, string),
  hostnames: opt(2, list(string)),
});
export type HostAlias = Infer<typeof HostAlias>;

export const PodDNSConfigOption = struct('api.core.v1.PodDNSConfigOption', {
  name: opt(1, string),
  value: ptr(2, string),
});
export type PodDNSConfigOption = Infer<typeof PodDNSConfigOption>;

export const PodDNSConfig = struct('api.core.v1.PodDNSConfig', {
  nameservers: opt(1, list(string)),
  searches: opt(2, list(string)),
  options: opt(3, list(PodDNSConfigOption)),
});
export type PodDNSConfig = Infer<typeof PodDNSConfig>;

export const PodReadinessGate = struct('api.core.v1.PodReadinessGate', {
  conditionType: always(1, string),
});
export type PodReadinessGate = Infer<typeof PodReadinessGate>;

export const PodSpec = struct(
  'api.core.v1.PodSpec',
  {
    volumes: opt(1, list(Volume), { mergeKey: 'name', strategy: 'merge,retainKeys' }),
    containers: always(2, list(Container), { mergeKey: 'name', strategy: 'merge' }),
    restartPolicy: opt(3, string, { default: 'Always' }),
    terminationGracePeriodSeconds: ptr(4, int64, { default: 30 }),
    activeDeadlineSeconds: ptr(5, int64),
    dnsPolicy: opt(6, string, { default: 'ClusterFirst' }),
    nodeSelector: opt(7, map(string)),
    serviceAccountName: opt(8, string),
    serviceAccount: opt(9, string),
    nodeName: opt(10, string),
    hostNetwork: opt(11, bool),
    hostPID: opt(12, bool),
    hostIPC: opt(13, bool),
    imagePullSecrets: opt(15, list(LocalObjectReference), { mergeKey: 'name', strategy: 'merge' }),
    hostname: opt(16, string),
    subdomain: opt(17, string),
    affinity: ptr(18, Affinity),
    initContainers: opt(20, list(Container), { mergeKey: 'name', strategy: 'merge' }),
    automountServiceAccountToken: ptr(21, bool),
    securityContext: ptr(14, PodSecurityContext, { default: {} }),
    schedulerName: opt(19, string, { default: 'default-scheduler' }),
    tolerations: opt(22, list(Toleration)),
    hostAliases: opt(23, list(HostAlias), { mergeKey: 'ip', strategy: 'merge' }),
    priorityClassName: opt(24, string),
    priority: ptr(25, int32),
    dnsConfig: ptr(26, PodDNSConfig),
    shareProcessNamespace: ptr(27, bool),
    readinessGates: opt(28, list(PodReadinessGate)),
    runtimeClassName: ptr(29, string),
    enableServiceLinks: ptr(30, bool),
    preemptionPolicy: ptr(31, string),
    overhead: opt(32, map(quantity)),
    topologySpreadConstraints: opt(33, list(TopologySpreadConstraint), {
      list: 'map',
      keys: ['topologyKey', 'whenUnsatisfiable'],
      mergeKey: 'topologyKey',
      strategy: 'merge',
    }),
    ephemeralContainers: opt(34, list(EphemeralContainer), { mergeKey: 'name', strategy: 'merge' }),
    setHostnameAsFQDN: ptr(35, bool),
  },
  {
    settle(spec) {
      // `serviceAccount` is the older name of the same field.
      const account = spec.serviceAccountName ?? spec.serviceAccount;
      if (account !== undefined) spec.serviceAccountName = spec.serviceAccount = account;
    },
    defaults(spec) {
      roundResources(spec.overhead);
      if (!spec.hostNetwork) return;
      for (const container of [...(spec.containers ?? []), ...(spec.initContainers ?? [])])
        for (const port of container.ports ?? []) port.hostPort ??= port.containerPort;
    },
  },
);
export type PodSpec = Infer<typeof PodSpec>;

export const PodTemplateSpec = struct('api.core.v1.PodTemplateSpec', {
  metadata: opt(1, ObjectMeta),
  spec: opt(2, PodSpec),
});
export type PodTemplateSpec = Infer<typeof PodTemplateSpec>;
