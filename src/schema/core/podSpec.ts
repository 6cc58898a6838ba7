import { always, bool, int32, int64, list, map, named, opt, ptr, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { ResourceList, roundResources } from './resourceList.ts';
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
  conditionType: always(1, named('v1.PodConditionType', string)),
});
export type PodReadinessGate = Infer<typeof PodReadinessGate>;

export const PodSpec = struct(
  'api.core.v1.PodSpec',
  {
    volumes: opt(1, list(Volume), {
      mergeKey: 'name',
      strategy: 'merge,retainKeys',
      doc: 'Volumes that containers can mount.',
    }),
    initContainers: opt(20, list(Container), {
      mergeKey: 'name',
      strategy: 'merge',
      doc: 'Containers that run to their end one after the other, before the others start.',
    }),
    containers: always(2, list(Container), {
      mergeKey: 'name',
      strategy: 'merge',
      doc: 'Containers that run side by side.',
    }),
    ephemeralContainers: opt(34, list(EphemeralContainer), {
      mergeKey: 'name',
      strategy: 'merge',
      doc: 'Containers added to look into a pod that runs.',
    }),
    restartPolicy: opt(3, named('v1.RestartPolicy', string), {
      default: 'Always',
      doc: 'Whether containers are started again when they end: `Always`, `OnFailure` or `Never`.',
    }),
    terminationGracePeriodSeconds: ptr(4, int64, { default: 30, doc: 'Seconds that containers have to end in order.' }),
    activeDeadlineSeconds: ptr(5, int64, { doc: 'Seconds after which the pod is ended.' }),
    dnsPolicy: opt(6, named('v1.DNSPolicy', string), {
      default: 'ClusterFirst',
      doc: 'How names are looked up: `ClusterFirst`, `ClusterFirstWithHostNet`, `Default` or `None`.',
    }),
    nodeSelector: opt(7, map(string), { doc: 'Labels that the node has to have.' }),
    serviceAccountName: opt(8, string, { doc: 'Service account as which the pod acts.' }),
    serviceAccount: opt(9, string, {
      goName: 'DeprecatedServiceAccount',
      doc: 'Older name of serviceAccountName.',
    }),
    automountServiceAccountToken: ptr(21, bool, { doc: "Whether the account's token is mounted." }),
    nodeName: opt(10, string, { doc: 'Node on which the pod runs; the scheduler fills it in.' }),
    hostNetwork: opt(11, bool, { doc: "Whether the pod uses the node's network." }),
    hostPID: opt(12, bool, { doc: "Whether the pod sees the node's processes." }),
    hostIPC: opt(13, bool, { doc: "Whether the pod shares the node's memory for communication." }),
    shareProcessNamespace: ptr(27, bool, { doc: "Whether the containers see each other's processes." }),
    securityContext: ptr(14, PodSecurityContext, { default: {}, doc: 'Security settings for all containers.' }),
    imagePullSecrets: opt(15, list(LocalObjectReference), {
      mergeKey: 'name',
      strategy: 'merge',
      doc: 'Secrets for fetching images.',
    }),
    hostname: opt(16, string, { doc: 'Host name of the pod.' }),
    subdomain: opt(17, string, { doc: 'Subdomain of the host name.' }),
    affinity: ptr(18, Affinity, {
      doc: 'On which nodes, and with or away from which pods, the pod would like to run.',
    }),
    schedulerName: opt(19, string, { default: 'default-scheduler', doc: 'Scheduler that places the pod.' }),
    tolerations: opt(22, list(Toleration), { doc: 'Taints of nodes that the pod puts up with.' }),
    hostAliases: opt(23, list(HostAlias), {
      mergeKey: 'ip',
      strategy: 'merge',
      doc: "Lines for the pod's hosts file.",
    }),
    priorityClassName: opt(24, string, { doc: 'Class that decides the priority.' }),
    priority: ptr(25, int32, { doc: 'Priority of the pod; filled in from its class.' }),
    dnsConfig: ptr(26, PodDNSConfig, { doc: 'Settings for looking up names.' }),
    readinessGates: opt(28, list(PodReadinessGate), {
      doc: 'Conditions beside its containers that the pod waits for.',
    }),
    runtimeClassName: ptr(29, string, { doc: 'Class of the container runtime.' }),
    enableServiceLinks: ptr(30, bool, { doc: 'Whether services are told to containers in variables.' }),
    preemptionPolicy: ptr(31, named('v1.PreemptionPolicy', string), {
      doc: 'Whether pods of lower priority may have to go: `PreemptLowerPriority` or `Never`.',
    }),
    overhead: opt(32, ResourceList, { doc: 'Resources that the runtime itself takes.' }),
    topologySpreadConstraints: opt(33, list(TopologySpreadConstraint), {
      list: 'map',
      keys: ['topologyKey', 'whenUnsatisfiable'],
      mergeKey: 'topologyKey',
      strategy: 'merge',
      doc: 'How evenly pods are spread.',
    }),
    setHostnameAsFQDN: ptr(35, bool, { doc: 'Whether the host name is the full name.' }),
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
    doc: 'What is wanted of a pod.',
  },
);
export type PodSpec = Infer<typeof PodSpec>;

export const PodTemplateSpec = struct(
  'api.core.v1.PodTemplateSpec',
  {
    metadata: opt(1, ObjectMeta, { doc: 'Metadata of the pods.' }),
    spec: opt(2, PodSpec, { doc: 'What is wanted of the pods.' }),
  },
  { doc: 'What a pod looks like when it is made.' },
);
export type PodTemplateSpec = Infer<typeof PodTemplateSpec>;
