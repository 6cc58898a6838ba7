/** Columns of the storage kinds. */
import { getOwn } from '../../std/index.ts';
import type { CellContext, Column } from '../define/index.ts';
import { age, flag, integer, name, text } from '../meta/columns.ts';
import type { CSIDriver } from './csiDriver.ts';
import type { CSINode } from './csiNode.ts';
import type { StorageClass } from './storageClass.ts';
import type { VolumeAttachment } from './volumeAttachment.ts';

export const storageClassColumns: readonly Column<StorageClass>[] = [
  { ...name, cell: nameAndDefault },
  text('Provisioner', 'What makes volumes of the class.', ({ provisioner }) => provisioner),
  text(
    'ReclaimPolicy',
    'What happens to a volume when its claim is deleted.',
    ({ reclaimPolicy = 'Delete' }) => reclaimPolicy,
  ),
  text(
    'VolumeBindingMode',
    'When volumes are made and bound.',
    ({ volumeBindingMode = 'Immediate' }) => volumeBindingMode,
  ),
  text('AllowVolumeExpansion', 'Whether volumes can grow.', ({ allowVolumeExpansion = false }) => allowVolumeExpansion),
  age,
];

const DEFAULT_MARKS = ['storageclass.{label}/is-default-class', 'storageclass.beta.{label}/is-default-class'];

function nameAndDefault({ metadata }: StorageClass, { names }: CellContext): string {
  const isDefault = DEFAULT_MARKS.some((mark) => getOwn(metadata.annotations, names.fill(mark)) === 'true');
  return isDefault ? `${metadata.name ?? ''} (default)` : (metadata.name ?? '');
}

export const volumeAttachmentColumns: readonly Column<VolumeAttachment>[] = [
  name,
  {
    ...text('Attacher', 'Driver that attaches the volume.', ({ spec }: VolumeAttachment) => spec.attacher),
    format: 'name',
  },
  text('PV', 'Volume to attach.', ({ spec }) => spec.source.persistentVolumeName ?? ''),
  text('Node', 'Node to which the volume is attached.', ({ spec }) => spec.nodeName),
  flag('Attached', 'Whether the volume is attached.', ({ status }) => status.attached),
  age,
];

export const csiDriverColumns: readonly Column<CSIDriver>[] = [
  name,
  flag(
    'AttachRequired',
    'Whether volumes have to be attached before they are mounted.',
    ({ spec }) => spec.attachRequired ?? true,
  ),
  flag(
    'PodInfoOnMount',
    'Whether the driver is told of the pod when it mounts.',
    ({ spec }) => spec.podInfoOnMount ?? false,
  ),
  text(
    'Modes',
    'Whether volumes live as long as their claim or as their pod.',
    ({ spec }) => spec.volumeLifecycleModes?.join(',') || '<none>',
  ),
  age,
];

export const csiNodeColumns: readonly Column<CSINode>[] = [
  name,
  integer('Drivers', 'How many drivers are installed on the node.', ({ spec }) => spec.drivers?.length ?? 0),
  age,
];
