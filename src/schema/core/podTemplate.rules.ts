/** Pod templates: what is prepared and checked before one is stored. */
import { Path } from '../define/fieldErrors.ts';
import type { Rules } from '../define/kind.ts';
import { dropDisabledPodFields } from './podFields.ts';
import { validatePodTemplate } from './podSpec.rules.ts';
import type { PodTemplate } from './podTemplate.ts';

const TEMPLATE = Path.of('template');

export const podTemplateRules: Rules<PodTemplate> = {
  prepareCreate: ({ template }, context) => dropDisabledPodFields(template.spec, undefined, context),
  prepareUpdate: ({ template }, old, context) => dropDisabledPodFields(template.spec, old.template.spec, context),
  validate: ({ template }, context) => [...validatePodTemplate(template, TEMPLATE, context)],
  updateChecks: ['metadata', 'change'],
  validateUpdate: ({ template }, _old, context) => [...validatePodTemplate(template, TEMPLATE, context)],
};
