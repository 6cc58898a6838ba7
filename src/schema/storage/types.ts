/** The TypeScript types of what this folder declares, for rooms that work on objects; `../objects.ts` gathers them. */
export type { CSIDriverSpec, CSIDriver, CSIDriverSpecV1beta1, CSIDriverV1beta1 } from './csiDriver.ts';
export type { VolumeNodeResources, CSINodeDriver, CSINodeSpec, CSINode } from './csiNode.ts';
export type { StorageClass } from './storageClass.ts';
export type {
  VolumeError,
  VolumeAttachmentSource,
  VolumeAttachmentSpec,
  VolumeAttachmentStatus,
  VolumeAttachment,
} from './volumeAttachment.ts';
