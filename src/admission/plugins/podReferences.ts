/** The secrets, config maps and claims that a pod refers to. */
import { isObject } from '../../std/index.ts';
import { containersOf, type PodSpec } from './pods.ts';

export interface PodReferences {
  readonly secrets: ReadonlySet<string>;
  readonly configMaps: ReadonlySet<string>;
  readonly claims: ReadonlySet<string>;
}

/** Volume types with a secret in `secretRef`. */
const DRIVERS = ['cephfs', 'cinder', 'flexVolume', 'rbd', 'scaleIO', 'iscsi', 'storageos'] as const;

type Volume = NonNullable<PodSpec['volumes']>[number];

export function podReferences(spec: PodSpec): PodReferences {
  const containers = containersOf(spec);
  const sources = containers.flatMap((c) => c.envFrom ?? []);
  const variables = containers.flatMap((c) => c.env ?? []).map(({ valueFrom }) => valueFrom);
  const volumes = spec.volumes ?? [];
  const projected = volumes.flatMap((v) => v.projected?.sources ?? []);
  return {
    secrets: named([
      ...(spec.imagePullSecrets ?? []).map((s) => s.name),
      ...sources.map((s) => s.secretRef?.name),
      ...variables.map((v) => v?.secretKeyRef?.name),
      ...volumes.flatMap(volumeSecrets),
      ...projected.map((s) => s.secret?.name),
    ]),
    configMaps: named([
      ...sources.map((s) => s.configMapRef?.name),
      ...variables.map((v) => v?.configMapKeyRef?.name),
      ...volumes.map((v) => v.configMap?.name),
      ...projected.map((s) => s.configMap?.name),
    ]),
    claims: named(volumes.map((v) => v.persistentVolumeClaim?.claimName)),
  };
}

const named = (found: readonly (string | undefined)[]): ReadonlySet<string> =>
  new Set(found.filter((name) => name !== undefined && name !== '') as string[]);

function volumeSecrets(volume: Volume): (string | undefined)[] {
  const byDriver = DRIVERS.map((driver) => {
    const source: unknown = volume[driver];
    const ref = isObject(source) ? source['secretRef'] : undefined;
    return isObject(ref) && typeof ref['name'] === 'string' ? ref['name'] : undefined;
  });
  return [volume.secret?.secretName, volume.azureFile?.secretName, volume.csi?.nodePublishSecretRef?.name, ...byDriver];
}
