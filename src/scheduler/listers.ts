import {
  csiNodes,
  persistentVolumeClaims,
  persistentVolumes,
  replicaSets,
  replicationControllers,
  selecting,
  services,
  statefulSets,
  storageClasses,
  type Informers,
} from '../client/index.ts';
import type { Names } from '../names/index.ts';
import type { AssumedVolumes } from './assumedVolumes.ts';
import type { Listers } from './framework/plugin.ts';
import { classOf } from './plugins/volumes.ts';

/** What plugins look up besides pods and nodes, from the caches. */
export function listersOf(informers: Informers, names: Names, assumed: AssumedVolumes): Listers {
  const claims = informers.of(persistentVolumeClaims);
  const volumes = informers.of(persistentVolumes);
  volumes.addIndex('class', (volume) => [classOf(volume, names)]);
  const classes = informers.of(storageClasses);
  const csi = informers.of(csiNodes);
  return {
    names,
    claim: (namespace, name) => claims.get(`${namespace}/${name}`),
    volume: (name) => volumes.get(name),
    volumesOfClass: (storageClass) => volumes.by('class', storageClass),
    assumed,
    storageClass: (name) => classes.get(name),
    csiNode: (name) => csi.get(name),
    servicesFor: selecting(informers.of(services), ({ spec }) => spec.selector),
    replicationControllersFor: selecting(informers.of(replicationControllers), ({ spec }) => spec.selector),
    replicaSetsFor: selecting(informers.of(replicaSets), ({ spec }) => spec.selector?.matchLabels),
    statefulSetsFor: selecting(informers.of(statefulSets), ({ spec }) => spec.selector?.matchLabels),
  };
}
