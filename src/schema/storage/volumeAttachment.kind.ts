import { atVersion, kind } from '../define/index.ts';
import { storage } from '../groups.ts';
import { tables, workloads } from '../parts/index.ts';
import { VolumeAttachment } from './volumeAttachment.ts';

export const volumeattachments = kind(VolumeAttachment, {
  group: storage,
  kind: 'VolumeAttachment',
  resource: 'volumeattachments',
  namespaced: false,
  returnsDeleted: true,
  doc: 'Asks to attach a volume to a node, or to detach it.',
  versions: [
    { version: 'v1', type: VolumeAttachment },
    {
      version: 'v1beta1',
      type: atVersion(VolumeAttachment, 'v1beta1'),
      deprecated: { since: 'v1.19', removed: 'v1.22', replacement: 'storage.{domain}/v1' },
      status: false,
    },
    { version: 'v1alpha1', type: atVersion(VolumeAttachment, 'v1alpha1'), status: false },
  ],
  rules: workloads.of('volumeAttachmentRules'),
  status: true,
  columns: tables.of('volumeAttachmentColumns'),
});
