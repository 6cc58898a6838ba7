/** Volume attachments: what is prepared and checked before one is stored. */
import * as field from '../define/fieldErrors.ts';
import { Path } from '../define/fieldErrors.ts';
import type { RuleContext, Rules } from '../define/kind.ts';
import { clone, utf8Length } from '../../std/index.ts';
import { keepAllButStatus } from '../meta/checked.ts';
import { clearStatus, complaints, immutable, present, type Errors } from '../meta/checks.ts';
import { validatePersistentVolumeSpec } from '../core/persistentVolume.rules.ts';
import { validateDriverName } from '../core/volumeSources.rules.ts';
import { checkSubdomain } from '../values/names.ts';
import type {
  VolumeAttachment,
  VolumeAttachmentSource,
  VolumeAttachmentStatus,
  VolumeError,
} from './volumeAttachment.ts';

const SPEC = Path.of('spec');
const STATUS = Path.of('status');
const MAX_MESSAGE_BYTES = 1024;
const MAX_METADATA_BYTES = 256 * 1024;

function* validate({ spec, status }: VolumeAttachment, context: RuleContext): Errors {
  yield* present(spec.attacher, SPEC.child('attacher'));
  yield* validateSource(spec.source, SPEC.child('source'), context);
  yield* complaints(SPEC.child('nodeName'), spec.nodeName, checkSubdomain(spec.nodeName));
  yield* validateStatus(status);
}

function* validateSource(source: VolumeAttachmentSource, path: Path, context: RuleContext): Errors {
  const { inlineVolumeSpec: inline, persistentVolumeName: name } = source;
  const detail = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  if (inline && name !== undefined) return yield field.forbidden(path, detail);
  if (inline) yield* validatePersistentVolumeSpec(inline, '', true, path.child('inlineVolumeSpec'), context);
  else if (name === undefined) yield field.required(path, detail);
  else yield* present(name, path.child('persistentVolumeName'), 'must specify non empty persistentVolumeName');
}

function* validateStatus({ attachmentMetadata = {}, attachError, detachError }: VolumeAttachmentStatus): Errors {
  const texts = Object.entries(attachmentMetadata).flat();
  const size = texts.reduce((sum, text) => sum + utf8Length(text), 0);
  if (size > MAX_METADATA_BYTES) yield field.tooLong(STATUS.child('attachmentMetadata'), '', MAX_METADATA_BYTES);
  yield* validateError(attachError, STATUS.child('attachError'));
  yield* validateError(detachError, STATUS.child('detachError'));
}

function* validateError(error: VolumeError | undefined, path: Path): Errors {
  const message = error?.message ?? '';
  if (utf8Length(message) > MAX_MESSAGE_BYTES) yield field.tooLong(path.child('message'), message, MAX_MESSAGE_BYTES);
}

/** What v1beta1 took and later versions do not. */
function* validateNew({ spec }: VolumeAttachment): Errors {
  yield* validateDriverName(spec.attacher, SPEC.child('attacher'));
  const name = spec.source.persistentVolumeName;
  if (name !== undefined) yield* complaints(SPEC.child('source', 'persistentVolumeName'), name, checkSubdomain(name));
}

/** In v1beta1 the status is written with the rest. */
const writesAll = ({ requested }: RuleContext): boolean => requested.version === 'v1beta1';

export const volumeAttachmentRules: Rules<VolumeAttachment> = {
  unconditionalUpdate: false,
  prepareCreate: (attachment, context) => {
    if (!writesAll(context)) clearStatus(attachment);
  },
  prepareUpdate: (attachment, old, context) => {
    if (!writesAll(context)) attachment.status = clone(old.status);
  },
  prepareStatusUpdate: keepAllButStatus,
  validate: (attachment, context) => [...validate(attachment, context)],
  validateCreate: (attachment, context) => (writesAll(context) ? [] : [...validateNew(attachment)]),
  updateChecks: ['alone', 'alone', 'change'],
  validateUpdate: (attachment, old) => immutable(attachment.spec, old.spec, SPEC),
  validateStatusUpdate: (attachment) => [...validateStatus(attachment.status)],
};
