import {
  always,
  bool,
  inline,
  int32,
  int64,
  list,
  map,
  named,
  nullable,
  opt,
  ptr,
  quantity,
  string,
  struct,
} from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { ObjectMeta } from '../meta/objectMeta.ts';
import { ObjectFieldSelector, ResourceFieldSelector } from './container.ts';
import { PersistentVolumeClaimSpec } from './persistentVolumeClaim.ts';
import { LocalObjectReference } from './references.ts';

export const AWSElasticBlockStoreVolumeSource = struct('api.core.v1.AWSElasticBlockStoreVolumeSource', {
  volumeID: always(1, string),
  fsType: opt(2, string),
  partition: opt(3, int32),
  readOnly: opt(4, bool),
});
export type AWSElasticBlockStoreVolumeSource = Infer<typeof AWSElasticBlockStoreVolumeSource>;

export const AzureDiskVolumeSource = struct('api.core.v1.AzureDiskVolumeSource', {
  diskName: always(1, string),
  diskURI: always(2, string, { goName: 'DataDiskURI' }),
  cachingMode: ptr(3, named('v1.AzureDataDiskCachingMode', string), { default: 'ReadWrite' }),
  fsType: ptr(4, string, { default: 'ext4' }),
  readOnly: ptr(5, bool, { default: false }),
  kind: ptr(6, named('v1.AzureDataDiskKind', string), { default: 'Shared' }),
});
export type AzureDiskVolumeSource = Infer<typeof AzureDiskVolumeSource>;

export const AzureFileVolumeSource = struct('api.core.v1.AzureFileVolumeSource', {
  secretName: always(1, string),
  shareName: always(2, string),
  readOnly: opt(3, bool),
});
export type AzureFileVolumeSource = Infer<typeof AzureFileVolumeSource>;

export const CSIVolumeSource = struct('api.core.v1.CSIVolumeSource', {
  driver: always(1, string),
  readOnly: ptr(2, bool),
  fsType: ptr(3, string),
  volumeAttributes: opt(4, map(string)),
  nodePublishSecretRef: ptr(5, LocalObjectReference),
});
export type CSIVolumeSource = Infer<typeof CSIVolumeSource>;

export const CephFSVolumeSource = struct('api.core.v1.CephFSVolumeSource', {
  monitors: always(1, list(string)),
  path: opt(2, string),
  user: opt(3, string),
  secretFile: opt(4, string),
  secretRef: ptr(5, LocalObjectReference),
  readOnly: opt(6, bool),
});
export type CephFSVolumeSource = Infer<typeof CephFSVolumeSource>;

export const CinderVolumeSource = struct('api.core.v1.CinderVolumeSource', {
  volumeID: always(1, string),
  fsType: opt(2, string),
  readOnly: opt(3, bool),
  secretRef: ptr(4, LocalObjectReference),
});
export type CinderVolumeSource = Infer<typeof CinderVolumeSource>;

export const KeyToPath = struct('api.core.v1.KeyToPath', {
  key: always(1, string),
  path: always(2, string),
  mode: ptr(3, int32),
});
export type KeyToPath = Infer<typeof KeyToPath>;

export const ConfigMapVolumeSource = struct('api.core.v1.ConfigMapVolumeSource', {
  ...inline(1, LocalObjectReference),
  items: opt(2, list(KeyToPath)),
  defaultMode: ptr(3, int32, { default: 0o644 }),
  optional: ptr(4, bool),
});
export type ConfigMapVolumeSource = Infer<typeof ConfigMapVolumeSource>;

export const ConfigMapProjection = struct('api.core.v1.ConfigMapProjection', {
  ...inline(1, LocalObjectReference),
  items: opt(2, list(KeyToPath)),
  optional: ptr(4, bool),
});
export type ConfigMapProjection = Infer<typeof ConfigMapProjection>;

export const DownwardAPIVolumeFile = struct('api.core.v1.DownwardAPIVolumeFile', {
  path: always(1, string),
  fieldRef: ptr(2, ObjectFieldSelector),
  resourceFieldRef: ptr(3, ResourceFieldSelector),
  mode: ptr(4, int32),
});
export type DownwardAPIVolumeFile = Infer<typeof DownwardAPIVolumeFile>;

export const DownwardAPIVolumeSource = struct('api.core.v1.DownwardAPIVolumeSource', {
  items: opt(1, list(DownwardAPIVolumeFile)),
  defaultMode: ptr(2, int32, { default: 0o644 }),
});
export type DownwardAPIVolumeSource = Infer<typeof DownwardAPIVolumeSource>;

export const DownwardAPIProjection = struct('api.core.v1.DownwardAPIProjection', {
  items: opt(1, list(DownwardAPIVolumeFile)),
});
export type DownwardAPIProjection = Infer<typeof DownwardAPIProjection>;

export const EmptyDirVolumeSource = struct('api.core.v1.EmptyDirVolumeSource', {
  medium: opt(1, named('v1.StorageMedium', string)),
  sizeLimit: ptr(2, quantity),
});
export type EmptyDirVolumeSource = Infer<typeof EmptyDirVolumeSource>;

export const PersistentVolumeClaimTemplate = struct('api.core.v1.PersistentVolumeClaimTemplate', {
  metadata: opt(1, ObjectMeta),
  spec: always(2, PersistentVolumeClaimSpec),
});
export type PersistentVolumeClaimTemplate = Infer<typeof PersistentVolumeClaimTemplate>;

export const EphemeralVolumeSource = struct('api.core.v1.EphemeralVolumeSource', {
  volumeClaimTemplate: ptr(1, PersistentVolumeClaimTemplate),
  readOnly: opt(2, bool),
});
export type EphemeralVolumeSource = Infer<typeof EphemeralVolumeSource>;

export const FCVolumeSource = struct('api.core.v1.FCVolumeSource', {
  targetWWNs: opt(1, list(string)),
  lun: ptr(2, int32),
  fsType: opt(3, string),
  readOnly: opt(4, bool),
  wwids: opt(5, list(string)),
});
export type FCVolumeSource = Infer<typeof FCVolumeSource>;

export const FlexVolumeSource = struct('api.core.v1.FlexVolumeSource', {
  driver: always(1, string),
  fsType: opt(2, string),
  secretRef: ptr(3, LocalObjectReference),
  readOnly: opt(4, bool),
  options: opt(5, map(string)),
});
export type FlexVolumeSource = Infer<typeof FlexVolumeSource>;

export const FlockerVolumeSource = struct('api.core.v1.FlockerVolumeSource', {
  datasetName: opt(1, string),
  datasetUUID: opt(2, string),
});
export type FlockerVolumeSource = Infer<typeof FlockerVolumeSource>;

export const GCEPersistentDiskVolumeSource = struct('api.core.v1.GCEPersistentDiskVolumeSource', {
  pdName: always(1, string),
  fsType: opt(2, string),
  partition: opt(3, int32),
  readOnly: opt(4, bool),
});
export type GCEPersistentDiskVolumeSource = Infer<typeof GCEPersistentDiskVolumeSource>;

export const GitRepoVolumeSource = struct('api.core.v1.GitRepoVolumeSource', {
  repository: always(1, string),
  revision: opt(2, string),
  directory: opt(3, string),
});
export type GitRepoVolumeSource = Infer<typeof GitRepoVolumeSource>;

export const GlusterfsVolumeSource = struct('api.core.v1.GlusterfsVolumeSource', {
  endpoints: always(1, string, { goName: 'EndpointsName' }),
  path: always(2, string),
  readOnly: opt(3, bool),
});
export type GlusterfsVolumeSource = Infer<typeof GlusterfsVolumeSource>;

export const HostPathVolumeSource = struct('api.core.v1.HostPathVolumeSource', {
  path: always(1, string),
  type: ptr(2, named('v1.HostPathType', string), { default: '' }),
});
export type HostPathVolumeSource = Infer<typeof HostPathVolumeSource>;

export const ISCSIVolumeSource = struct('api.core.v1.ISCSIVolumeSource', {
  targetPortal: always(1, string),
  iqn: always(2, string),
  lun: always(3, int32),
  iscsiInterface: opt(4, string, { default: 'default' }),
  fsType: opt(5, string),
  readOnly: opt(6, bool),
  portals: opt(7, list(string)),
  chapAuthDiscovery: opt(8, bool, { goName: 'DiscoveryCHAPAuth' }),
  chapAuthSession: opt(11, bool, { goName: 'SessionCHAPAuth' }),
  secretRef: ptr(10, LocalObjectReference),
  initiatorName: ptr(12, string),
});
export type ISCSIVolumeSource = Infer<typeof ISCSIVolumeSource>;

export const NFSVolumeSource = struct('api.core.v1.NFSVolumeSource', {
  server: always(1, string),
  path: always(2, string),
  readOnly: opt(3, bool),
});
export type NFSVolumeSource = Infer<typeof NFSVolumeSource>;

export const PersistentVolumeClaimVolumeSource = struct('api.core.v1.PersistentVolumeClaimVolumeSource', {
  claimName: always(1, string),
  readOnly: opt(2, bool),
});
export type PersistentVolumeClaimVolumeSource = Infer<typeof PersistentVolumeClaimVolumeSource>;

export const PhotonPersistentDiskVolumeSource = struct('api.core.v1.PhotonPersistentDiskVolumeSource', {
  pdID: always(1, string, { goName: 'PdID' }),
  fsType: opt(2, string),
});
export type PhotonPersistentDiskVolumeSource = Infer<typeof PhotonPersistentDiskVolumeSource>;

export const PortworxVolumeSource = struct('api.core.v1.PortworxVolumeSource', {
  volumeID: always(1, string),
  fsType: opt(2, string),
  readOnly: opt(3, bool),
});
export type PortworxVolumeSource = Infer<typeof PortworxVolumeSource>;

export const SecretVolumeSource = struct('api.core.v1.SecretVolumeSource', {
  secretName: opt(1, string),
  items: opt(2, list(KeyToPath)),
  defaultMode: ptr(3, int32, { default: 0o644 }),
  optional: ptr(4, bool),
});
export type SecretVolumeSource = Infer<typeof SecretVolumeSource>;

export const SecretProjection = struct('api.core.v1.SecretProjection', {
  ...inline(1, LocalObjectReference),
  items: opt(2, list(KeyToPath)),
  optional: ptr(4, bool),
});
export type SecretProjection = Infer<typeof SecretProjection>;

export const ServiceAccountTokenProjection = struct('api.core.v1.ServiceAccountTokenProjection', {
  audience: opt(1, string),
  expirationSeconds: ptr(2, int64, { default: 3600 }),
  path: always(3, string),
});
export type ServiceAccountTokenProjection = Infer<typeof ServiceAccountTokenProjection>;

export const VolumeProjection = struct('api.core.v1.VolumeProjection', {
  secret: ptr(1, SecretProjection),
  downwardAPI: ptr(2, DownwardAPIProjection),
  configMap: ptr(3, ConfigMapProjection),
  serviceAccountToken: ptr(4, ServiceAccountTokenProjection),
});
export type VolumeProjection = Infer<typeof VolumeProjection>;

export const ProjectedVolumeSource = struct('api.core.v1.ProjectedVolumeSource', {
  sources: always(1, list(VolumeProjection), { required: false }),
  defaultMode: ptr(2, int32, { default: 0o644 }),
});
export type ProjectedVolumeSource = Infer<typeof ProjectedVolumeSource>;

export const QuobyteVolumeSource = struct('api.core.v1.QuobyteVolumeSource', {
  registry: always(1, string),
  volume: always(2, string),
  readOnly: opt(3, bool),
  user: opt(4, string),
  group: opt(5, string),
  tenant: opt(6, string),
});
export type QuobyteVolumeSource = Infer<typeof QuobyteVolumeSource>;

export const RBDVolumeSource = struct('api.core.v1.RBDVolumeSource', {
  monitors: always(1, list(string), { goName: 'CephMonitors' }),
  image: always(2, string, { goName: 'RBDImage' }),
  fsType: opt(3, string),
  pool: opt(4, string, { goName: 'RBDPool', default: 'rbd' }),
  user: opt(5, string, { goName: 'RadosUser', default: 'admin' }),
  keyring: opt(6, string, { default: '/etc/ceph/keyring' }),
  secretRef: ptr(7, LocalObjectReference),
  readOnly: opt(8, bool),
});
export type RBDVolumeSource = Infer<typeof RBDVolumeSource>;

export const ScaleIOVolumeSource = struct('api.core.v1.ScaleIOVolumeSource', {
  gateway: always(1, string),
  system: always(2, string),
  secretRef: nullable(3, LocalObjectReference, { required: true }),
  sslEnabled: opt(4, bool),
  protectionDomain: opt(5, string),
  storagePool: opt(6, string),
  storageMode: opt(7, string, { default: 'ThinProvisioned' }),
  volumeName: opt(8, string),
  fsType: opt(9, string, { default: 'xfs' }),
  readOnly: opt(10, bool),
});
export type ScaleIOVolumeSource = Infer<typeof ScaleIOVolumeSource>;

export const StorageOSVolumeSource = struct('api.core.v1.StorageOSVolumeSource', {
  volumeName: opt(1, string),
  volumeNamespace: opt(2, string),
  fsType: opt(3, string),
  readOnly: opt(4, bool),
  secretRef: ptr(5, LocalObjectReference),
});
export type StorageOSVolumeSource = Infer<typeof StorageOSVolumeSource>;

export const VsphereVirtualDiskVolumeSource = struct('api.core.v1.VsphereVirtualDiskVolumeSource', {
  volumePath: always(1, string),
  fsType: opt(2, string),
  storagePolicyName: opt(3, string),
  storagePolicyID: opt(4, string),
});
export type VsphereVirtualDiskVolumeSource = Infer<typeof VsphereVirtualDiskVolumeSource>;

const VolumeSource = {
  name: 'api.core.v1.VolumeSource',
  fields: {
    hostPath: ptr(1, HostPathVolumeSource),
    emptyDir: ptr(2, EmptyDirVolumeSource),
    gcePersistentDisk: ptr(3, GCEPersistentDiskVolumeSource),
    awsElasticBlockStore: ptr(4, AWSElasticBlockStoreVolumeSource),
    gitRepo: ptr(5, GitRepoVolumeSource),
    secret: ptr(6, SecretVolumeSource),
    nfs: ptr(7, NFSVolumeSource),
    iscsi: ptr(8, ISCSIVolumeSource),
    glusterfs: ptr(9, GlusterfsVolumeSource),
    persistentVolumeClaim: ptr(10, PersistentVolumeClaimVolumeSource),
    rbd: ptr(11, RBDVolumeSource),
    flexVolume: ptr(12, FlexVolumeSource),
    cinder: ptr(13, CinderVolumeSource),
    cephfs: ptr(14, CephFSVolumeSource),
    flocker: ptr(15, FlockerVolumeSource),
    downwardAPI: ptr(16, DownwardAPIVolumeSource),
    fc: ptr(17, FCVolumeSource),
    azureFile: ptr(18, AzureFileVolumeSource),
    configMap: ptr(19, ConfigMapVolumeSource),
    vsphereVolume: ptr(20, VsphereVirtualDiskVolumeSource),
    quobyte: ptr(21, QuobyteVolumeSource),
    azureDisk: ptr(22, AzureDiskVolumeSource),
    photonPersistentDisk: ptr(23, PhotonPersistentDiskVolumeSource),
    projected: ptr(26, ProjectedVolumeSource),
    portworxVolume: ptr(24, PortworxVolumeSource),
    scaleIO: ptr(25, ScaleIOVolumeSource),
    storageos: ptr(27, StorageOSVolumeSource),
    csi: ptr(28, CSIVolumeSource),
    ephemeral: ptr(29, EphemeralVolumeSource),
  },
};

export const Volume = struct(
  'api.core.v1.Volume',
  {
    name: always(1, string),
    ...inline(2, VolumeSource),
  },
  {
    defaults(volume) {
      // A volume that says nothing else is an empty directory.
      if (Object.keys(volume).every((key) => key === 'name')) volume.emptyDir = {};
    },
  },
);
export type Volume = Infer<typeof Volume>;
