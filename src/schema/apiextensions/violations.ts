/** What keeps the schemas of a definition from being structural: shown in its status, for older definitions are taken all the same. */
import type { Names } from '../../names/index.ts';
import { markersOf } from '../custom/structural.ts';
import * as field from '../define/fieldErrors.ts';
import { Path, type FieldErrors } from '../define/fieldErrors.ts';
import type { CustomResourceDefinition } from './customResourceDefinition.ts';
import { isBeyondStructure, validateStructural } from './structural.rules.ts';

export interface Violations {
  /** The version whose schema can't be structural. */
  readonly beyond: string | undefined;
  readonly errors: FieldErrors;
}

export function structuralViolations(names: Names, { spec }: CustomResourceDefinition): Violations {
  const markers = markersOf(names);
  const schemas = (spec.versions ?? []).map(({ name, schema }) => ({ name, schema: schema?.openAPIV3Schema }));
  const beyond = schemas.find(({ schema }) => schema && isBeyondStructure(schema, markers))?.name;
  const kept = Path.of('spec', 'preserveUnknownFields');
  const at = (i: number): Path => Path.of('spec', 'versions').index(i).child('schema', 'openAPIV3Schema');
  return {
    beyond,
    errors: [
      ...(spec.preserveUnknownFields ? [field.invalid(kept, true, 'must be false')] : []),
      ...schemas.flatMap(({ schema }, i) => (schema ? validateStructural(schema, at(i), markers) : [])),
    ],
  };
}
