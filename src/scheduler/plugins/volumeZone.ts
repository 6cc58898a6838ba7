import { getOwn } from '../../std/index.ts';
import { plugin, refuseForGood } from '../framework/plugin.ts';
import { volumesOf } from './volumes.ts';

const LABELS = [
  'topology.{label}/zone',
  'topology.{label}/region',
  'failure-domain.beta.{label}/zone',
  'failure-domain.beta.{label}/region',
];

/** Leaves out nodes in other zones or regions than the pod's volumes. A volume's label may name several, joined by `__`. */
export const volumeZone = plugin({
  name: 'VolumeZone',
  concerns: ({ pod, listers }) => volumesOf(pod, listers).length > 0,
  filter({ pod, listers }, node) {
    const labels = LABELS.map((label) => listers.names.fill(label));
    if (!labels.some((label) => getOwn(node.labels, label) !== undefined)) return undefined;
    const away = volumesOf(pod, listers).some((volume) =>
      labels.some((label) => {
        const zones = getOwn(volume.metadata.labels, label);
        return zones !== undefined && !zones.split('__').includes(getOwn(node.labels, label) ?? '');
      }),
    );
    return away ? refuseForGood('node(s) had no available volume zone') : undefined;
  },
});
