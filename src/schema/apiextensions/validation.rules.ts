/** Validates the schema of a version, or of all versions: its root, and everything below. */
import type { Names } from '../../names/index.ts';
import * as field from '../define/fieldErrors.ts';
import type { FieldErrors, Path } from '../define/fieldErrors.ts';
import type { CustomResourceValidation } from './customResourceDefinition.ts';
import type { JSONSchemaProps } from './jsonSchemaProps.ts';
import { validateSchema } from './schema.rules.ts';
import type { SchemaOptions } from './schemaOptions.ts';
import { validateDefaults } from './schemaDefaults.rules.ts';
import { isBeyondStructure, validateStructural } from './structural.rules.ts';

export interface ValidationOptions extends SchemaOptions {
  readonly names: Names;
  readonly requireStructural: boolean;
  readonly requirePruned: boolean;
}

export function validateValidation(
  validation: CustomResourceValidation | undefined,
  hasStatus: boolean,
  options: ValidationOptions,
  path: Path,
): FieldErrors {
  const schema = validation?.openAPIV3Schema;
  if (!schema) return [];
  const at = path.child('openAPIV3Schema');
  const errors = [
    ...(hasStatus ? validateRoot(schema, at, options) : []),
    ...(schema.nullable ? [field.forbidden(at.child('nullable'), 'nullable cannot be true at the root')] : []),
    ...validateSchema(schema, at, options),
  ];
  return options.requireStructural ? [...errors, ...structureErrors(schema, at, options, errors.length > 0)] : errors;
}

function structureErrors(
  schema: JSONSchemaProps,
  path: Path,
  options: ValidationOptions,
  isWrong: boolean,
): FieldErrors {
  const { markers, names, requirePruned } = options;
  // Unsupported keywords were reported before.
  if (isBeyondStructure(schema, markers)) return isWrong ? [] : [field.invalid(path, '', 'says what is not supported')];
  const errors = validateStructural(schema, path, markers);
  return errors.length > 0 ? errors : [...validateDefaults(schema, path, names, requirePruned)];
}

/** With a status subresource, the root may contain only these keywords. */
const AT_ROOT: ReadonlySet<string> = new Set([
  ...['description', 'type', 'format', 'title', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'],
  ...['maxLength', 'minLength', 'pattern', 'maxItems', 'minItems', 'uniqueItems', 'multipleOf', 'required', 'items'],
  ...['properties', 'externalDocs', 'example'],
]);

/** Only the first thing that is wrong is told. */
function validateRoot(schema: JSONSchemaProps, path: Path, { markers }: SchemaOptions): FieldErrors {
  const others = Object.keys(schema).filter((name) => !AT_ROOT.has(name) && name !== markers.preserveUnknownFields);
  const { type = '' } = schema;
  const early = others.some((name) => ['id', '$schema', '$ref'].includes(name));
  if (type !== '' && type !== 'object' && !early)
    return [
      field.invalid(path.child('type'), type, 'only "object" is allowed at the root if the status is a subresource'),
    ];
  const why = `only ${[...AT_ROOT].join(', ')} are allowed at the root of the schema if the status is a subresource`;
  return others.length > 0 ? [field.invalid(path, others, why)] : [];
}
