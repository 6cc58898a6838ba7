/** Controller revisions: what is checked before one is stored. */
import * as field from '../define/fieldErrors.ts';
import { Path } from '../define/fieldErrors.ts';
import type { Rules } from '../define/kind.ts';
import { immutable, nonNegative } from '../meta/checks.ts';
import type { ControllerRevision } from './controllerRevision.ts';

export const controllerRevisionRules: Rules<ControllerRevision> = {
  validate: ({ data, revision }) => [
    ...(data === undefined || data === null ? [field.required(Path.of('data'), 'data is mandatory')] : []),
    ...nonNegative(revision, Path.of('revision')),
  ],
  updateChecks: ['metadata', 'alone', 'change'],
  validateUpdate: (object, old) => immutable(object.data, old.data, Path.of('data')),
};
