import type { Pod } from '../../client/index.ts';
import type { objects } from '../../schema/index.ts';
import { plugin, refuse } from '../framework/plugin.ts';

/** A disk, and whether it can be shared. */
interface Disk {
  readonly id: string;
  readonly shared: boolean;
}

/** Disk types that can't be mounted twice on one node, except read-only if the type allows it. */
function disksOf(volume: objects.Volume): Disk[] {
  const { gcePersistentDisk: gce, awsElasticBlockStore: aws, iscsi, rbd } = volume;
  if (gce) return [{ id: `gce/${gce.pdName}`, shared: gce.readOnly ?? false }];
  if (aws) return [{ id: `aws/${aws.volumeID}`, shared: false }];
  if (iscsi) return [{ id: `iscsi/${iscsi.iqn}`, shared: iscsi.readOnly ?? false }];
  if (!rbd) return [];
  const monitors = rbd.monitors ?? [];
  return monitors.map((monitor) => ({
    id: `rbd/${monitor}/${rbd.pool ?? 'rbd'}/${rbd.image}`,
    shared: rbd.readOnly ?? false,
  }));
}

const allOf = (pod: Pod): Disk[] => (pod.spec.volumes ?? []).flatMap(disksOf);

/** Rejects nodes on which another pod uses one of the pod's disks. */
export const volumeRestrictions = plugin<readonly Disk[], void>({
  name: 'VolumeRestrictions',
  concerns: ({ pod }) => allOf(pod).length > 0,
  prepareFilter: ({ pod }) => allOf(pod),
  filter(_, node, wanted) {
    const used = node.podsWithDisks.flatMap(({ pod }) => allOf(pod));
    const clash = wanted.some((disk) => used.some((other) => other.id === disk.id && !(other.shared && disk.shared)));
    return clash ? refuse('node(s) had no available disk') : undefined;
  },
});
