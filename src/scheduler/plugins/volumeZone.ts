import { getOwn } from '../../std/index.ts';
import { plugin, refuseForGood, type Cycle } from '../framework/plugin.ts';
import { volumesOf } from './volumes.ts';

const LABELS = [
  'topology.{label}/zone',
  'topology.{label}/region',
  'failure-domain.beta.{label}/zone',
  'failure-domain.beta.{label}/region',
];

/** The zones of the pod's volumes. */
interface State {
  /** The topology labels of nodes. */
  readonly labels: readonly string[];
  /** For each volume with such a label: the allowed values. */
  readonly wanted: readonly { readonly label: string; readonly places: readonly string[] }[];
}

function prepareFilter({ pod, listers }: Cycle): State {
  const labels = LABELS.map((label) => listers.names.fill(label));
  const wanted = volumesOf(pod, listers).flatMap(({ metadata }) =>
    labels.flatMap((label) => {
      const text = getOwn(metadata.labels, label);
      return text === undefined ? [] : [{ label, places: text.split('__') }];
    }),
  );
  return { labels, wanted };
}

/**
 * Rejects nodes in other zones or regions than the pod's volumes. A volume's label may contain several, joined by `__`.
 */
export const volumeZone = plugin<State, void>({
  name: 'VolumeZone',
  concerns: ({ pod, listers }) => volumesOf(pod, listers).length > 0,
  prepareFilter,
  filter(_, node, { labels, wanted }) {
    if (!labels.some((label) => getOwn(node.labels, label) !== undefined)) return undefined;
    const isThere = wanted.every(({ label, places }) => places.includes(getOwn(node.labels, label) ?? ''));
    return isThere ? undefined : refuseForGood('node(s) had no available volume zone');
  },
});
