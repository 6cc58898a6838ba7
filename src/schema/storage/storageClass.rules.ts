/** Storage classes: what is checked before one is stored. */
import * as field from '../define/fieldErrors.ts';
import { Path, type FieldErrors } from '../define/fieldErrors.ts';
import type { Rules } from '../define/kind.ts';
import { deepEqual, utf8Length } from '../../std/index.ts';
import { complaints, each, immutable, oneOf, present, sameValue, type Errors } from '../meta/checks.ts';
import type { TopologySelectorLabelRequirement, TopologySelectorTerm } from '../core/topology.ts';
import { checkQualifiedName } from '../values/names.ts';
import type { StorageClass } from './storageClass.ts';

const PARAMETERS = Path.of('parameters');
const MAX_PARAMETERS = 512;
const MAX_PARAMETER_BYTES = 256 * 1024;

function* validate(storageClass: StorageClass): Errors {
  yield* validateProvisioner(storageClass.provisioner, Path.of('provisioner'));
  yield* validateParameters(storageClass.parameters ?? {});
  const { reclaimPolicy = '', volumeBindingMode } = storageClass;
  if (reclaimPolicy !== '') yield* oneOf(reclaimPolicy, ['Delete', 'Retain'], Path.of('reclaimPolicy'));
  if (volumeBindingMode === undefined) yield field.required('volumeBindingMode');
  else yield* oneOf(volumeBindingMode, ['Immediate', 'WaitForFirstConsumer'], Path.of('volumeBindingMode'));
  yield* validateTopologies(storageClass.allowedTopologies ?? [], Path.of('allowedTopologies'));
}

function* validateProvisioner(provisioner: string, path: Path): Errors {
  yield* present(provisioner, path);
  if (provisioner !== '') yield* complaints(path, provisioner, checkQualifiedName(provisioner.toLowerCase()));
}

function* validateParameters(parameters: Readonly<Record<string, string>>): Errors {
  const entries = Object.entries(parameters);
  if (entries.length > MAX_PARAMETERS)
    return yield field.tooLong(PARAMETERS, 'Provisioner Parameters exceeded max allowed', MAX_PARAMETERS);
  for (const [key] of entries) if (key === '') yield field.invalid(PARAMETERS, key, 'field can not be empty.');
  const size = entries.reduce((sum, [key, value]) => sum + utf8Length(key) + utf8Length(value), 0);
  if (size > MAX_PARAMETER_BYTES) yield field.tooLong(PARAMETERS, '', MAX_PARAMETER_BYTES);
}

type Values = Readonly<Record<string, readonly string[]>>;

function* validateTopologies(terms: readonly TopologySelectorTerm[], path: Path): Errors {
  // The reference counts as many empty terms as there are terms before it looks at the first.
  const seen: Values[] = terms.map(() => ({}));
  for (const [i, { matchLabelExpressions = [] }] of terms.entries()) {
    const at = path.index(i).child('matchLabelExpressions');
    yield* each(matchLabelExpressions, at, validateRequirement);
    const keys = matchLabelExpressions.map(({ key }) => key);
    yield* each(keys, at, (key, item, j) => (keys.indexOf(key) < j ? [field.duplicate(item.child('key'), key)] : []));
    const values = valuesOf(matchLabelExpressions);
    for (const other of seen) if (deepEqual(values, other)) yield field.duplicate(at, '');
    seen.push(values);
  }
}

const valuesOf = (requirements: readonly TopologySelectorLabelRequirement[]): Values =>
  Object.fromEntries(requirements.map(({ key, values }) => [key, [...new Set(values)].sort()]));

function* validateRequirement({ key, values }: TopologySelectorLabelRequirement, path: Path): Errors {
  const at = path.child('values');
  if ((values ?? []).length === 0) yield field.required(at);
  yield* each(values, at, (value, item, i) =>
    (values ?? []).indexOf(value) < i ? [field.duplicate(item, value)] : [],
  );
  yield* complaints(path.child('key'), key, checkQualifiedName(key));
}

function validateUpdate(storageClass: StorageClass, old: StorageClass): FieldErrors {
  const fixed = ['parameters', 'provisioner', 'reclaimPolicy'] as const;
  return [
    ...fixed
      .filter((name) => !sameValue(storageClass[name], old[name]))
      .map((name) => field.forbidden(name, `updates to ${name} are forbidden.`)),
    ...immutable(storageClass.volumeBindingMode, old.volumeBindingMode, Path.of('volumeBindingMode')),
  ];
}

export const storageClassRules: Rules<StorageClass> = {
  // An update keeps the field, as in the reference.
  prepareCreate: (storageClass, { gate }) => {
    if (!gate('ExpandPersistentVolumes')) delete storageClass.allowVolumeExpansion;
  },
  validate: (storageClass) => [...validate(storageClass)],
  validateUpdate,
};
