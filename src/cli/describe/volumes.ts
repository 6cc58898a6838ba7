/** Volumes, by a table of their sources: each with its title and what is shown of it. */
import { compareQuantities, type objects } from '../../schema/index.ts';
import { getOwn, isObject } from '../../std/index.ts';
import { claimLines } from './claims.ts';
import { field, goList, indent, NONE, sortedEntries, UNSET, type Line } from './lines.ts';

type Values = Readonly<Record<string, unknown>>;

/** What is shown: by its label a key, or how the text is made. */
type Shown = Readonly<Record<string, string | ((source: Values) => unknown)>>;

interface Source {
  readonly title: string;
  readonly shown: Shown;
  /** Lines after the fields. */
  readonly more?: (source: Values) => readonly Line[];
}

const reference = (value: unknown): string => {
  if (!isObject(value)) return 'nil';
  const namespaced = 'namespace' in value ? `Namespace:${String(value.namespace)},` : '';
  const type = 'namespace' in value ? 'SecretReference' : 'LocalObjectReference';
  return `&${type}{Name:${String(value.name ?? '')},${namespaced}}`;
};
const listed = (value: unknown): string => goList(Array.isArray(value) ? (value as unknown[]) : []);
const mapped = (value: unknown): string =>
  `map[${
    isObject(value)
      ? sortedEntries(value)
          .map(([key, each]) => `${key}:${String(each)}`)
          .join(' ')
      : ''
  }]`;
const flag =
  (key: string) =>
  (source: Values): boolean =>
    getOwn(source, key) === true;
const number =
  (key: string) =>
  (source: Values): unknown =>
    getOwn(source, key) ?? 0;
const readOnly = { ReadOnly: flag('readOnly') };
const fsType = { FSType: 'fsType' };
const secretRef = { SecretRef: ({ secretRef: ref }: Values): string => reference(ref) };

/** A claim's own lines, for volumes that make their claim themselves. */
const ephemeral = ({ volumeClaimTemplate, readOnly: only }: Values): readonly Line[] => [
  ...(isObject(volumeClaimTemplate) ? claimLines(volumeClaimTemplate as objects.PersistentVolumeClaim, false) : []),
  field('ReadOnly', only === true),
];

const CSI_ATTRIBUTES = ({ volumeAttributes }: Values): readonly Line[] => {
  const lines = isObject(volumeAttributes)
    ? sortedEntries(volumeAttributes).map(([key, value]) => `${key}=${String(value)}`)
    : [];
  if (lines.length === 0) return [field('VolumeAttributes', NONE)];
  return lines.map((line, i) => (i === 0 ? field('VolumeAttributes', `    ${line}`) : `    \t    ${line}`));
};

const secretField =
  (name: string) =>
  ({ secretRef }: Values): unknown =>
    isObject(secretRef) ? (getOwn(secretRef, name) ?? '') : '';

/** The secret of one in a persistent volume has a namespace, and is shown. */
const scaleIO = (secret: Source['shown'] = {}): Source => ({
  title: 'ScaleIO (a persistent volume backed by a block device in ScaleIO)',
  shown: {
    Gateway: 'gateway',
    System: 'system',
    'Protection Domain': 'protectionDomain',
    'Storage Pool': 'storagePool',
    'Storage Mode': 'storageMode',
    VolumeName: 'volumeName',
    ...secret,
    ...fsType,
    ...readOnly,
  },
});

/** In the order in which the reference looks for them. */
const SOURCES: Readonly<Record<string, Source>> = {
  hostPath: {
    title: 'HostPath (bare host directory volume)',
    shown: { Path: 'path', HostPathType: ({ type }) => type ?? NONE },
  },
  emptyDir: {
    title: "EmptyDir (a temporary directory that shares a pod's lifetime)",
    shown: { Medium: 'medium', SizeLimit: ({ sizeLimit }) => (isPositive(sizeLimit) ? sizeLimit : UNSET) },
  },
  gcePersistentDisk: {
    title: 'GCEPersistentDisk (a Persistent Disk resource in Google Compute Engine)',
    shown: { PDName: 'pdName', ...fsType, Partition: number('partition'), ...readOnly },
  },
  awsElasticBlockStore: {
    title: 'AWSElasticBlockStore (a Persistent Disk resource in AWS)',
    shown: { VolumeID: 'volumeID', ...fsType, Partition: number('partition'), ...readOnly },
  },
  gitRepo: {
    title: 'GitRepo (a volume that is pulled from git when the pod is created)',
    shown: { Repository: 'repository', Revision: 'revision' },
  },
  secret: {
    title: 'Secret (a volume populated by a Secret)',
    shown: { SecretName: 'secretName', Optional: flag('optional') },
  },
  configMap: {
    title: 'ConfigMap (a volume populated by a ConfigMap)',
    shown: { Name: 'name', Optional: flag('optional') },
  },
  nfs: {
    title: 'NFS (an NFS mount that lasts the lifetime of a pod)',
    shown: { Server: 'server', Path: 'path', ...readOnly },
  },
  iscsi: {
    title: "ISCSI (an ISCSI Disk resource that is attached to a kubelet's host machine and then exposed to the pod)",
    shown: {
      TargetPortal: 'targetPortal',
      IQN: 'iqn',
      Lun: number('lun'),
      ISCSIInterface: 'iscsiInterface',
      ...fsType,
      ...readOnly,
      Portals: ({ portals }) => listed(portals),
      DiscoveryCHAPAuth: flag('chapAuthDiscovery'),
      SessionCHAPAuth: flag('chapAuthSession'),
      ...secretRef,
      InitiatorName: ({ initiatorName }) => initiatorName ?? NONE,
    },
  },
  glusterfs: {
    title: "Glusterfs (a Glusterfs mount on the host that shares a pod's lifetime)",
    shown: { EndpointsName: 'endpoints', Path: 'path', ...readOnly },
  },
  persistentVolumeClaim: {
    title: 'PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)',
    shown: { ClaimName: 'claimName', ...readOnly },
  },
  ephemeral: {
    title: 'EphemeralVolume (an inline specification for a volume that gets created and deleted with the pod)',
    shown: {},
    more: ephemeral,
  },
  rbd: {
    title: "RBD (a Rados Block Device mount on the host that shares a pod's lifetime)",
    shown: {
      CephMonitors: ({ monitors }) => listed(monitors),
      RBDImage: 'image',
      ...fsType,
      RBDPool: 'pool',
      RadosUser: 'user',
      Keyring: 'keyring',
      ...secretRef,
      ...readOnly,
    },
  },
  quobyte: {
    title: "Quobyte (a Quobyte mount on the host that shares a pod's lifetime)",
    shown: { Registry: 'registry', Volume: 'volume', ...readOnly },
  },
  downwardAPI: {
    title: 'DownwardAPI (a volume populated by information about the pod)',
    shown: {},
    more: ({ items }) => ['Items:', ...indent(1, itemsOf(items).map(downwardLine))],
  },
  azureDisk: {
    title: 'AzureDisk (an Azure Data Disk mount on the host and bind mount to the pod)',
    shown: {
      DiskName: 'diskName',
      DiskURI: 'diskURI',
      Kind: ({ kind }) => kind ?? '',
      ...fsType,
      CachingMode: 'cachingMode',
      ...readOnly,
    },
  },
  vsphereVolume: {
    title: 'vSphereVolume (a Persistent Disk resource in vSphere)',
    shown: { VolumePath: 'volumePath', ...fsType, StoragePolicyName: 'storagePolicyName' },
  },
  cinder: {
    title: 'Cinder (a Persistent Disk resource in OpenStack)',
    shown: { VolumeID: 'volumeID', ...fsType, ...readOnly, ...secretRef },
  },
  photonPersistentDisk: {
    title: 'PhotonPersistentDisk (a Persistent Disk resource in photon platform)',
    shown: { PdID: 'pdID', ...fsType },
  },
  portworxVolume: { title: 'PortworxVolume (a Portworx Volume resource)', shown: { VolumeID: 'volumeID' } },
  scaleIO: scaleIO(),
  local: { title: 'LocalVolume (a persistent volume backed by local storage on a node)', shown: { Path: 'path' } },
  cephfs: {
    title: "CephFS (a CephFS mount on the host that shares a pod's lifetime)",
    shown: {
      Monitors: ({ monitors }) => listed(monitors),
      Path: 'path',
      User: 'user',
      SecretFile: 'secretFile',
      ...secretRef,
      ...readOnly,
    },
  },
  storageos: {
    title: 'StorageOS (a StorageOS Persistent Disk resource)',
    shown: { VolumeName: 'volumeName', VolumeNamespace: 'volumeNamespace', ...fsType, ...readOnly },
  },
  fc: {
    title: 'FC (a Fibre Channel disk)',
    shown: {
      TargetWWNs: ({ targetWWNs }) => (Array.isArray(targetWWNs) ? targetWWNs.join(', ') : ''),
      LUN: ({ lun }) => lun ?? NONE,
      ...fsType,
      ...readOnly,
    },
  },
  azureFile: {
    title: 'AzureFile (an Azure File Service mount on the host and bind mount to the pod)',
    shown: { SecretName: 'secretName', ShareName: 'shareName', ...readOnly },
  },
  flexVolume: {
    title: 'FlexVolume (a generic volume resource that is provisioned/attached using an exec based plugin)',
    shown: { Driver: 'driver', ...fsType, ...secretRef, ...readOnly, Options: ({ options }) => mapped(options) },
  },
  flocker: {
    title: 'Flocker (a Flocker volume mounted by the Flocker agent)',
    shown: { DatasetName: 'datasetName', DatasetUUID: 'datasetUUID' },
  },
  projected: {
    title: 'Projected (a volume that contains injected data from multiple sources)',
    shown: {},
    more: ({ sources }) => itemsOf(sources).flatMap(projectionLines),
  },
  csi: {
    title: 'CSI (a Container Storage Interface (CSI) volume source)',
    shown: { Driver: 'driver', ...fsType, ...readOnly },
    more: CSI_ATTRIBUTES,
  },
};

/** Sources that show more in a persistent volume, which names the namespaces of what it refers to. */
const PERSISTENT: Readonly<Record<string, Source>> = {
  scaleIO: scaleIO({ SecretName: secretField('name'), SecretNamespace: secretField('namespace') }),
  glusterfs: {
    title: "Glusterfs (a Glusterfs mount on the host that shares a pod's lifetime)",
    shown: {
      EndpointsName: 'endpoints',
      EndpointsNamespace: ({ endpointsNamespace }) => endpointsNamespace ?? UNSET,
      Path: 'path',
      ...readOnly,
    },
  },
  azureFile: {
    title: 'AzureFile (an Azure File Service mount on the host and bind mount to the pod)',
    shown: { SecretName: 'secretName', SecretNamespace: 'secretNamespace', ShareName: 'shareName', ...readOnly },
  },
  csi: {
    title: 'CSI (a Container Storage Interface (CSI) volume source)',
    shown: { Driver: 'driver', ...fsType, VolumeHandle: 'volumeHandle', ...readOnly },
    more: CSI_ATTRIBUTES,
  },
};

const isPositive = (value: unknown): boolean => typeof value === 'string' && compareQuantities(value, '0') > 0;
const itemsOf = (value: unknown): readonly Values[] => (Array.isArray(value) ? value.filter(isObject) : []);

function downwardLine({ fieldRef, resourceFieldRef, path }: Values): Line {
  const from = isObject(fieldRef) ? fieldRef.fieldPath : isObject(resourceFieldRef) ? resourceFieldRef.resource : '';
  return `${String(from)} -> ${String(path)}`;
}

function projectionLines({ secret, downwardAPI, configMap, serviceAccountToken }: Values): readonly Line[] {
  const optional = ({ optional: value }: Values): string => (value === undefined ? '<nil>' : String(value));
  if (isObject(secret)) return [field('SecretName', secret.name ?? ''), field('SecretOptionalName', optional(secret))];
  if (isObject(downwardAPI)) return [field('DownwardAPI', 'true')];
  if (isObject(configMap))
    return [field('ConfigMapName', configMap.name ?? ''), field('ConfigMapOptional', optional(configMap))];
  if (isObject(serviceAccountToken))
    return [field('TokenExpirationSeconds', serviceAccountToken.expirationSeconds ?? 0)];
  return [];
}

/** What a volume is made of. `persistent` where the volume is an object of its own. */
export function sourceLines(volume: Values, persistent = false): readonly Line[] {
  const kind = Object.keys(SOURCES).find((name) => isObject(getOwn(volume, name)));
  const source =
    kind === undefined ? undefined : ((persistent ? getOwn(PERSISTENT, kind) : undefined) ?? getOwn(SOURCES, kind));
  const values = kind === undefined ? undefined : getOwn(volume, kind);
  if (!source || !isObject(values)) return indent(1, ['<unknown>']);
  const shown = Object.entries(source.shown).map(([label, value]) => {
    const text = typeof value === 'string' ? (getOwn(values, value) ?? '') : value(values);
    // The reference leaves out the colon of this one.
    return label === 'ISCSIInterface' ? `${label}\t${String(text)}` : field(label, text);
  });
  return indent(2, [field('Type', source.title), ...shown, ...(source.more?.(values) ?? [])]);
}

/** The volumes of a pod, or of a template. */
export function volumes(list: readonly objects.Volume[] | undefined, inTemplate = false): readonly Line[] {
  const before = inTemplate ? '  ' : '';
  if (!list?.length) return [`${before}Volumes:\t${NONE}`];
  return [
    `${before}Volumes:`,
    ...list.flatMap((volume) => [`  ${inTemplate ? ' ' : ''}${volume.name}:`, ...sourceLines(volume)]),
  ];
}
