import { always, bool, map, opt, ptr, string, struct, time } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { PersistentVolumeSpec } from '../core/persistentVolume.ts';
import { object } from '../meta/object.ts';

export const VolumeError = struct('api.storage.v1.VolumeError', {
  time: opt(1, time),
  message: opt(2, string),
});
export type VolumeError = Infer<typeof VolumeError>;

export const VolumeAttachmentSource = struct('api.storage.v1.VolumeAttachmentSource', {
  persistentVolumeName: ptr(1, string),
  inlineVolumeSpec: ptr(2, PersistentVolumeSpec),
});
export type VolumeAttachmentSource = Infer<typeof VolumeAttachmentSource>;

export const VolumeAttachmentSpec = struct('api.storage.v1.VolumeAttachmentSpec', {
  attacher: always(1, string),
  source: always(2, VolumeAttachmentSource),
  nodeName: always(3, string),
});
export type VolumeAttachmentSpec = Infer<typeof VolumeAttachmentSpec>;

export const VolumeAttachmentStatus = struct('api.storage.v1.VolumeAttachmentStatus', {
  attached: always(1, bool),
  attachmentMetadata: opt(2, map(string)),
  attachError: ptr(3, VolumeError),
  detachError: ptr(4, VolumeError),
});
export type VolumeAttachmentStatus = Infer<typeof VolumeAttachmentStatus>;

export const VolumeAttachment = object('api.storage.v1.VolumeAttachment', {
  spec: always(2, VolumeAttachmentSpec),
  status: opt(3, VolumeAttachmentStatus),
});
export type VolumeAttachment = Infer<typeof VolumeAttachment>;
