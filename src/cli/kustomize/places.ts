/** Where labels, annotations and the names of other objects stand. */
import type { Place } from './change.ts';
import type { KindPattern } from './resource.ts';

const TEMPLATES: readonly (KindPattern & { readonly path: string })[] = [
  ...['Deployment', 'ReplicaSet', 'DaemonSet'].map((kind) => ({ kind, path: 'spec/template' })),
  { kind: 'ReplicationController', version: 'v1', path: 'spec/template' },
  { kind: 'StatefulSet', group: 'apps', path: 'spec/template' },
  { kind: 'Job', group: 'batch', path: 'spec/template' },
  { kind: 'CronJob', group: 'batch', path: 'spec/jobTemplate' },
  { kind: 'CronJob', group: 'batch', path: 'spec/jobTemplate/spec/template' },
];

const inTemplates = (field: string): readonly Place[] =>
  TEMPLATES.map(({ path, ...kind }) => ({ ...kind, path: `${path}/metadata/${field}`, create: true }));

const AFFINITY_TERMS = [
  'preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm',
  'requiredDuringSchedulingIgnoredDuringExecution',
];

const affinities: readonly Place[] = ['Deployment', 'StatefulSet'].flatMap((kind) =>
  ['podAffinity', 'podAntiAffinity'].flatMap((affinity) =>
    AFFINITY_TERMS.map((term) => ({
      ...{ kind, group: 'apps' },
      path: `spec/template/spec/affinity/${affinity}/${term}/labelSelector/matchLabels`,
    })),
  ),
);

export const labelPlaces: readonly Place[] = [
  { path: 'metadata/labels', create: true },
  { kind: 'Service', version: 'v1', path: 'spec/selector', create: true },
  { kind: 'ReplicationController', version: 'v1', path: 'spec/selector', create: true },
  ...['Deployment', 'ReplicaSet', 'DaemonSet'].map((kind) => ({
    kind,
    path: 'spec/selector/matchLabels',
    create: true,
  })),
  { kind: 'StatefulSet', group: 'apps', path: 'spec/selector/matchLabels', create: true },
  ...inTemplates('labels'),
  ...affinities,
  { kind: 'StatefulSet', group: 'apps', path: 'spec/volumeClaimTemplates/metadata/labels', create: true },
  { kind: 'Job', group: 'batch', path: 'spec/selector/matchLabels' },
  { kind: 'CronJob', group: 'batch', path: 'spec/jobTemplate/spec/selector/matchLabels' },
  { kind: 'PodDisruptionBudget', group: 'policy', path: 'spec/selector/matchLabels' },
  ...['spec', 'spec/ingress/from', 'spec/egress/to'].map((path) => ({
    ...{ kind: 'NetworkPolicy', group: 'networking.' },
    path: `${path}/podSelector/matchLabels`,
  })),
];

export const annotationPlaces: readonly Place[] = [
  { path: 'metadata/annotations', create: true },
  ...inTemplates('annotations'),
];

/** Where pods stand in the kinds that make them. */
const POD_SPECS: readonly (KindPattern & { readonly path: string })[] = [
  { kind: 'Pod', version: 'v1', path: 'spec' },
  ...['Deployment', 'ReplicaSet', 'DaemonSet', 'StatefulSet', 'Job'].map((kind) => ({
    kind,
    path: 'spec/template/spec',
  })),
  { kind: 'CronJob', path: 'spec/jobTemplate/spec/template/spec' },
];

const inPods = (paths: readonly string[], specs = POD_SPECS): readonly Place[] =>
  specs.flatMap(({ path, ...kind }) => paths.map((each) => ({ ...kind, path: `${path}/${each}` })));

/** The kinds that the reference leaves out of some lists. */
const without = (...kinds: readonly string[]) => POD_SPECS.filter(({ kind }) => !kinds.includes(kind ?? ''));

const inContainers = (reference: string): readonly string[] =>
  ['containers', 'initContainers'].flatMap((list) => [
    `${list}/env/valueFrom/${reference}KeyRef/name`,
    `${list}/envFrom/${reference}Ref/name`,
  ]);

const projecting = POD_SPECS.filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet');
const replicationControllers = { kind: 'ReplicationController', path: 'spec/template/spec' };
const RBAC = 'rbac.authorization.';

/** Fields that name an object of a kind. */
export interface References {
  readonly to: KindPattern;
  readonly at: readonly Place[];
}

const scaled: readonly Place[] = [{ kind: 'HorizontalPodAutoscaler', path: 'spec/scaleTargetRef/name' }];

export const references: readonly References[] = [
  ...['Deployment', 'ReplicationController', 'ReplicaSet'].map((kind) => ({ to: { kind }, at: scaled })),
  {
    to: { kind: 'ConfigMap', version: 'v1' },
    at: [
      ...inPods(['volumes/configMap/name', ...inContainers('configMap')]),
      ...inPods(['volumes/projected/sources/configMap/name'], projecting),
    ],
  },
  {
    to: { kind: 'Secret', version: 'v1' },
    at: [
      ...inPods(['volumes/secret/secretName', ...inContainers('secret'), 'imagePullSecrets/name']),
      ...inPods(['volumes/projected/sources/secret/name'], projecting),
      { kind: 'Ingress', path: 'spec/tls/secretName' },
      { kind: 'Ingress', path: 'metadata/annotations/ingress.kubernetes.io\\/auth-secret' },
      { kind: 'Ingress', path: 'metadata/annotations/nginx.ingress.kubernetes.io\\/auth-secret' },
      { kind: 'ServiceAccount', path: 'imagePullSecrets/name' },
      ...['secretName', 'adminSecretName', 'userSecretName', 'secretRef'].map((field) => ({
        ...{ kind: 'StorageClass', path: `parameters/${field}` },
      })),
      ...['Role', 'ClusterRole'].map((kind) => ({ kind, path: 'rules/resourceNames' })),
    ],
  },
  {
    to: { kind: 'Service', version: 'v1' },
    at: [
      { kind: 'StatefulSet', group: 'apps', path: 'spec/serviceName' },
      { kind: 'Ingress', path: 'spec/rules/http/paths/backend/serviceName' },
      { kind: 'Ingress', path: 'spec/backend/serviceName' },
      { kind: 'APIService', group: 'apiregistration.', path: 'spec/service/name' },
    ],
  },
  { to: { kind: 'Role', group: RBAC }, at: [{ kind: 'RoleBinding', group: RBAC, path: 'roleRef/name' }] },
  {
    to: { kind: 'ClusterRole', group: RBAC },
    at: ['RoleBinding', 'ClusterRoleBinding'].map((kind) => ({ kind, group: RBAC, path: 'roleRef/name' })),
  },
  {
    to: { kind: 'ServiceAccount', version: 'v1' },
    at: [
      ...['RoleBinding', 'ClusterRoleBinding'].map((kind) => ({ kind, group: RBAC, path: 'subjects/name' })),
      ...inPods(['serviceAccountName'], [...without('ReplicaSet', 'Job'), replicationControllers]),
    ],
  },
  {
    to: { kind: 'PersistentVolumeClaim', version: 'v1' },
    at: inPods(['volumes/persistentVolumeClaim/claimName'], [...without('ReplicaSet'), replicationControllers]),
  },
  { to: { kind: 'PersistentVolume', version: 'v1' }, at: [{ kind: 'PersistentVolumeClaim', path: 'spec/volumeName' }] },
];
