/** The TypeScript types of what this folder declares, for rooms that work on objects; `../objects.ts` gathers them. */
export type {
  NodeSelectorRequirement,
  NodeSelectorTerm,
  NodeSelector,
  PreferredSchedulingTerm,
  NodeAffinity,
  PodAffinityTerm,
  WeightedPodAffinityTerm,
  PodAffinity,
  PodAntiAffinity,
  Affinity,
  Toleration,
  TopologySpreadConstraint,
} from './affinity.ts';
export type { Binding } from './binding.ts';
export type { ComponentCondition, ComponentStatus } from './componentStatus.ts';
export type { ConfigMap } from './configMap.ts';
export type {
  ContainerPort,
  ConfigMapEnvSource,
  ConfigMapKeySelector,
  SecretEnvSource,
  SecretKeySelector,
  ObjectFieldSelector,
  ResourceFieldSelector,
  EnvVarSource,
  EnvVar,
  EnvFromSource,
  ResourceRequirements,
  VolumeMount,
  VolumeDevice,
  ExecAction,
  HTTPHeader,
  HTTPGetAction,
  TCPSocketAction,
  Handler,
  Probe,
  Lifecycle,
  Container,
  EphemeralContainer,
} from './container.ts';
export type {
  ContainerStateWaiting,
  ContainerStateRunning,
  ContainerStateTerminated,
  ContainerState,
  ContainerStatus,
} from './containerStatus.ts';
export type { EndpointAddress, EndpointPort, EndpointSubset, Endpoints } from './endpoints.ts';
export type { EventSource, EventSeries, Event, EventSeriesV1, EventV1 } from './event.ts';
export type { LimitRangeItem, LimitRangeSpec, LimitRange } from './limitRange.ts';
export type { PortStatus, LoadBalancerIngress, LoadBalancerStatus } from './loadBalancer.ts';
export type { NamespaceCondition, NamespaceSpec, NamespaceStatus, Namespace } from './namespace.ts';
export type {
  Taint,
  ConfigMapNodeConfigSource,
  NodeConfigSource,
  NodeConfigStatus,
  NodeSpec,
  NodeAddress,
  NodeCondition,
  DaemonEndpoint,
  NodeDaemonEndpoints,
  NodeSystemInfo,
  ContainerImage,
  AttachedVolume,
  NodeStatus,
  Node,
} from './node.ts';
export type {
  AzureFilePersistentVolumeSource,
  CSIPersistentVolumeSource,
  CephFSPersistentVolumeSource,
  CinderPersistentVolumeSource,
  FlexPersistentVolumeSource,
  GlusterfsPersistentVolumeSource,
  ISCSIPersistentVolumeSource,
  LocalVolumeSource,
  RBDPersistentVolumeSource,
  ScaleIOPersistentVolumeSource,
  StorageOSPersistentVolumeSource,
  VolumeNodeAffinity,
  PersistentVolumeSpec,
  PersistentVolumeStatus,
  PersistentVolume,
} from './persistentVolume.ts';
export type {
  PersistentVolumeClaimSpec,
  PersistentVolumeClaimCondition,
  PersistentVolumeClaimStatus,
  PersistentVolumeClaim,
} from './persistentVolumeClaim.ts';
export type { PodCondition, PodIP, PodStatus, Pod } from './pod.ts';
export type {
  HostAlias,
  PodDNSConfigOption,
  PodDNSConfig,
  PodReadinessGate,
  PodSpec,
  PodTemplateSpec,
} from './podSpec.ts';
export type { PodTemplate } from './podTemplate.ts';
export type {
  LocalObjectReference,
  ObjectReference,
  SecretReference,
  TypedLocalObjectReference,
} from './references.ts';
export type {
  ReplicationControllerSpec,
  ReplicationControllerCondition,
  ReplicationControllerStatus,
  ReplicationController,
} from './replicationController.ts';
export type {
  ScopedResourceSelectorRequirement,
  ScopeSelector,
  ResourceQuotaSpec,
  ResourceQuotaStatus,
  ResourceQuota,
} from './resourceQuota.ts';
export type { Secret } from './secret.ts';
export type {
  Capabilities,
  SELinuxOptions,
  SeccompProfile,
  WindowsSecurityContextOptions,
  Sysctl,
  SecurityContext,
  PodSecurityContext,
} from './securityContext.ts';
export type {
  ServicePort,
  ClientIPConfig,
  SessionAffinityConfig,
  ServiceSpec,
  ServiceStatus,
  Service,
} from './service.ts';
export type { ServiceAccount } from './serviceAccount.ts';
export type { TopologySelectorLabelRequirement, TopologySelectorTerm } from './topology.ts';
export type {
  AWSElasticBlockStoreVolumeSource,
  AzureDiskVolumeSource,
  AzureFileVolumeSource,
  CSIVolumeSource,
  CephFSVolumeSource,
  CinderVolumeSource,
  KeyToPath,
  ConfigMapVolumeSource,
  ConfigMapProjection,
  DownwardAPIVolumeFile,
  DownwardAPIVolumeSource,
  DownwardAPIProjection,
  EmptyDirVolumeSource,
  PersistentVolumeClaimTemplate,
  EphemeralVolumeSource,
  FCVolumeSource,
  FlexVolumeSource,
  FlockerVolumeSource,
  GCEPersistentDiskVolumeSource,
  GitRepoVolumeSource,
  GlusterfsVolumeSource,
  HostPathVolumeSource,
  ISCSIVolumeSource,
  NFSVolumeSource,
  PersistentVolumeClaimVolumeSource,
  PhotonPersistentDiskVolumeSource,
  PortworxVolumeSource,
  SecretVolumeSource,
  SecretProjection,
  ServiceAccountTokenProjection,
  VolumeProjection,
  ProjectedVolumeSource,
  QuobyteVolumeSource,
  RBDVolumeSource,
  ScaleIOVolumeSource,
  StorageOSVolumeSource,
  VsphereVirtualDiskVolumeSource,
  Volume,
} from './volumes.ts';
