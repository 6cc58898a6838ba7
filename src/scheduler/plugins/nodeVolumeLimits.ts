import type { Pod } from '../../client/index.ts';
import { plugin, refuse, type Cycle, type Listers, type Plugin } from '../framework/plugin.ts';
import type { NodeInfo } from '../framework/nodeInfo.ts';
import { volumesOf } from './volumes.ts';

const EXCEEDED = 'node(s) exceed max volume count';

/** Names of the volumes of one kind that a pod attaches. */
type Attached = (pod: Pod, listers: Listers) => readonly string[];

function limitPlugin(name: string, attached: Attached, limitOf: (node: NodeInfo) => number): Plugin {
  return plugin<readonly string[], void>({
    name,
    concerns: ({ pod, listers }) => attached(pod, listers).length > 0,
    prepareFilter: ({ pod, listers }) => attached(pod, listers),
    filter({ listers }, node, wanted) {
      const used = new Set(node.pods.flatMap(({ pod }) => attached(pod, listers)));
      const more = new Set(wanted.filter((id) => !used.has(id))).size;
      return more > 0 && used.size + more > limitOf(node) ? refuse(EXCEEDED) : undefined;
    },
  });
}

const allocatable =
  (resource: string, fallback: number) =>
  (node: NodeInfo): number =>
    node.allocatable.scalars.get(resource) ?? fallback;

/** Volumes named by the pod itself or by the volumes that its claims are bound to. */
function fromSource(find: (source: Source) => string | undefined): Attached {
  return (pod, listers) => {
    const sources: Source[] = [...(pod.spec.volumes ?? []), ...volumesOf(pod, listers).map((volume) => volume.spec)];
    return sources.map(find).filter((id) => id !== undefined);
  };
}

interface Source {
  readonly awsElasticBlockStore?: { readonly volumeID: string };
  readonly gcePersistentDisk?: { readonly pdName: string };
  readonly azureDisk?: { readonly diskName: string };
  readonly cinder?: { readonly volumeID: string };
}

export const ebsLimits = limitPlugin(
  'EBSLimits',
  fromSource((s) => s.awsElasticBlockStore?.volumeID),
  allocatable('attachable-volumes-aws-ebs', 39),
);
export const gcePdLimits = limitPlugin(
  'GCEPDLimits',
  fromSource((s) => s.gcePersistentDisk?.pdName),
  allocatable('attachable-volumes-gce-pd', 16),
);
export const azureDiskLimits = limitPlugin(
  'AzureDiskLimits',
  fromSource((s) => s.azureDisk?.diskName),
  allocatable('attachable-volumes-azure-disk', 16),
);

export const cinderLimits = limitPlugin(
  'CinderLimits',
  fromSource((s) => s.cinder?.volumeID),
  allocatable('attachable-volumes-cinder', 256),
);

function csiVolumes(pod: Pod, listers: Listers): { readonly driver: string; readonly handle: string }[] {
  return volumesOf(pod, listers).flatMap(({ spec }) =>
    spec.csi ? [{ driver: spec.csi.driver, handle: spec.csi.volumeHandle }] : [],
  );
}

function csiLimit(driver: string, node: NodeInfo, listers: Listers): number {
  const drivers = listers.csiNode(node.name)?.spec.drivers ?? [];
  const count = drivers.find((d) => d.name === driver)?.allocatable?.count;
  return count ?? node.allocatable.scalars.get(`attachable-volumes-csi-${driver}`) ?? Infinity;
}

function exceeds({ pod, listers }: Cycle, node: NodeInfo): boolean {
  const wanted = csiVolumes(pod, listers);
  const used = node.pods.flatMap((info) => csiVolumes(info.pod, listers));
  return wanted.some(({ driver }) => {
    const count = (volumes: typeof used): Set<string> =>
      new Set(volumes.filter((v) => v.driver === driver).map((v) => v.handle));
    const before = count(used);
    const after = new Set([...before, ...count(wanted)]);
    return after.size > before.size && after.size > csiLimit(driver, node, listers);
  });
}

/** Leaves out nodes to which a storage driver can attach no more volumes. */
export const nodeVolumeLimits = plugin({
  name: 'NodeVolumeLimits',
  concerns: ({ pod, listers }) => csiVolumes(pod, listers).length > 0,
  filter: (cycle, node) => (exceeds(cycle, node) ? refuse(EXCEEDED) : undefined),
});
