/**
 * The rules for definitions. They use the older form, with common properties at the top, because the reference's errors
 * refer to it.
 */
import type { Names } from '../../names/index.ts';
import { deepEqual, getOwn } from '../../std/index.ts';
import { markersOf } from '../custom/structural.ts';
import * as field from '../define/fieldErrors.ts';
import { Path, type FieldError, type FieldErrors } from '../define/fieldErrors.ts';
import type { RuleContext, Rules } from '../define/kind.ts';
import { keepAllButStatus } from '../meta/checked.ts';
import { each, immutable, oneOf, present, type Errors } from '../meta/checks.ts';
import { checkServiceLabel, checkSubdomain } from '../values/names.ts';
import { approvalKey, approvalOf, isProtected } from './approval.ts';
import type {
  CustomResourceDefinitionSpecV1beta1,
  CustomResourceDefinitionV1beta1,
  CustomResourceDefinitionVersionV1beta1,
} from './customResourceDefinition.ts';
import {
  hasKnownReviewVersion,
  requireNames,
  validateColumn,
  validateConversion,
  validateDeprecation,
  validateNames,
  validateSubresources,
} from './definitionParts.rules.ts';
import { hasUnprunedDefaults } from './schemaDefaults.rules.ts';
import { requireMapKeys } from './schemaMarkers.rules.ts';
import {
  anySchemaHas,
  hasDefault,
  hasMarker,
  hasSetOfParts,
  hasUnknownType,
  schemasOf,
  takesNull,
} from './schemaParts.ts';
import { isBeyondStructure, validateStructural } from './structural.rules.ts';
import { validateValidation, type ValidationOptions } from './validation.rules.ts';

type Definition = CustomResourceDefinitionV1beta1;
type Spec = CustomResourceDefinitionSpecV1beta1;
type Version = CustomResourceDefinitionVersionV1beta1;

const SPEC = Path.of('spec');
const STATUS = Path.of('status');

export const customResourceDefinitionRules: Rules<Definition> = {
  anyFinalizer: true,
  unconditionalUpdate: false,
  generation: true,
  prepareCreate(definition) {
    Object.assign(definition, {
      status: { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: [] },
    });
    rememberStorage(definition);
  },
  prepareUpdate: rememberStorage,
  prepareStatusUpdate: keepAllButStatus,
  updateChecks: ['metadata', 'change'],
  validate: (definition, context) => [...validateCreate(definition, context)],
  validateUpdate: (definition, old, context) => [...validateUpdate(definition, old, context)],
  validateStatusUpdate: ({ status }) => [...validateNames(status.acceptedNames, STATUS.child('acceptedNames'))],
};

/** Objects may have been stored in the version that stores them now. */
function rememberStorage({ spec, status }: Definition): void {
  const name = spec.versions?.find((version) => version.storage)?.name;
  const stored = status.storedVersions ?? [];
  if (name !== undefined && !stored.includes(name)) status.storedVersions = [...stored, name];
}

/** The requirements for a definition; updates need not meet those that the stored one does not meet. */
interface Options extends ValidationOptions {
  readonly requireSchema: boolean;
  readonly requireKnownReviewVersion: boolean;
}

function optionsFor({ names, requested }: RuleContext, old: Spec | undefined): Options {
  const isBeta = requested.version === 'v1beta1';
  const markers = markersOf(names);
  const oldHas = (test: Parameters<typeof anySchemaHas>[1]): boolean => old !== undefined && anySchemaHas(old, test);
  const reviewVersions = old?.conversion?.conversionReviewVersions ?? [];
  return {
    names,
    markers,
    allowDefaults: !isBeta || oldHas(hasDefault),
    requireSchema: !isBeta && (!old || hasAllSchemas(old)),
    requireKnownTypes: !isBeta && !oldHas(hasUnknownType),
    requireStructural: !isBeta && !(old && hasNonStructural(old, names)),
    requirePruned: !(old && schemasOf(old).some((schema) => hasUnprunedDefaults(schema, names))),
    requireAtomicSets: !oldHas(hasSetOfParts(markers)),
    requireMapKeys: !oldHas((schema) => [...requireMapKeys(schema, Path.root, markers)].length > 0),
    requireKnownReviewVersion: reviewVersions.length === 0 || hasKnownReviewVersion(reviewVersions),
  };
}

const hasAllSchemas = ({ validation, versions }: Spec): boolean =>
  validation?.openAPIV3Schema !== undefined || (versions ?? []).every(({ schema }) => schema?.openAPIV3Schema);

function hasNonStructural(spec: Spec, names: Names): boolean {
  const markers = markersOf(names);
  return schemasOf(spec).some(
    (schema) => isBeyondStructure(schema, markers) || validateStructural(schema, Path.root, markers).length > 0,
  );
}

function* validateCreate(definition: Definition, context: RuleContext): Errors {
  const { metadata, spec } = definition;
  const wanted = `${spec.names.plural}.${spec.group}`;
  if (metadata.name && metadata.name !== wanted)
    yield field.invalid(Path.of('metadata', 'name'), metadata.name, 'must be spec.names.plural+"."+spec.group');
  yield* validateSpec(spec, optionsFor(context, undefined));
  yield* validateRest(definition, undefined, context);
}

function* validateUpdate(definition: Definition, old: Definition, context: RuleContext): Errors {
  const { spec } = definition;
  yield* validateSpec(spec, optionsFor(context, old.spec));
  if (isEstablished(old)) {
    yield* immutable(spec.scope, old.spec.scope, SPEC.child('scope'));
    yield* immutable(spec.names.kind, old.spec.names.kind, SPEC.child('names', 'kind'));
  }
  yield* immutable(spec.group, old.spec.group, SPEC.child('group'));
  yield* immutable(spec.names.plural, old.spec.names.plural, SPEC.child('names', 'plural'));
  yield* validateRest(definition, old, context);
}

const isEstablished = ({ status }: Definition): boolean =>
  (status.conditions ?? []).some((condition) => condition.type === 'Established' && condition.status === 'True');

function* validateRest(definition: Definition, old: Definition | undefined, context: RuleContext): Errors {
  const { spec, status } = definition;
  yield* validateNames(status.acceptedNames, STATUS.child('acceptedNames'));
  yield* validateStored(status.storedVersions ?? [], spec.versions ?? [], STATUS.child('storedVersions'));
  if (context.requested.version === 'v1beta1') return;
  yield* validateApproval(definition, old, context.names);
  if (spec.preserveUnknownFields && !old?.spec.preserveUnknownFields)
    yield field.invalid(
      SPEC.child('preserveUnknownFields'),
      true,
      'cannot set to true: let the schemas say what is kept',
    );
}

function* validateStored(stored: readonly string[], versions: readonly Version[], path: Path): Errors {
  if (stored.length === 0) return yield field.invalid(path, stored, 'must have at least one stored version');
  const unseen = new Set(stored);
  for (const { name, storage } of versions) {
    const isStored = unseen.delete(name);
    if (storage && !isStored) yield field.invalid(path, name, `must have the storage version ${name}`);
  }
  for (const [i, name] of stored.entries())
    if (!versions.some((version) => version.name === name))
      yield field.invalid(path.index(i), name, 'must appear in spec.versions');
}

function validateApproval({ metadata, spec }: Definition, old: Definition | undefined, names: Names): FieldErrors {
  const state = approvalOf(metadata.annotations, names);
  const unchanged = old && approvalOf(old.metadata.annotations, names) === state;
  if (!isProtected(spec.group, names) || unchanged || state === 'approved' || state === 'bypassed') return [];
  const key = approvalKey(names);
  const path = Path.of('metadata', 'annotations').key(key);
  return state === 'missing'
    ? [field.required(path, `protected groups must have approval annotation ${JSON.stringify(key)}`)]
    : [field.invalid(path, getOwn(metadata.annotations, key), 'must be a URL, or begin with "unapproved"')];
}

function* validateSpec(spec: Spec, given: Options): Errors {
  yield* validateGroup(spec.group, SPEC.child('group'));
  if (spec.scope === '') yield field.required(SPEC.child('scope'));
  else yield* oneOf(spec.scope, ['Cluster', 'Namespaced'], SPEC.child('scope'));
  const preserves = spec.preserveUnknownFields !== false;
  yield* requireSchemas(spec, given, preserves);
  const usesDefaults = given.allowDefaults && anySchemaHas(spec, hasDefault);
  if (usesDefaults && preserves)
    yield field.invalid(
      SPEC.child('preserveUnknownFields'),
      true,
      'must be false in order to use defaults in the schema',
    );
  const requireStructural =
    given.requireStructural || !preserves || usesDefaults || anySchemaHas(spec, hasMarker(given.names));
  const options = { ...given, requireStructural };
  yield* validateVersions(spec, options);
  yield* requireNames(spec.names, SPEC.child('names'));
  yield* validateNames(spec.names, SPEC.child('names'));
  yield* validateValidation(spec.validation, hasAnyStatus(spec), options, SPEC.child('validation'));
  yield* validateSubresources(spec.subresources, SPEC.child('subresources'));
  yield* each(spec.additionalPrinterColumns, SPEC.child('additionalPrinterColumns'), validateColumn);
  if (!spec.conversion) return;
  const conversion = SPEC.child('conversion');
  if (preserves && spec.conversion.strategy !== 'None') {
    const why = 'must be None if spec.preserveUnknownFields is true';
    yield field.invalid(conversion.child('strategy'), spec.conversion.strategy, why);
  }
  yield* validateConversion(spec.conversion, given.requireKnownReviewVersion, conversion);
}

function* validateGroup(group: string, path: Path): Errors {
  const wrong = checkSubdomain(group);
  if (group === '') yield* present(group, path);
  else if (wrong.length > 0) yield field.invalid(path, group, wrong.join(','));
  else if (!group.includes('.')) yield field.invalid(path, group, 'should be a domain with at least one dot');
}

function* requireSchemas(spec: Spec, { requireSchema }: Options, preserves: boolean): Errors {
  if (spec.validation?.openAPIV3Schema || (!requireSchema && preserves)) return;
  const why = requireSchema ? 'schemas are required' : 'because otherwise all fields are pruned';
  for (const [i, version] of (spec.versions ?? []).entries())
    if (!version.schema?.openAPIV3Schema && (requireSchema || version.served))
      yield field.required(SPEC.child('versions').index(i).child('schema', 'openAPIV3Schema'), why);
}

const hasAnyStatus = ({ subresources, versions }: Spec): boolean =>
  [subresources, ...(versions ?? []).map((version) => version.subresources)].some((part) => part?.status !== undefined);

function* validateVersions(spec: Spec, options: Options): Errors {
  const versions = spec.versions ?? [];
  const path = SPEC.child('versions');
  const perVersion = versions.some(({ subresources }) => subresources);
  for (const [i, version] of versions.entries()) {
    const at = path.index(i);
    const wrong = checkServiceLabel(version.name);
    if (wrong.length > 0) yield field.invalid(at.child('name'), version.name, wrong.join(','));
    yield* validateDeprecation(version, at.child('deprecationWarning'));
    const { status } = (perVersion ? version.subresources : spec.subresources) ?? {};
    // A schema in which null is a value is refused below, and the reference says no more of it.
    if (!version.schema || !takesNull(version.schema))
      yield* validateValidation(version.schema, status !== undefined, options, at.child('schema'));
    yield* validateSubresources(version.subresources, at.child('subresources'));
    yield* each(version.additionalPrinterColumns, at.child('additionalPrinterColumns'), validateColumn);
  }
  yield* validateHoisting(spec, versions);
  const names = versions.map(({ name }) => name);
  if (new Set(names).size < names.length) yield field.invalid(path, names, 'must contain unique version names');
  if (versions.filter(({ storage }) => storage).length !== 1)
    yield field.invalid(path, names, 'must have exactly one version marked as storage version');
  yield* validateFirst(spec.version ?? '', names);
}

/** What all versions have in common stands at the top, and nowhere else. */
function* validateHoisting(spec: Spec, versions: readonly Version[]): Errors {
  const parts: readonly [string, unknown, (version: Version) => unknown][] = [
    ['validation', spec.validation, ({ schema }) => schema],
    ['subresources', spec.subresources, ({ subresources }) => subresources],
    ['additionalPrinterColumns', spec.additionalPrinterColumns, (version) => version.additionalPrinterColumns],
  ];
  for (const [name, common, of] of parts) {
    if (common !== undefined && versions.some((version) => of(version) !== undefined))
      yield field.forbidden(SPEC.child(name), `top-level and per-version ${name} are mutually exclusive`);
  }
  for (const [name, , of] of parts) if (areTheSame(versions.map(of))) yield identical(name);
}

const areTheSame = ([first, ...others]: readonly unknown[]): boolean =>
  first !== undefined && others.every((other) => deepEqual(other, first));

const identical = (name: string): FieldError =>
  field.invalid(SPEC.child('versions'), '', `per-version ${name} may not all be identical: say it once at the top`);

/** The older form names the first version once more. */
function* validateFirst(version: string, names: readonly string[]): Errors {
  if (version === '') return;
  const path = SPEC.child('version');
  const wrong = checkServiceLabel(version);
  if (wrong.length > 0) yield field.invalid(path, version, wrong.join(','));
  if (names.length > 0 && names[0] !== version)
    yield field.invalid(path, version, 'must match the first version in spec.versions');
}
