/**
 * The resources that control plane components use, each with the type of its objects in responses. It contains only
 * constants and types; the declarations themselves are not loaded.
 */
import type { ApiObject, ObjectMeta, objects } from '../schema/index.ts';
import type { ResourceRef } from './resources.ts';

/** An object in a response: metadata with a name always exists, and so do spec and status if the kind has them. */
export type Stored<T> = Omit<T, 'metadata' | 'spec' | 'status'> & { metadata: ObjectMeta & { name: string } } & {
  [K in keyof T & ('spec' | 'status')]-?: NonNullable<T[K]>;
};

export type Pod = Stored<objects.Pod> & { metadata: { namespace: string; uid: string } };
export type Node = Stored<objects.Node>;
export type Namespace = Stored<objects.Namespace>;
export type Service = Stored<objects.Service>;
export type Endpoints = Stored<objects.Endpoints>;
export type EndpointSlice = Stored<objects.EndpointSlice>;
export type ConfigMap = Stored<objects.ConfigMap>;
export type Secret = Stored<objects.Secret>;
export type ServiceAccount = Stored<objects.ServiceAccount>;
export type ReplicationController = Stored<objects.ReplicationController>;
export type ResourceQuota = Stored<objects.ResourceQuota>;
export type PersistentVolume = Stored<objects.PersistentVolume>;
export type PersistentVolumeClaim = Stored<objects.PersistentVolumeClaim>;
export type ReplicaSet = Stored<objects.ReplicaSet>;
export type Deployment = Stored<objects.Deployment>;
export type StatefulSet = Stored<objects.StatefulSet>;
export type DaemonSet = Stored<objects.DaemonSet>;
export type ControllerRevision = Stored<objects.ControllerRevision>;
export type Job = Stored<objects.Job>;
export type CronJob = Stored<objects.CronJob>;
export type HorizontalPodAutoscaler = Stored<objects.HorizontalPodAutoscaler>;
export type PodDisruptionBudget = Stored<objects.PodDisruptionBudget>;
export type Lease = Stored<objects.Lease>;
export type NetworkPolicy = Stored<objects.NetworkPolicy>;
export type StorageClass = Stored<objects.StorageClass>;
export type VolumeAttachment = Stored<objects.VolumeAttachment>;
export type CSINode = Stored<objects.CSINode>;
export type CSIDriver = Stored<objects.CSIDriver>;
export type PriorityClass = Stored<objects.PriorityClass>;
export type ClusterRole = Stored<objects.ClusterRole>;
export type CertificateSigningRequest = Stored<objects.CertificateSigningRequest>;

function namespaced<T extends ApiObject>(
  group: string,
  version: string,
  resource: string,
  kind: string,
): ResourceRef<T> {
  return { group, version, resource, kind, namespaced: true };
}

function clusterWide<T extends ApiObject>(
  group: string,
  version: string,
  resource: string,
  kind: string,
): ResourceRef<T> {
  return { group, version, resource, kind, namespaced: false };
}

export const pods = namespaced<Pod>('', 'v1', 'pods', 'Pod');
export const nodes = clusterWide<Node>('', 'v1', 'nodes', 'Node');
export const namespaces = clusterWide<Namespace>('', 'v1', 'namespaces', 'Namespace');
export const services = namespaced<Service>('', 'v1', 'services', 'Service');
export const endpoints = namespaced<Endpoints>('', 'v1', 'endpoints', 'Endpoints');
export const configMaps = namespaced<ConfigMap>('', 'v1', 'configmaps', 'ConfigMap');
export const secrets = namespaced<Secret>('', 'v1', 'secrets', 'Secret');
export const serviceAccounts = namespaced<ServiceAccount>('', 'v1', 'serviceaccounts', 'ServiceAccount');
export const replicationControllers = namespaced<ReplicationController>(
  '',
  'v1',
  'replicationcontrollers',
  'ReplicationController',
);
export const resourceQuotas = namespaced<ResourceQuota>('', 'v1', 'resourcequotas', 'ResourceQuota');
export const persistentVolumes = clusterWide<PersistentVolume>('', 'v1', 'persistentvolumes', 'PersistentVolume');
export const persistentVolumeClaims = namespaced<PersistentVolumeClaim>(
  '',
  'v1',
  'persistentvolumeclaims',
  'PersistentVolumeClaim',
);
export const replicaSets = namespaced<ReplicaSet>('apps', 'v1', 'replicasets', 'ReplicaSet');
export const deployments = namespaced<Deployment>('apps', 'v1', 'deployments', 'Deployment');
export const statefulSets = namespaced<StatefulSet>('apps', 'v1', 'statefulsets', 'StatefulSet');
export const daemonSets = namespaced<DaemonSet>('apps', 'v1', 'daemonsets', 'DaemonSet');
export const controllerRevisions = namespaced<ControllerRevision>(
  'apps',
  'v1',
  'controllerrevisions',
  'ControllerRevision',
);
export const jobs = namespaced<Job>('batch', 'v1', 'jobs', 'Job');
export const cronJobs = namespaced<CronJob>('batch', 'v1beta1', 'cronjobs', 'CronJob');
export const horizontalPodAutoscalers = namespaced<HorizontalPodAutoscaler>(
  'autoscaling',
  'v2beta2',
  'horizontalpodautoscalers',
  'HorizontalPodAutoscaler',
);
export const podDisruptionBudgets = namespaced<PodDisruptionBudget>(
  'policy',
  'v1beta1',
  'poddisruptionbudgets',
  'PodDisruptionBudget',
);
export const endpointSlices = namespaced<EndpointSlice>(
  'discovery.{domain}',
  'v1beta1',
  'endpointslices',
  'EndpointSlice',
);
export const leases = namespaced<Lease>('coordination.{domain}', 'v1', 'leases', 'Lease');

export const storageClasses = clusterWide<StorageClass>('storage.{domain}', 'v1', 'storageclasses', 'StorageClass');
export const volumeAttachments = clusterWide<VolumeAttachment>(
  'storage.{domain}',
  'v1',
  'volumeattachments',
  'VolumeAttachment',
);
export const csiDrivers = clusterWide<CSIDriver>('storage.{domain}', 'v1', 'csidrivers', 'CSIDriver');
export const csiNodes = clusterWide<CSINode>('storage.{domain}', 'v1', 'csinodes', 'CSINode');
export const priorityClasses = clusterWide<PriorityClass>(
  'scheduling.{domain}',
  'v1',
  'priorityclasses',
  'PriorityClass',
);
export const clusterRoles = clusterWide<ClusterRole>(
  'rbac.authorization.{domain}',
  'v1',
  'clusterroles',
  'ClusterRole',
);
export const certificateSigningRequests = clusterWide<CertificateSigningRequest>(
  'certificates.{domain}',
  'v1',
  'certificatesigningrequests',
  'CertificateSigningRequest',
);
export const customResourceDefinitions = clusterWide(
  'apiextensions.{domain}',
  'v1',
  'customresourcedefinitions',
  'CustomResourceDefinition',
);
export const apiServices = clusterWide('apiregistration.{domain}', 'v1', 'apiservices', 'APIService');
export const events = namespaced('', 'v1', 'events', 'Event');
/** The same events in the newer API. */
export const eventsV1 = namespaced('events.{domain}', 'v1', 'events', 'Event');
