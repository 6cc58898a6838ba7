/** Which volumes a pod may use. */
import type { Names } from '../../../names/index.ts';
import { field, Path, type FieldError, type FieldErrors, type objects } from '../../../schema/index.ts';
import { containersWithPaths } from '../pods.ts';
import type { AdmittedPod, Policy, StrategyMaker } from './strategy.ts';

type Volume = objects.Volume;

export const volumes: StrategyMaker = (policy, names) => ({
  checkPod: (pod) =>
    (pod.spec.volumes ?? []).flatMap((volume, i) =>
      checkVolume(pod, volume, Path.of('spec', 'volumes').index(i), policy, names),
    ),
});

/** The type of a volume is the name of its source field. */
const typeOf = ({ name: _name, ...source }: Volume): string =>
  Object.entries(source).find(([, value]) => value !== undefined)?.[0] ?? '';

function checkVolume(pod: AdmittedPod, volume: Volume, path: Path, policy: Policy, names: Names): FieldErrors {
  const type = typeOf(volume);
  const allowed = policy.spec.volumes ?? [];
  if (!allowed.includes('*') && !allowed.includes(type) && !(allowed.includes('secret') && isToken(volume, names)))
    return [field.invalid(path, type, `${type} volumes are not allowed to be used`)];
  if (volume.hostPath) return checkHostPath(pod, volume, path, policy);
  const { allowedFlexVolumes = [], allowedCSIDrivers = [] } = policy.spec;
  if (volume.flexVolume) {
    const { driver } = volume.flexVolume;
    if (allowedFlexVolumes.length > 0 && !allowedFlexVolumes.some((one) => one.driver === driver))
      return [field.invalid(path.child('driver'), driver, 'Flexvolume driver is not allowed to be used')];
  }
  if (volume.csi) {
    const { driver } = volume.csi;
    if (allowedCSIDrivers.length > 0 && !allowedCSIDrivers.some(({ name }) => name === driver))
      return [field.invalid(path.child('csi', 'driver'), driver, 'Inline CSI driver is not allowed to be used')];
  }
  return [];
}

/** A service account token volume, as in every pod: allowed if secrets are allowed. */
function isToken({ projected }: Volume, names: Names): boolean {
  const sources = projected?.sources ?? [];
  return (
    sources.length > 0 &&
    sources.every(
      ({ serviceAccountToken, configMap, downwardAPI, secret }) =>
        !secret &&
        (serviceAccountToken !== undefined ||
          configMap?.name === names.fill('{prefix}-root-ca.crt') ||
          (downwardAPI?.items ?? []).some(({ fieldRef }) => fieldRef?.fieldPath === 'metadata.namespace')),
    )
  );
}

function checkHostPath(pod: AdmittedPod, volume: Volume, path: Path, { spec }: Policy): FieldErrors {
  const asked = volume.hostPath?.path ?? '';
  const allowed = spec.allowedHostPaths ?? [];
  if (allowed.length === 0) return [];
  const fitting = allowed.filter(({ pathPrefix = '' }) => isBelow(asked, pathPrefix));
  if (fitting.length === 0)
    return [field.invalid(path.child('hostPath', 'pathPrefix'), asked, 'is not allowed to be used')];
  return fitting.some(({ readOnly }) => !readOnly) ? [] : writableMounts(pod, volume.name);
}

/** Whether a path is the prefix or lies below it. */
function isBelow(path: string, prefix: string): boolean {
  const bare = (text: string): string => (text.endsWith('/') ? text.slice(0, -1) : text);
  return bare(path) === bare(prefix) || bare(path).startsWith(`${bare(prefix)}/`);
}

function writableMounts(pod: AdmittedPod, volume: string): FieldError[] {
  return containersWithPaths(pod.spec).flatMap(({ container, path }) =>
    (container.volumeMounts ?? []).flatMap(({ name, readOnly }, i) =>
      name === volume && !readOnly
        ? [field.invalid(path.child('volumeMounts').index(i).child('readOnly'), false, 'must be read-only')]
        : [],
    ),
  );
}
