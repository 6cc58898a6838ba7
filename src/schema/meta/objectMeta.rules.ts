/** What metadata has to obey, whatever the kind. */
import { utf8Length } from '../../std/index.ts';
import * as field from '../define/fieldErrors.ts';
import { Path, type FieldError, type FieldErrors } from '../define/fieldErrors.ts';
import type { Names } from '../../names/index.ts';
import type { ManagedFieldsEntry, ObjectMeta, OwnerReference, Rules } from '../define/kind.ts';
import {
  checkLabel,
  checkLabelValue,
  checkPathSegment,
  checkPathSegmentPrefix,
  checkQualifiedName,
  checkServiceLabel,
  checkSubdomain,
  maskTrailingHyphen,
  type Complaints,
} from '../values/names.ts';
import { complaints, immutable, nonNegative } from './checks.ts';

type NameRule = NonNullable<Rules<never>['name']>;

export interface MetaOptions {
  readonly namespaced: boolean;
  readonly name: NameRule;
  /** The finalizers that need no domain; undefined where any will do. */
  readonly finalizers?: readonly string[];
}

/** All annotations of an object together: keys and values. */
const MAX_ANNOTATION_BYTES = 256 * 1024;

/** The finalizers that need no domain: the namespace's own, and the garbage collector's. */
export const standardFinalizers = (names: Names): readonly string[] => [names.product, 'orphan', 'foregroundDeletion'];

const METADATA = Path.of('metadata');

/** Applies the name rule to a name, or to the prefix of a generated one. */
function checkName(rule: NameRule, text: string, prefix: boolean): Complaints {
  if (typeof rule === 'function') return rule(prefix ? maskTrailingHyphen(text) : text);
  if (rule === 'pathSegment') return prefix ? checkPathSegmentPrefix(text) : checkPathSegment(text);
  const check = rule === 'label' ? checkLabel : rule === 'serviceLabel' ? checkServiceLabel : checkSubdomain;
  return check(prefix ? maskTrailingHyphen(text) : text);
}

/** The rules for metadata as such, for a new object and for a changed one alike. */
export function validateObjectMeta(metadata: ObjectMeta, options: MetaOptions, path = METADATA): FieldErrors {
  const {
    generateName = '',
    name = '',
    labels,
    annotations,
    ownerReferences = [],
    finalizers = [],
    managedFields = [],
  } = metadata;
  return [
    ...(generateName === ''
      ? []
      : complaints(path.child('generateName'), generateName, checkName(options.name, generateName, true))),
    ...(name === ''
      ? [field.required(path.child('name'), 'name or generateName is required')]
      : complaints(path.child('name'), name, checkName(options.name, name, false))),
    ...validateNamespace(metadata.namespace ?? '', options.namespaced, path.child('namespace')),
    ...nonNegative(metadata.generation, path.child('generation')),
    ...validateLabels(labels, path.child('labels')),
    ...validateAnnotations(annotations, path.child('annotations')),
    ...validateOwners(ownerReferences, path.child('ownerReferences')),
    ...validateFinalizers(finalizers, path.child('finalizers')),
    ...validateManagedFields(managedFields, path.child('managedFields')),
    ...unknownFinalizers(finalizers, options.finalizers, path.child('finalizers')),
  ];
}

function validateNamespace(namespace: string, namespaced: boolean, path: Path): FieldErrors {
  if (!namespaced) return namespace === '' ? [] : [field.forbidden(path, 'not allowed on this type')];
  return namespace === '' ? [field.required(path)] : complaints(path, namespace, checkLabel(namespace));
}

/** Names and values of labels. */
export function validateLabels(labels: Readonly<Record<string, string>> | null | undefined, path: Path): FieldErrors {
  const errors: FieldError[] = [];
  if (labels) {
    for (const key of Object.keys(labels)) {
      const value = labels[key] as string;
      errors.push(...complaints(path, key, checkQualifiedName(key)));
      errors.push(...complaints(path, value, checkLabelValue(value)));
    }
  }
  return errors;
}

/** Names of annotations (in any case), and the size of all of them. */
export function validateAnnotations(
  annotations: Readonly<Record<string, string>> | null | undefined,
  path: Path,
): FieldErrors {
  const errors: FieldError[] = [];
  if (!annotations) return errors;
  let characters = 0;
  for (const key of Object.keys(annotations)) {
    errors.push(...complaints(path, key, checkQualifiedName(key.toLowerCase())));
    characters += key.length + (annotations[key] as string).length;
  }
  // A character needs at most three bytes, so most annotations need no exact count.
  if (characters * 3 > MAX_ANNOTATION_BYTES && bytesOf(Object.entries(annotations)) > MAX_ANNOTATION_BYTES)
    errors.push(field.tooLong(path, '', MAX_ANNOTATION_BYTES));
  return errors;
}

const bytesOf = (entries: readonly (readonly [string, string])[]): number =>
  entries.reduce((sum, [key, value]) => sum + utf8Length(key) + utf8Length(value), 0);

function validateOwners(owners: readonly OwnerReference[], path: Path): FieldErrors {
  const errors: FieldError[] = [];
  let controller: string | undefined;
  for (const owner of owners) {
    errors.push(...validateOwner(owner, path));
    if (!owner.controller) continue;
    if (controller === undefined) controller = owner.name;
    else
      errors.push(
        field.invalid(
          path,
          owners,
          `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${owner.name}`,
        ),
      );
  }
  return errors;
}

function validateOwner(owner: OwnerReference, path: Path): FieldErrors {
  const errors: FieldError[] = [];
  if (!/^([^/]*\/)?[^/]+$/.test(owner.apiVersion))
    errors.push(field.invalid(path.child('apiVersion'), owner.apiVersion, 'version must not be empty'));
  for (const name of ['kind', 'name', 'uid'] as const)
    if (owner[name] === '') errors.push(field.invalid(path.child(name), '', `${name} must not be empty`));
  if (owner.apiVersion === 'v1' && owner.kind === 'Event')
    errors.push(field.invalid(path, owner, '/v1, Kind=Event is disallowed from being an owner'));
  return errors;
}

function validateFinalizers(finalizers: readonly string[], path: Path): FieldErrors {
  const errors: FieldError[] = finalizers.flatMap((finalizer) => [
    ...complaints(path, finalizer, checkQualifiedName(finalizer)),
  ]);
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    errors.push(field.invalid(path, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set'));
  }
  return errors;
}

/** Whether each finalizer has a domain or is one of the few that need none. */
function unknownFinalizers(
  finalizers: readonly string[],
  standard: readonly string[] | undefined,
  path: Path,
): FieldErrors {
  return standard
    ? finalizers.flatMap((finalizer, i) => [...unknownFinalizer(finalizer, standard, path.index(i))])
    : [];
}

function unknownFinalizer(finalizer: string, standard: readonly string[], path: Path): FieldErrors {
  if (finalizer.includes('/') || standard.includes(finalizer)) return [];
  return [field.invalid(path, finalizer, 'name is neither a standard finalizer name nor is it fully qualified')];
}

/** The rules for one finalizer of a spec (namespaces). */
export function validateFinalizerName(finalizer: string, standard: readonly string[], path: Path): FieldErrors {
  return [
    ...complaints(path, finalizer, checkQualifiedName(finalizer)),
    ...unknownFinalizer(finalizer, standard, path),
  ];
}

function validateManagedFields(entries: readonly ManagedFieldsEntry[], path: Path): FieldErrors {
  return entries.flatMap((entry, i) => {
    const errors: FieldError[] = [];
    if (entry.operation !== 'Apply' && entry.operation !== 'Update')
      errors.push(
        field.invalid(path.index(i).child('operation'), entry.operation ?? '', 'must be `Apply` or `Update`'),
      );
    if ((entry.fieldsType ?? '') !== '' && entry.fieldsType !== 'FieldsV1')
      errors.push(field.invalid(path.index(i).child('fieldsType'), entry.fieldsType, 'must be `FieldsV1`'));
    return errors;
  });
}

const FIXED = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'clusterName',
] as const;

/** What an update may not do to metadata. */
export function validateObjectMetaUpdate(
  metadata: ObjectMeta,
  old: ObjectMeta,
  options: Pick<MetaOptions, 'finalizers'> = {},
  path = METADATA,
): FieldErrors {
  const { labels, annotations, ownerReferences = [], finalizers = [], managedFields = [] } = metadata;
  const errors: FieldError[] = [];
  if (old.deletionTimestamp !== undefined)
    errors.push(...noNewFinalizers(finalizers, old.finalizers ?? [], path.child('finalizers')));
  if (!metadata.resourceVersion)
    errors.push(field.invalid(path.child('resourceVersion'), '', 'must be specified for an update'));
  if ((metadata.generation ?? 0) < (old.generation ?? 0))
    errors.push(field.invalid(path.child('generation'), metadata.generation ?? 0, 'must not be decremented'));
  for (const name of FIXED)
    if (metadata[name] !== old[name]) errors.push(...immutable(metadata[name], old[name], path.child(name)));
  return [
    ...errors,
    ...validateLabels(labels, path.child('labels')),
    ...validateAnnotations(annotations, path.child('annotations')),
    ...validateOwners(ownerReferences, path.child('ownerReferences')),
    ...validateManagedFields(managedFields, path.child('managedFields')),
    ...unknownFinalizers(finalizers, options.finalizers, path.child('finalizers')),
  ];
}

function noNewFinalizers(finalizers: readonly string[], old: readonly string[], path: Path): FieldErrors {
  const extra = finalizers.filter((finalizer) => !old.includes(finalizer)).sort();
  return extra.length === 0
    ? []
    : [
        field.forbidden(
          path,
          `no new finalizers can be added if the object is being deleted, found new finalizers ${JSON.stringify(extra)}`,
        ),
      ];
}
