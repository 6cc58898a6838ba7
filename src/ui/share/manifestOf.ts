/** Objects as the manifests that would make them: without what the server and its controllers wrote. */
import type { Names } from '../../names/index.ts';
import { controllerOf, type ApiObject } from '../../schema/index.ts';
import { getOwn, isObject } from '../../std/index.ts';
import { asList, asText, at } from '../stores/jsonValues.ts';

/** Kinds that only components write, or that belong to one machine. */
const OF_COMPONENTS = new Set([
  'Event',
  'Endpoints',
  'EndpointSlice',
  'Lease',
  'Node',
  'ControllerRevision',
  'CSINode',
  'CertificateSigningRequest',
  'NodeMetrics',
  'PodMetrics',
]);

const COMPONENT =
  /^((kube|cluster)-(apiserver|controller-manager|scheduler|proxy)|kubelet|clusterlet|simulated-.*|api-priority-and-fairness-.*)$/;

/** Whether people made it: an object that only components wrote comes by itself in another cluster. */
export function isPeoples(object: ApiObject, names: Names): boolean {
  const { metadata } = object;
  if (OF_COMPONENTS.has(object.kind ?? '') || metadata.deletionTimestamp) return false;
  if (controllerOf(object)) return false;
  if (object['type'] === names.fill('{label}/service-account-token')) return false;
  const managers = asList(at(metadata, 'managedFields')).map((entry) => asText(at(entry, 'manager')));
  if (managers.length > 0) return managers.some((manager) => !COMPONENT.test(manager));
  // An object without any field of its own has no manager.
  if (object.kind === 'ServiceAccount')
    return metadata.name !== 'default' && metadata.namespace !== names.systemNamespace;
  return object.kind !== 'APIService';
}

/** What the server fills in where nobody says anything, by field; the field is left out where it says just that. */
const DEFAULTS: Readonly<Record<string, unknown>> = {
  dnsPolicy: 'ClusterFirst',
  restartPolicy: 'Always',
  schedulerName: 'default-scheduler',
  terminationGracePeriodSeconds: 30,
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
  enableServiceLinks: true,
  preemptionPolicy: 'PreemptLowerPriority',
  progressDeadlineSeconds: 600,
  sessionAffinity: 'None',
  serviceAccountName: 'default',
  securityContext: {},
  resources: {},
};

const isDefault = (key: string, value: unknown): boolean =>
  Object.hasOwn(DEFAULTS, key) && JSON.stringify(value) === JSON.stringify(DEFAULTS[key]);

function withoutDefaults(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDefaults);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, each]) => !isDefault(key, each))
      .map(([key, each]) => [key, withoutDefaults(each)]),
  );
}

const NOTES = [
  '{ctl}.{label}/last-applied-configuration',
  'deployment.{label}/revision',
  'deprecated.daemonset.template.generation',
  'pv.{label}/bind-completed',
  'pv.{label}/bound-by-controller',
  'volume.beta.{label}/storage-provisioner',
  'volume.{label}/selected-node',
];
const GUARDS = ['{label}/pvc-protection', '{label}/pv-protection', 'foregroundDeletion', 'orphan'];

function metadataOf({ metadata }: ApiObject, names: Names): Record<string, unknown> {
  const { name, namespace, labels, annotations = {}, finalizers = [] } = metadata;
  const notes = new Set(NOTES.map((each) => names.fill(each)));
  const guards = new Set(GUARDS.map((each) => names.fill(each)));
  const kept = Object.entries(annotations).filter(([key]) => !notes.has(key));
  const held = finalizers.filter((each) => !guards.has(each));
  return {
    name,
    ...(namespace ? { namespace } : {}),
    ...(labels && Object.keys(labels).length > 0 ? { labels } : {}),
    ...(kept.length > 0 ? { annotations: Object.fromEntries(kept) } : {}),
    ...(held.length > 0 ? { finalizers: held } : {}),
  };
}

type Fields = Record<string, unknown>;

const without = (fields: Fields, ...keys: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => !keys.includes(key)));

const isToken = (mount: unknown): boolean => /-token-[a-z0-9]{5}$/.test(asText(at(mount, 'name')));

/** A pod as somebody wrote it: on no node yet, with no token of its account. */
function podSpec(spec: Fields): Fields {
  const strip = (container: unknown): unknown =>
    isObject(container)
      ? { ...container, volumeMounts: asList(container['volumeMounts']).filter((mount) => !isToken(mount)) }
      : container;
  const tolerations = asList(spec['tolerations']).filter((each) => at(each, 'tolerationSeconds') !== 300);
  const kept = without(spec, 'nodeName', 'serviceAccount', 'priority', 'tolerations', 'volumes');
  const volumes = asList(spec['volumes']).filter((volume) => !isToken(volume));
  return {
    ...kept,
    containers: asList(spec['containers']).map(strip),
    ...(spec['initContainers'] ? { initContainers: asList(spec['initContainers']).map(strip) } : {}),
    ...(tolerations.length > 0 ? { tolerations } : {}),
    ...(volumes.length > 0 ? { volumes } : {}),
  };
}

/** A job as somebody wrote it: its selector and its pods' labels are made with it. */
function jobSpec(spec: Fields): Fields {
  if (spec['manualSelector'] === true) return spec;
  const { template } = spec;
  if (!isObject(template) || !isObject(template['metadata'])) return without(spec, 'selector');
  const labels = without((template['metadata']['labels'] ?? {}) as Fields, 'controller-uid', 'job-name');
  return { ...without(spec, 'selector'), template: { ...template, metadata: { ...template['metadata'], labels } } };
}

const specs: Readonly<Record<string, (spec: Fields) => Fields>> = {
  Namespace: () => ({}),
  Pod: podSpec,
  Job: jobSpec,
  PersistentVolumeClaim: (spec) => without(spec, 'volumeName'),
  PersistentVolume: (spec) => without(spec, 'claimRef'),
  Service: (spec) =>
    without(spec, ...(spec['clusterIP'] === 'None' ? [] : ['clusterIP', 'clusterIPs']), 'healthCheckNodePort'),
};

const withoutEmptyMounts = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutEmptyMounts);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(
        ([key, each]) =>
          !(key === 'volumeMounts' && Array.isArray(each) && each.length === 0) &&
          !(key === 'creationTimestamp' && each === null),
      )
      .map(([key, each]) => [key, withoutEmptyMounts(each)]),
  );
};

/** What stands in the place of a secret's values that are not handed on. */
const HIDDEN = 'hidden';

function hiddenData(object: ApiObject): Fields {
  const isDocument = asText(object['type']).includes('dockerc');
  const value = btoa(isDocument ? '{}' : HIDDEN);
  return Object.fromEntries(Object.keys((object['data'] ?? {}) as Fields).map((key) => [key, value]));
}

/** The manifest of an object. The values of a secret are replaced unless `secrets` says otherwise. */
export function manifestOf(object: ApiObject, names: Names, secrets: boolean): Fields {
  const { apiVersion, kind = '' } = object;
  const rest = without(
    { ...object },
    'apiVersion',
    'kind',
    'metadata',
    'status',
    ...(kind === 'ServiceAccount' ? ['secrets'] : []),
  );
  const change = getOwn(specs, kind);
  const spec = change && isObject(rest['spec']) ? { spec: change(rest['spec']) } : {};
  const data = kind === 'Secret' && !secrets ? { data: hiddenData(object) } : {};
  const fields = withoutEmptyMounts(withoutDefaults({ ...rest, ...spec, ...data })) as Fields;
  return {
    apiVersion,
    kind,
    metadata: metadataOf(object, names),
    ...(kind === 'Namespace' ? without(fields, 'spec') : fields),
  };
}
