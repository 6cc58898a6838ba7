/** The references of a pod, a volume or a node that its node agent needs. */
import { isObject, getOwn } from '../../std/index.ts';
import type { ApiObject } from '../../schema/index.ts';

/** `type namespace/name`: a reference target. */
export type Target = string;
export type TargetType =
  'secrets' | 'configmaps' | 'persistentvolumeclaims' | 'persistentvolumes' | 'volumeattachments' | 'serviceaccounts';

export const target = (type: TargetType, namespace: string, name: string): Target => `${type} ${namespace}/${name}`;

/** The secrets, config maps, claims and the service account of a pod. */
export function podTargets(pod: ApiObject): Set<Target> {
  const namespace = pod.metadata.namespace ?? '';
  const spec = objectOf(pod.spec);
  const found = new Set<Target>();
  const add = (type: TargetType, name: unknown): void => {
    if (typeof name === 'string' && name !== '') found.add(target(type, namespace, name));
  };
  add('serviceaccounts', spec.serviceAccountName);
  for (const secret of list(spec.imagePullSecrets)) add('secrets', secret.name);
  for (const container of [...list(spec.initContainers), ...list(spec.containers), ...list(spec.ephemeralContainers)])
    addContainer(container, add);
  for (const volume of list(spec.volumes)) {
    addVolume(volume, add);
    // A controller creates its claim, named after pod and volume.
    if (isObject(volume.ephemeral)) add('persistentvolumeclaims', `${pod.metadata.name ?? ''}-${String(volume.name)}`);
  }
  return found;
}

type Add = (type: TargetType, name: unknown) => void;
type Loose = Record<string, unknown>;

function addContainer(container: Loose, add: Add): void {
  for (const source of list(container.envFrom)) {
    add('secrets', objectOf(source.secretRef).name);
    add('configmaps', objectOf(source.configMapRef).name);
  }
  for (const variable of list(container.env)) {
    const from = objectOf(variable.valueFrom);
    add('secrets', objectOf(from.secretKeyRef).name);
    add('configmaps', objectOf(from.configMapKeyRef).name);
  }
}

function addVolume(volume: Loose, add: Add): void {
  add('secrets', objectOf(volume.secret).secretName);
  add('configmaps', objectOf(volume.configMap).name);
  add('persistentvolumeclaims', objectOf(volume.persistentVolumeClaim).claimName);
  for (const source of list(objectOf(volume.projected).sources)) {
    add('secrets', objectOf(source.secret).name);
    add('configmaps', objectOf(source.configMap).name);
  }
  add('secrets', objectOf(volume.azureFile).secretName);
  for (const driver of ['cephfs', 'cinder', 'flexVolume', 'rbd', 'scaleIO', 'iscsi', 'storageos'])
    add('secrets', objectOf(objectOf(getOwn(volume, driver)).secretRef).name);
  add('secrets', objectOf(objectOf(volume.csi).nodePublishSecretRef).name);
}

/** The claim that a volume is bound to. */
export function claimOf(volume: ApiObject): Target | undefined {
  const claim = objectOf(objectOf(volume.spec).claimRef);
  if (typeof claim.name !== 'string' || typeof claim.namespace !== 'string') return undefined;
  return target('persistentvolumeclaims', claim.namespace, claim.name);
}

/** The secrets that a node agent needs to mount a volume, without those only for controllers. */
export function volumeSecrets(volume: ApiObject): Set<Target> {
  const spec = objectOf(volume.spec);
  const claimNamespace = String(objectOf(spec.claimRef).namespace ?? '');
  const found = new Set<Target>();
  const add = (ref: Loose, nameField = 'name', namespaceField = 'namespace'): void => {
    const name = getOwn(ref, nameField);
    const namespace = getOwn(ref, namespaceField) ?? claimNamespace;
    if (typeof name === 'string' && name !== '')
      found.add(target('secrets', String(namespace || claimNamespace), name));
  };
  add(objectOf(spec.azureFile), 'secretName', 'secretNamespace');
  for (const driver of ['cephfs', 'cinder', 'flexVolume', 'rbd', 'scaleIO', 'iscsi', 'storageos'])
    add(objectOf(objectOf(getOwn(spec, driver)).secretRef));
  const csi = objectOf(spec.csi);
  for (const ref of ['nodePublishSecretRef', 'nodeStageSecretRef']) add(objectOf(getOwn(csi, ref)));
  return found;
}

/** The config map of a node agent's configuration. */
export function nodeConfigMap(node: ApiObject): Target | undefined {
  const map = objectOf(objectOf(objectOf(node.spec).configSource).configMap);
  if (typeof map.name !== 'string' || typeof map.namespace !== 'string') return undefined;
  return target('configmaps', map.namespace, map.name);
}

const objectOf = (value: unknown): Loose => (isObject(value) ? value : {});
const list = (value: unknown): Loose[] => (Array.isArray(value) ? value.filter(isObject) : []);
