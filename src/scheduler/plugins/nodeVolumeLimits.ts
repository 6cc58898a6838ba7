import type { Pod } from '../../client/index.ts';
import { plugin, refuse, type Listers, type Plugin } from '../framework/plugin.ts';
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
      if (fitsAnyway(node, wanted.length, limitOf(node))) return undefined;
      const used = new Set(node.podsWithDisks.flatMap(({ pod }) => attached(pod, listers)));
      const more = new Set(wanted.filter((id) => !used.has(id))).size;
      return more > 0 && used.size + more > limitOf(node) ? refuse(EXCEEDED) : undefined;
    },
  });
}

/** A quick check: whether the limit suffices even if all claims and disks on the node counted separately. */
const fitsAnyway = (node: NodeInfo, wanted: number, limit: number): boolean =>
  node.podsWithDisks.reduce((sum, { disks }) => sum + disks, wanted) <= limit;

const allocatable =
  (resource: string, fallback: number) =>
  (node: NodeInfo): number =>
    node.allocatable.scalars.get(resource) ?? fallback;

/** Volumes named by the pod or by the volumes of its bound claims. */
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

function csiLimit({ driver, resource }: OfDriver, node: NodeInfo, listers: Listers): number {
  const drivers = listers.csiNode(node.name)?.spec.drivers;
  const count = drivers?.find((d) => d.name === driver)?.allocatable?.count;
  return count ?? node.allocatable.scalars.get(resource) ?? Infinity;
}

/** Volumes of one driver. */
interface OfDriver {
  readonly driver: string;
  /** The resource with a node's limit. */
  readonly resource: string;
  readonly handles: readonly string[];
}

function wantedBy(pod: Pod, listers: Listers): readonly OfDriver[] {
  const volumes = csiVolumes(pod, listers);
  return [...new Set(volumes.map(({ driver }) => driver))].map((driver) => ({
    ...{ driver, resource: `attachable-volumes-csi-${driver}` },
    handles: volumes.filter((volume) => volume.driver === driver).map(({ handle }) => handle),
  }));
}

/** The volumes of a driver that the pods on a node use. */
function usedOn(node: NodeInfo, driver: string, listers: Listers): Set<string> {
  const used = new Set<string>();
  for (const { pod } of node.podsWithDisks)
    for (const volume of csiVolumes(pod, listers)) if (volume.driver === driver) used.add(volume.handle);
  return used;
}

function exceeds(wanted: OfDriver, node: NodeInfo, listers: Listers): boolean {
  const limit = csiLimit(wanted, node, listers);
  if (fitsAnyway(node, wanted.handles.length, limit)) return false;
  const volumes = usedOn(node, wanted.driver, listers);
  const before = volumes.size;
  for (const handle of wanted.handles) volumes.add(handle);
  return volumes.size > before && volumes.size > limit;
}

/** Rejects nodes whose storage driver can attach no more volumes. */
export const nodeVolumeLimits = plugin<readonly OfDriver[], void>({
  name: 'NodeVolumeLimits',
  concerns: ({ pod, listers }) => csiVolumes(pod, listers).length > 0,
  prepareFilter: ({ pod, listers }) => wantedBy(pod, listers),
  filter: ({ listers }, node, wanted) =>
    wanted.some((each) => exceeds(each, node, listers)) ? refuse(EXCEEDED) : undefined,
});
