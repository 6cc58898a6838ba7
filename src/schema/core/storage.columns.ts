/** Columns of volumes and claims. */
import type { ApiObject, CellContext, Column } from '../define/index.ts';
import { age, name, text, wide } from '../meta/columns.ts';
import type { PersistentVolume } from './persistentVolume.ts';
import type { PersistentVolumeClaim } from './persistentVolumeClaim.ts';

const MODES = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
] as const;

const modes = (given: readonly string[] | undefined): string =>
  MODES.flatMap(([mode, short]) => (given?.includes(mode) ? [short] : [])).join(',');

interface Classed {
  readonly metadata: ApiObject['metadata'];
  readonly spec: { readonly storageClassName?: string };
}

/** The class once stood in an annotation, which still comes first. */
function storageClass({ metadata, spec }: Classed, { names }: CellContext): string {
  return metadata.annotations?.[names.fill('volume.beta.{label}/storage-class')] ?? spec.storageClassName ?? '';
}

const phase = ({ metadata, status }: { metadata: ApiObject['metadata']; status: { phase?: string } }): string =>
  metadata.deletionTimestamp === undefined ? (status.phase ?? '') : 'Terminating';

export const persistentVolumeColumns: readonly Column<PersistentVolume>[] = [
  name,
  text('Capacity', 'How much the volume holds.', ({ spec }) => spec.capacity?.['storage'] ?? '0'),
  text('Access Modes', 'In which ways the volume can be mounted.', ({ spec }) => modes(spec.accessModes)),
  text(
    'Reclaim Policy',
    'What happens to the volume when its claim is deleted.',
    ({ spec }) => spec.persistentVolumeReclaimPolicy ?? '',
  ),
  text('Status', 'Whether the volume is free, bound, released or failed.', phase),
  text('Claim', 'Claim to which the volume is bound.', ({ spec: { claimRef } }) =>
    claimRef ? `${claimRef.namespace ?? ''}/${claimRef.name ?? ''}` : '',
  ),
  text('StorageClass', 'Class of the volume.', storageClass),
  text('Reason', 'Why the volume is in its state.', ({ status }) => status.reason ?? ''),
  age,
  wide(
    'VolumeMode',
    'Whether the volume is a file system or a block device.',
    ({ spec }) => spec.volumeMode ?? '<unset>',
  ),
];

export const persistentVolumeClaimColumns: readonly Column<PersistentVolumeClaim>[] = [
  name,
  text('Status', 'Whether the claim is bound.', phase),
  text('Volume', 'Volume to which the claim is bound.', ({ spec }) => spec.volumeName ?? ''),
  text('Capacity', 'How much the volume holds.', ({ spec, status }) =>
    spec.volumeName ? (status.capacity?.['storage'] ?? '0') : '',
  ),
  text('Access Modes', 'In which ways the volume can be mounted.', ({ spec, status }) =>
    spec.volumeName ? modes(status.accessModes) : '',
  ),
  text('StorageClass', 'Class that the claim asks for.', storageClass),
  age,
  wide(
    'VolumeMode',
    'Whether the volume is a file system or a block device.',
    ({ spec }) => spec.volumeMode ?? '<unset>',
  ),
];
