import { configMaps, secrets, type Client, type Pod } from '../../client/index.ts';
import { isReason } from '../../schema/index.ts';

interface Needed {
  readonly volume: string;
  readonly kind: 'secret' | 'configmap';
  readonly name: string;
}

/** What the pod's volumes need to be there; those that are optional don't. */
export function neededBy(pod: Pod): Needed[] {
  return (pod.spec.volumes ?? []).flatMap((volume) => {
    const { secret, configMap, projected } = volume;
    const sources = [
      { kind: 'secret' as const, name: secret?.secretName, optional: secret?.optional },
      { kind: 'configmap' as const, name: configMap?.name, optional: configMap?.optional },
      ...(projected?.sources ?? []).flatMap((source) => [
        { kind: 'secret' as const, name: source.secret?.name, optional: source.secret?.optional },
        { kind: 'configmap' as const, name: source.configMap?.name, optional: source.configMap?.optional },
      ]),
    ];
    return sources.flatMap(({ kind, name, optional }) =>
      name && !optional ? [{ volume: volume.name, kind, name }] : [],
    );
  });
}

/** Why the pod's volumes can't be mounted yet; undefined where they can. */
export async function missingConfiguration(client: Client, pod: Pod): Promise<string | undefined> {
  for (const { volume, kind, name } of neededBy(pod)) {
    const ref = kind === 'secret' ? secrets : configMaps;
    try {
      await client.metadataOf(ref).get(name, pod.metadata.namespace);
    } catch (problem) {
      const why = isReason(problem, 'NotFound') ? `${kind} ${JSON.stringify(name)} not found` : String(problem);
      return `MountVolume.SetUp failed for volume ${JSON.stringify(volume)} : ${why}`;
    }
  }
  return undefined;
}
