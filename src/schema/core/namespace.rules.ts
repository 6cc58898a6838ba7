/** Namespaces: what is prepared and checked before one is stored. */
import * as field from '../define/fieldErrors.ts';
import { Path, type FieldErrors } from '../define/fieldErrors.ts';
import type { RuleContext, Rules } from '../define/kind.ts';
import { keepSpec } from '../meta/keepSpec.ts';
import { each } from '../meta/checks.ts';
import { standardFinalizers, validateFinalizerName } from '../meta/objectMeta.rules.ts';
import type { Namespace } from './namespace.ts';

const FINALIZERS = Path.of('spec', 'finalizers');

function validatePhase({ metadata, status }: Namespace): FieldErrors {
  const deleted = metadata.deletionTimestamp !== undefined;
  const phase = deleted ? 'Terminating' : 'Active';
  if (status.phase === phase) return [];
  return [
    field.invalid(
      Path.of('status', 'Phase'),
      status.phase ?? '',
      `may only be '${phase}' if \`deletionTimestamp\` is ${deleted ? 'not ' : ''}empty`,
    ),
  ];
}

/** The rules for a write to `/finalize`, which alone may change the spec's finalizers. */
export function validateNamespaceFinalize({ spec }: Namespace, { names }: RuleContext): FieldErrors {
  return [
    ...each(spec.finalizers, FINALIZERS, (finalizer, at) =>
      validateFinalizerName(finalizer, standardFinalizers(names), at),
    ),
  ];
}

export const namespaceRules: Rules<Namespace> = {
  name: 'label',
  prepareCreate: (namespace, { names }) => {
    namespace.status = { phase: 'Active' };
    const finalizers = namespace.spec.finalizers ?? [];
    if (!finalizers.includes(names.product)) namespace.spec.finalizers = [...finalizers, names.product];
  },
  prepareUpdate: (namespace, old) => {
    namespace.spec = old.spec;
  },
  prepareStatusUpdate: keepSpec,
  validate: ({ spec }, { names }) =>
    (spec.finalizers ?? []).flatMap((finalizer) =>
      validateFinalizerName(finalizer, standardFinalizers(names), FINALIZERS),
    ),
  validateStatusUpdate: validatePhase,
  holdsDeletion: ({ spec }) => (spec.finalizers ?? []).length > 0,
  views: {
    finalize: {
      prepare: (namespace, old) => {
        namespace.status = old.status;
      },
      validate: (namespace, _old, context) => validateNamespaceFinalize(namespace, context),
    },
  },
};
