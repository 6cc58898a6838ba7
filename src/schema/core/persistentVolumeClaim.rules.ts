/** Claims for persistent volumes: what is prepared and checked before one is stored. */
import { getOwn } from '../../std/index.ts';
import * as field from '../define/fieldErrors.ts';
import { Path } from '../define/fieldErrors.ts';
import type { RuleContext, Rules } from '../define/kind.ts';
import type { Names } from '../../names/index.ts';
import { keepSpec } from '../meta/keepSpec.ts';
import { complaints, immutable, oneOf, sameValue, type Errors } from '../meta/checks.ts';
import { validateLabelSelector } from '../meta/labelSelector.rules.ts';
import { checkSubdomain } from '../values/names.ts';
import { compareQuantities, quantityOf } from '../values/quantity.ts';
import { ACCESS_MODES, VOLUME_MODES } from './persistentVolume.rules.ts';
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from './persistentVolumeClaim.ts';

const SPEC = Path.of('spec');

/** The claim itself; pods have templates of such. */
export function* validateClaimSpec(spec: PersistentVolumeClaimSpec, at: Path): Errors {
  if ((spec.accessModes ?? []).length === 0)
    yield field.required(at.child('accessModes'), 'at least 1 access mode is required');
  yield* validateLabelSelector(spec.selector, at.child('selector'));
  for (const mode of spec.accessModes ?? []) yield* oneOf(mode, ACCESS_MODES, at.child('accessModes'));
  const storage = spec.resources.requests?.['storage'];
  const path = at.child('resources').key('storage');
  if (storage === undefined) yield field.required(path);
  else if (quantityOf(storage).sign <= 0) yield field.invalid(path, storage, 'must be greater than zero');
  if (spec.storageClassName)
    yield* complaints(at.child('storageClassName'), spec.storageClassName, checkSubdomain(spec.storageClassName));
  if (spec.volumeMode !== undefined) yield* oneOf(spec.volumeMode, VOLUME_MODES, at.child('volumeMode'));
  yield* validateDataSource(spec.dataSource, at.child('dataSource'));
}

function* validateDataSource(source: PersistentVolumeClaimSpec['dataSource'], path: Path): Errors {
  if (!source) return;
  if (source.name === '') yield field.required(path.child('name'));
  if (source.kind === '') yield field.required(path.child('kind'));
  if (!source.apiGroup && source.kind !== 'PersistentVolumeClaim') yield field.invalid(path, source.kind, '');
}

const classAnnotation = (names: Names): string => names.fill('volume.beta.{label}/storage-class');

/** The class of a claim may be moved from the annotation to the newer field. */
function movesClass(claim: PersistentVolumeClaim, old: PersistentVolumeClaim, names: Names): boolean {
  const key = classAnnotation(names);
  const [now, before] = [getOwn(claim.metadata.annotations, key), getOwn(old.metadata.annotations, key)];
  const keepsAnnotation = now === undefined || now === before;
  return (
    before !== undefined &&
    old.spec.storageClassName === undefined &&
    claim.spec.storageClassName === before &&
    keepsAnnotation
  );
}

function* validateUpdate(
  claim: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
  { names, gate }: RuleContext,
): Errors {
  const key = classAnnotation(names);
  const moves = movesClass(claim, old, names);
  if (!moves)
    yield* immutable(
      getOwn(claim.metadata.annotations, key) ?? '',
      getOwn(old.metadata.annotations, key) ?? '',
      Path.of('metadata', 'annotations', key),
    );
  const grows = gate('ExpandPersistentVolumes');
  if (!sameValue(comparable(claim, old, moves, grows), old.spec)) {
    yield field.forbidden(
      SPEC,
      grows
        ? 'is immutable after creation except resources.requests for bound claims'
        : 'field is immutable after creation',
    );
  }
  const [size, before] = [claim.spec.resources.requests?.['storage'], old.spec.resources.requests?.['storage']];
  if (grows && compareQuantities(size, before) < 0)
    yield field.forbidden(SPEC.child('resources', 'requests', 'storage'), 'field can not be less than previous value');
  yield* immutable(claim.spec.volumeMode, old.spec.volumeMode, Path.of('volumeMode'));
}

/** The new spec with everything that may change as it was before: a volume is bound once, a bound claim may grow. */
function comparable(
  { spec, status }: PersistentVolumeClaim,
  { spec: old }: PersistentVolumeClaim,
  moves: boolean,
  grows: boolean,
): object {
  const { volumeName, storageClassName, ...rest } = spec;
  const { requests, ...resources } = spec.resources;
  const storage = old.resources.requests?.['storage'];
  const amounts =
    grows && status.phase === 'Bound' && requests && storage !== undefined ? { ...requests, storage } : requests;
  return {
    ...rest,
    ...(old.volumeName ? { volumeName } : {}),
    ...(moves ? {} : { storageClassName }),
    resources: { ...resources, ...(amounts ? { requests: amounts } : {}) },
  };
}

/** A volume can be filled from another claim or from a snapshot; from anything else only behind a gate. */
function dropDataSource(
  { spec }: PersistentVolumeClaim,
  old: PersistentVolumeClaim | undefined,
  { gate, names }: RuleContext,
): void {
  const { dataSource: source } = spec;
  if (!source || old?.spec.dataSource || gate('AnyVolumeDataSource')) return;
  const fromClaim = source.kind === 'PersistentVolumeClaim' && !source.apiGroup;
  const fromSnapshot = source.kind === 'VolumeSnapshot' && source.apiGroup === names.fill('snapshot.storage.{domain}');
  if (!fromClaim && !fromSnapshot) delete spec.dataSource;
}

function* validateStatusUpdate({ status }: PersistentVolumeClaim): Errors {
  for (const [name, amount] of Object.entries(status.capacity ?? {})) {
    if (quantityOf(amount).value() < 0)
      yield field.invalid(Path.of('status', 'capacity').key(name), amount, 'must be a valid resource quantity');
  }
}

export const persistentVolumeClaimRules: Rules<PersistentVolumeClaim> = {
  prepareCreate: (claim, context) => {
    claim.status = {};
    dropDataSource(claim, undefined, context);
  },
  prepareUpdate: dropDataSource,
  prepareStatusUpdate: keepSpec,
  validate: ({ spec }) => [...validateClaimSpec(spec, SPEC)],
  updateChecks: ['alone', 'metadata', 'alone', 'change'],
  validateUpdate: (claim, old, context) => [...validateUpdate(claim, old, context)],
  validateStatusUpdate: (claim) => [...validateStatusUpdate(claim)],
};
