/** Feature gates: the stage of each, its default, and whether it has an effect here. */

import type { Reason } from './flags/help/reasons.ts';

export type GateStage = 'alpha' | 'beta' | 'ga' | 'deprecated';

export interface Gate {
  readonly stage: GateStage;
  readonly on: boolean;
  /** It can't be changed. */
  readonly locked?: true;
  /** Why it is accepted without effect; missing if it works. */
  readonly noEffect?: Reason;
}

const alpha = (on = false): Gate => ({ stage: 'alpha', on });
const beta = (on = true): Gate => ({ stage: 'beta', on });
const ga = (): Gate => ({ stage: 'ga', on: true });
const locked = (): Gate => ({ stage: 'ga', on: true, locked: true });
const deprecated = (on: boolean): Gate => ({ stage: 'deprecated', on });

type Gates = Readonly<Record<string, Gate>>;

/** Known gates without effect, with a common reason. */
const without = (noEffect: Reason, of: Gates): Gates =>
  Object.fromEntries(Object.entries(of).map(([name, gate]) => [name, { ...gate, noEffect }]));

const working: Gates = {
  APIServerIdentity: alpha(),
  AllAlpha: alpha(),
  AllBeta: beta(false),
  AnyVolumeDataSource: alpha(),
  APIListChunking: beta(),
  APIPriorityAndFairness: beta(),
  APIResponseCompression: beta(),
  BoundServiceAccountTokenVolume: alpha(),
  ConfigurableFSGroupPolicy: beta(),
  CSIInlineVolume: beta(),
  CSIServiceAccountToken: alpha(),
  CSIStorageCapacity: alpha(),
  CSIVolumeFSGroupPolicy: beta(),
  DynamicKubeletConfig: beta(),
  EndpointSlice: beta(),
  EndpointSliceNodeName: alpha(),
  EndpointSliceTerminatingCondition: alpha(),
  EphemeralContainers: alpha(),
  ExpandPersistentVolumes: beta(),
  GenericEphemeralVolume: alpha(),
  HPAContainerMetrics: alpha(),
  HPAScaleToZero: alpha(),
  ImmutableEphemeralVolumes: beta(),
  IPv6DualStack: alpha(),
  LegacyNodeRoleBehavior: beta(),
  LocalStorageCapacityIsolation: beta(),
  MixedProtocolLBService: alpha(),
  NodeDisruptionExclusion: beta(),
  NonPreemptingPriority: beta(),
  PodDisruptionBudget: beta(),
  PodOverhead: beta(),
  ProcMountType: alpha(),
  RemainingItemCount: beta(),
  RemoveSelfLink: beta(),
  RootCAConfigMap: beta(),
  RunAsGroup: beta(),
  ServerSideApply: beta(),
  ServiceAccountIssuerDiscovery: beta(),
  ServiceLBNodePortControl: alpha(),
  ServiceTopology: alpha(),
  SetHostnameAsFQDN: beta(),
  StorageVersionHash: beta(),
  Sysctls: beta(),
  TTLAfterFinished: alpha(),
  WarningHeaders: beta(),
};

const agents = without('nodes', {
  AppArmor: beta(),
  CPUManager: beta(),
  CRIContainerLogRotation: beta(),
  CustomCPUCFSQuotaPeriod: alpha(),
  DevicePlugins: beta(),
  DisableAcceleratorUsageMetrics: beta(),
  ExperimentalHostUserNamespaceDefaulting: beta(false),
  GracefulNodeShutdown: alpha(),
  KubeletCredentialProviders: alpha(),
  KubeletPodResources: beta(),
  LocalStorageCapacityIsolationFSQuotaMonitoring: alpha(),
  QOSReserved: alpha(),
  RotateKubeletServerCertificate: beta(),
  SizeMemoryBackedVolumes: alpha(),
  TopologyManager: beta(),
});

const volumes = without('volumes', {
  BalanceAttachedNodeVolumes: alpha(),
  CSIMigration: beta(),
  CSIMigrationAWS: beta(false),
  CSIMigrationAWSComplete: alpha(),
  CSIMigrationAzureDisk: beta(false),
  CSIMigrationAzureDiskComplete: alpha(),
  CSIMigrationAzureFile: alpha(),
  CSIMigrationAzureFileComplete: alpha(),
  CSIMigrationGCE: beta(false),
  CSIMigrationGCEComplete: alpha(),
  CSIMigrationOpenStack: beta(false),
  CSIMigrationOpenStackComplete: alpha(),
  CSIMigrationvSphere: beta(false),
  CSIMigrationvSphereComplete: beta(false),
  ExpandCSIVolumes: beta(),
  ExpandInUsePersistentVolumes: beta(),
});

const network = without('packets', {
  AllowInsecureBackendProxy: beta(),
  EndpointSliceProxying: beta(),
  ServiceNodeExclusion: beta(),
  ValidateProxyRedirects: beta(),
  WinDSR: alpha(),
  WinOverlay: beta(),
  WindowsEndpointSliceProxying: alpha(),
});

const alwaysOn = without('alwaysOn', {
  DefaultPodTopologySpread: beta(),
  HugePageStorageMediumSize: beta(),
});

const alwaysOff = without('alwaysOff', {
  CronJobControllerV2: alpha(),
  DownwardAPIHugePages: alpha(),
  EfficientWatchResumption: alpha(),
  StorageVersionAPI: alpha(),
});

/** Removed gates; the reference still accepts their names. */
const general = without('general', {
  AdvancedAuditing: ga(),
  AttachVolumeLimit: locked(),
  BlockVolume: locked(),
  CSIBlockVolume: locked(),
  CSIDriverRegistry: locked(),
  CSINodeInfo: locked(),
  DryRun: ga(),
  EvenPodsSpread: locked(),
  ExecProbeTimeout: ga(),
  ExternalPolicyForExternalIP: locked(),
  NodeLease: locked(),
  RotateKubeletClientCertificate: locked(),
  RuntimeClass: locked(),
  SCTPSupport: locked(),
  SelectorIndex: locked(),
  ServiceAppProtocol: locked(),
  StartupProbe: locked(),
  StorageObjectInUseProtection: ga(),
  SupportNodePidsLimit: locked(),
  SupportPodPidsLimit: locked(),
  TaintBasedEvictions: locked(),
  TokenRequest: locked(),
  TokenRequestProjection: locked(),
  VolumePVCDataSource: locked(),
  VolumeSnapshotDataSource: locked(),
  VolumeSubpath: ga(),
  WindowsGMSA: locked(),
  WindowsRunAsUserName: locked(),
});

const leaving = without('leaving', {
  HyperVContainer: deprecated(false),
  StreamingProxyRedirects: deprecated(true),
});

export const gates: Gates = {
  ...working,
  ...agents,
  ...volumes,
  ...network,
  ...alwaysOn,
  ...alwaysOff,
  ...general,
  ...leaving,
};
