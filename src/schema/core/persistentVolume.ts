import {
  always,
  bool,
  inline,
  int32,
  list,
  map,
  nullable,
  opt,
  ptr,
  quantity,
  string,
  struct,
} from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { roundResources } from './resourceList.ts';
import { object } from '../meta/object.ts';
import { NodeSelector } from './affinity.ts';
import { ObjectReference, SecretReference } from './references.ts';
import {
  AWSElasticBlockStoreVolumeSource,
  AzureDiskVolumeSource,
  FCVolumeSource,
  FlockerVolumeSource,
  GCEPersistentDiskVolumeSource,
  HostPathVolumeSource,
  NFSVolumeSource,
  PhotonPersistentDiskVolumeSource,
  PortworxVolumeSource,
  QuobyteVolumeSource,
  VsphereVirtualDiskVolumeSource,
} from './volumes.ts';

export const AzureFilePersistentVolumeSource = struct('api.core.v1.AzureFilePersistentVolumeSource', {
  secretName: always(1, string),
  shareName: always(2, string),
  readOnly: opt(3, bool),
  secretNamespace: nullable(4, string),
});
export type AzureFilePersistentVolumeSource = Infer<typeof AzureFilePersistentVolumeSource>;

export const CSIPersistentVolumeSource = struct('api.core.v1.CSIPersistentVolumeSource', {
  driver: always(1, string),
  volumeHandle: always(2, string),
  readOnly: opt(3, bool),
  fsType: opt(4, string),
  volumeAttributes: opt(5, map(string)),
  controllerPublishSecretRef: ptr(6, SecretReference),
  nodeStageSecretRef: ptr(7, SecretReference),
  nodePublishSecretRef: ptr(8, SecretReference),
  controllerExpandSecretRef: ptr(9, SecretReference),
});
export type CSIPersistentVolumeSource = Infer<typeof CSIPersistentVolumeSource>;

export const CephFSPersistentVolumeSource = struct('api.core.v1.CephFSPersistentVolumeSource', {
  monitors: always(1, list(string)),
  path: opt(2, string),
  user: opt(3, string),
  secretFile: opt(4, string),
  secretRef: ptr(5, SecretReference),
  readOnly: opt(6, bool),
});
export type CephFSPersistentVolumeSource = Infer<typeof CephFSPersistentVolumeSource>;

export const CinderPersistentVolumeSource = struct('api.core.v1.CinderPersistentVolumeSource', {
  volumeID: always(1, string),
  fsType: opt(2, string),
  readOnly: opt(3, bool),
  secretRef: ptr(4, SecretReference),
});
export type CinderPersistentVolumeSource = Infer<typeof CinderPersistentVolumeSource>;

export const FlexPersistentVolumeSource = struct('api.core.v1.FlexPersistentVolumeSource', {
  driver: always(1, string),
  fsType: opt(2, string),
  secretRef: ptr(3, SecretReference),
  readOnly: opt(4, bool),
  options: opt(5, map(string)),
});
export type FlexPersistentVolumeSource = Infer<typeof FlexPersistentVolumeSource>;

export const GlusterfsPersistentVolumeSource = struct('api.core.v1.GlusterfsPersistentVolumeSource', {
  endpoints: always(1, string),
  path: always(2, string),
  readOnly: opt(3, bool),
  endpointsNamespace: ptr(4, string),
});
export type GlusterfsPersistentVolumeSource = Infer<typeof GlusterfsPersistentVolumeSource>;

export const ISCSIPersistentVolumeSource = struct('api.core.v1.ISCSIPersistentVolumeSource', {
  targetPortal: always(1, string),
  iqn: always(2, string),
  lun: always(3, int32),
  iscsiInterface: opt(4, string, { default: 'default' }),
  fsType: opt(5, string),
  readOnly: opt(6, bool),
  portals: opt(7, list(string)),
  chapAuthDiscovery: opt(8, bool),
  chapAuthSession: opt(11, bool),
  secretRef: ptr(10, SecretReference),
  initiatorName: ptr(12, string),
});
export type ISCSIPersistentVolumeSource = Infer<typeof ISCSIPersistentVolumeSource>;

export const LocalVolumeSource = struct('api.core.v1.LocalVolumeSource', {
  path: always(1, string),
  fsType: ptr(2, string),
});
export type LocalVolumeSource = Infer<typeof LocalVolumeSource>;

export const RBDPersistentVolumeSource = struct('api.core.v1.RBDPersistentVolumeSource', {
  monitors: always(1, list(string)),
  image: always(2, string),
  fsType: opt(3, string),
  pool: opt(4, string, { default: 'rbd' }),
  user: opt(5, string, { default: 'admin' }),
  keyring: opt(6, string, { default: '/etc/ceph/keyring' }),
  secretRef: ptr(7, SecretReference),
  readOnly: opt(8, bool),
});
export type RBDPersistentVolumeSource = Infer<typeof RBDPersistentVolumeSource>;

export const ScaleIOPersistentVolumeSource = struct('api.core.v1.ScaleIOPersistentVolumeSource', {
  gateway: always(1, string),
  system: always(2, string),
  secretRef: nullable(3, SecretReference, { required: true }),
  sslEnabled: opt(4, bool),
  protectionDomain: opt(5, string),
  storagePool: opt(6, string),
  storageMode: opt(7, string, { default: 'ThinProvisioned' }),
  volumeName: opt(8, string),
  fsType: opt(9, string, { default: 'xfs' }),
  readOnly: opt(10, bool),
});
export type ScaleIOPersistentVolumeSource = Infer<typeof ScaleIOPersistentVolumeSource>;

export const StorageOSPersistentVolumeSource = struct('api.core.v1.StorageOSPersistentVolumeSource', {
  volumeName: opt(1, string),
  volumeNamespace: opt(2, string),
  fsType: opt(3, string),
  readOnly: opt(4, bool),
  secretRef: ptr(5, ObjectReference),
});
export type StorageOSPersistentVolumeSource = Infer<typeof StorageOSPersistentVolumeSource>;

export const VolumeNodeAffinity = struct('api.core.v1.VolumeNodeAffinity', {
  required: ptr(1, NodeSelector),
});
export type VolumeNodeAffinity = Infer<typeof VolumeNodeAffinity>;

const PersistentVolumeSource = {
  fields: {
    gcePersistentDisk: ptr(1, GCEPersistentDiskVolumeSource),
    awsElasticBlockStore: ptr(2, AWSElasticBlockStoreVolumeSource),
    hostPath: ptr(3, HostPathVolumeSource),
    glusterfs: ptr(4, GlusterfsPersistentVolumeSource),
    nfs: ptr(5, NFSVolumeSource),
    rbd: ptr(6, RBDPersistentVolumeSource),
    iscsi: ptr(7, ISCSIPersistentVolumeSource),
    cinder: ptr(8, CinderPersistentVolumeSource),
    cephfs: ptr(9, CephFSPersistentVolumeSource),
    fc: ptr(10, FCVolumeSource),
    flocker: ptr(11, FlockerVolumeSource),
    flexVolume: ptr(12, FlexPersistentVolumeSource),
    azureFile: ptr(13, AzureFilePersistentVolumeSource),
    vsphereVolume: ptr(14, VsphereVirtualDiskVolumeSource),
    quobyte: ptr(15, QuobyteVolumeSource),
    azureDisk: ptr(16, AzureDiskVolumeSource),
    photonPersistentDisk: ptr(17, PhotonPersistentDiskVolumeSource),
    portworxVolume: ptr(18, PortworxVolumeSource),
    scaleIO: ptr(19, ScaleIOPersistentVolumeSource),
    local: ptr(20, LocalVolumeSource),
    storageos: ptr(21, StorageOSPersistentVolumeSource),
    csi: ptr(22, CSIPersistentVolumeSource),
  },
};

export const PersistentVolumeSpec = struct(
  'api.core.v1.PersistentVolumeSpec',
  {
    capacity: opt(1, map(quantity)),
    ...inline(2, PersistentVolumeSource),
    accessModes: opt(3, list(string)),
    claimRef: ptr(4, ObjectReference),
    persistentVolumeReclaimPolicy: opt(5, string, { default: 'Retain' }),
    storageClassName: opt(6, string),
    mountOptions: opt(7, list(string)),
    volumeMode: ptr(8, string, { default: 'Filesystem' }),
    nodeAffinity: ptr(9, VolumeNodeAffinity),
  },
  {
    defaults(spec) {
      roundResources(spec.capacity);
    },
  },
);
export type PersistentVolumeSpec = Infer<typeof PersistentVolumeSpec>;

export const PersistentVolumeStatus = struct('api.core.v1.PersistentVolumeStatus', {
  phase: opt(1, string, { default: 'Pending' }),
  message: opt(2, string),
  reason: opt(3, string),
});
export type PersistentVolumeStatus = Infer<typeof PersistentVolumeStatus>;

export const PersistentVolume = object('api.core.v1.PersistentVolume', {
  spec: opt(2, PersistentVolumeSpec),
  status: opt(3, PersistentVolumeStatus),
});
export type PersistentVolume = Infer<typeof PersistentVolume>;
