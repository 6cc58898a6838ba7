/** The rules for the parts of definitions other than schemas: names, columns, subresources, conversion. */
import { utf8Length } from '../../std/index.ts';
import * as field from '../define/fieldErrors.ts';
import type { FieldErrors, Path } from '../define/fieldErrors.ts';
import { each, present, type Errors } from '../meta/checks.ts';
import { validateClientConfig } from '../meta/webhook.rules.ts';
import { checkServiceLabel, type Complaints } from '../values/names.ts';
import type {
  CustomResourceColumnDefinitionV1beta1,
  CustomResourceConversionV1beta1,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionVersionV1beta1,
  CustomResourceSubresources,
} from './customResourceDefinition.ts';

/** All that is wrong with a text as one error. */
function inOne(path: Path, value: string, complaints: Complaints, lead = ''): FieldErrors {
  return complaints.length === 0 ? [] : [field.invalid(path, value, lead + complaints.join(','))];
}

const label = (text: string, path: Path): FieldErrors => inOne(path, text, checkServiceLabel(text));

/** Validates names, both requested and accepted ones. */
export function* validateNames(names: CustomResourceDefinitionNames, path: Path): Errors {
  const { plural, singular = '', kind, listKind = '' } = names;
  if (plural) yield* label(plural, path.child('plural'));
  if (singular) yield* label(singular, path.child('singular'));
  if (kind) yield* kindLabel(kind, path.child('kind'));
  if (listKind) yield* kindLabel(listKind, path.child('listKind'));
  yield* each(names.shortNames, path.child('shortNames'), label);
  if (kind && kind === listKind)
    yield field.invalid(path.child('listKind'), listKind, 'kind and listKind may not be the same');
  yield* each(names.categories, path.child('categories'), label);
}

const kindLabel = (kind: string, path: Path): FieldErrors =>
  inOne(path, kind, checkServiceLabel(kind.toLowerCase()), 'may have mixed case, but should otherwise match: ');

/** A definition has to have all of its names. */
export function* requireNames(names: CustomResourceDefinitionNames, path: Path): Errors {
  yield* present(names.plural, path.child('plural'));
  yield* present(names.singular, path.child('singular'));
  yield* present(names.kind, path.child('kind'));
  yield* present(names.listKind, path.child('listKind'));
}

/** Of what clients are warned who use a version that is deprecated. */
export function* validateDeprecation(
  { deprecated = false, deprecationWarning: text }: CustomResourceDefinitionVersionV1beta1,
  path: Path,
): Errors {
  if (text === undefined) return;
  if (!deprecated) return yield field.invalid(path, text, 'can only be set for deprecated versions');
  if (utf8Length(text) > MAX_WARNING_BYTES)
    yield field.invalid(path, text, `must be <= ${MAX_WARNING_BYTES} characters long`);
  if (text === '') yield field.invalid(path, text, 'must not be empty');
  const index = text.search(UNPRINTABLE);
  if (index < 0) return;
  const where = utf8Length(text.slice(0, index));
  const why = `must only contain printable UTF-8 characters; non-printable character found at index ${where}`;
  yield field.invalid(path, text, why);
}

const MAX_WARNING_BYTES = 256;
const UNPRINTABLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];
const COLUMN_FORMATS = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

export function* validateColumn(column: CustomResourceColumnDefinitionV1beta1, path: Path): Errors {
  const { name, type, format = '', JSONPath } = column;
  yield* present(name, path.child('name'));
  const types = `must be one of ${COLUMN_TYPES.join(',')}`;
  if (type === '') yield field.required(path.child('type'), types);
  else if (!COLUMN_TYPES.includes(type)) yield field.invalid(path.child('type'), type, types);
  if (format !== '' && !COLUMN_FORMATS.includes(format))
    yield field.invalid(path.child('format'), format, `must be one of ${COLUMN_FORMATS.join(',')}`);
  if (JSONPath === '') yield field.required(path.child('JSONPath'));
  else yield* simplePath(JSONPath, path.child('JSONPath'));
}

const simplePath = (text: string, path: Path): FieldErrors =>
  text.startsWith('.') ? [] : [field.invalid(path, text, 'must be a simple json path starting with .')];

export function* validateSubresources(subresources: CustomResourceSubresources | undefined, path: Path): Errors {
  const scale = subresources?.scale;
  if (!scale) return;
  yield* replicasPath(scale.specReplicasPath, '.spec', path.child('scale.specReplicasPath'));
  yield* replicasPath(scale.statusReplicasPath, '.status', path.child('scale.statusReplicasPath'));
  const { labelSelectorPath = '' } = scale;
  if (labelSelectorPath === '') return;
  const at = path.child('scale.labelSelectorPath');
  const wrong = simplePath(labelSelectorPath, at);
  yield* wrong;
  if (wrong.length === 0 && !/^\.(spec|status)\./.test(labelSelectorPath))
    yield field.invalid(at, labelSelectorPath, 'should be a json path under either .spec or .status');
}

function* replicasPath(text: string, root: string, path: Path): Errors {
  if (text === '') return yield field.required(path);
  const wrong = simplePath(text, path);
  yield* wrong;
  if (wrong.length === 0 && !text.startsWith(`${root}.`))
    yield field.invalid(path, text, `should be a json path under ${root}`);
}

const STRATEGIES = ['None', 'Webhook'];
const REVIEW_VERSIONS = ['v1', 'v1beta1'];

export const hasKnownReviewVersion = (versions: readonly string[]): boolean =>
  versions.some((version) => REVIEW_VERSIONS.includes(version));

/** `requireKnown`: of the versions in which the webhook is asked, one has to be known. */
export function* validateConversion(
  conversion: CustomResourceConversionV1beta1,
  requireKnown: boolean,
  path: Path,
): Errors {
  const { strategy, webhookClientConfig, conversionReviewVersions = [] } = conversion;
  if (strategy === '') yield field.required(path.child('strategy'));
  else if (!STRATEGIES.includes(strategy)) yield field.notSupported(path.child('strategy'), strategy, STRATEGIES);
  const [config, versions] = [path.child('webhookClientConfig'), path.child('conversionReviewVersions')];
  if (strategy === 'Webhook') {
    if (webhookClientConfig) yield* validateClientConfig(webhookClientConfig, config);
    else yield field.required(config, 'required when strategy is set to Webhook');
    yield* validateReviewVersions(conversionReviewVersions, requireKnown, versions);
    return;
  }
  const why = 'should not be set when strategy is not set to Webhook';
  if (webhookClientConfig) yield field.forbidden(config, why);
  if (conversionReviewVersions.length > 0) yield field.forbidden(versions, why);
}

function* validateReviewVersions(versions: readonly string[], requireKnown: boolean, path: Path): Errors {
  if (versions.length === 0) return yield field.required(path);
  for (const [i, version] of versions.entries()) {
    if (versions.indexOf(version) < i) yield field.invalid(path.index(i), version, 'duplicate version');
    else for (const complaint of checkServiceLabel(version)) yield field.invalid(path.index(i), version, complaint);
  }
  if (requireKnown && !hasKnownReviewVersion(versions))
    yield field.invalid(path, versions, `must include at least one of ${REVIEW_VERSIONS.join(', ')}`);
}
