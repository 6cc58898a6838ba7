/** Cron jobs: what is prepared and checked before one is stored. */
import * as field from '../define/fieldErrors.ts';
import { Path } from '../define/fieldErrors.ts';
import type { RuleContext, Rules } from '../define/kind.ts';
import { dropDisabledTemplateFields } from '../apps/workload.rules.ts';
import { keepSpec } from '../meta/keepSpec.ts';
import { clearStatus, nonNegative, oneOf, type Errors } from '../meta/checks.ts';
import { isSchedule, parseSchedule } from '../values/cron.ts';
import type { CronJob, CronJobSpec } from './cronJob.ts';
import { validateJobTemplate } from './job.rules.ts';

const SPEC = Path.of('spec');
/** A job's name is the cron job's and eleven characters more, and it has to fit into a label. */
const MAX_NAME = 52;

function* validateSpec(spec: CronJobSpec, context: RuleContext): Errors {
  yield* validateSchedule(spec.schedule, SPEC.child('schedule'));
  yield* nonNegative(spec.startingDeadlineSeconds, SPEC.child('startingDeadlineSeconds'));
  if (!spec.concurrencyPolicy) yield field.required(SPEC.child('concurrencyPolicy'));
  else yield* oneOf(spec.concurrencyPolicy, ['Allow', 'Forbid', 'Replace'], SPEC.child('concurrencyPolicy'));
  yield* validateTemplate(spec, SPEC.child('jobTemplate', 'spec'), context);
  yield* nonNegative(spec.successfulJobsHistoryLimit, SPEC.child('successfulJobsHistoryLimit'));
  yield* nonNegative(spec.failedJobsHistoryLimit, SPEC.child('failedJobsHistoryLimit'));
}

function* validateSchedule(schedule: string, path: Path): Errors {
  if (schedule === '') return yield field.required(path);
  const parsed = parseSchedule(schedule);
  if (!isSchedule(parsed)) yield field.invalid(path, schedule, parsed.error);
}

/** Each job gets a selector of its own, so that the template can't have one. */
function* validateTemplate({ jobTemplate }: CronJobSpec, path: Path, context: RuleContext): Errors {
  const spec = jobTemplate.spec ?? { template: {} };
  yield* validateJobTemplate(spec, path, context);
  if (spec.selector) yield field.invalid(path.child('selector'), spec.selector, '`selector` will be auto-generated');
  if (spec.manualSelector) yield field.notSupported(path.child('manualSelector'), true, ['nil', 'false']);
}

export const cronJobRules: Rules<CronJob> = {
  dependents: ({ version }) => (version === 'v2alpha1' || version === 'v1beta1' ? 'orphan' : 'background'),
  prepareCreate: (object, context) => {
    clearStatus(object);
    dropDisabledTemplateFields(object.spec.jobTemplate ?? {}, undefined, context);
  },
  prepareUpdate: (object, old, context) =>
    dropDisabledTemplateFields(object.spec.jobTemplate ?? {}, old.spec.jobTemplate, context),
  prepareStatusUpdate: keepSpec,
  anyStatus: true,
  validate: (object, context) => {
    const { name = '' } = object.metadata;
    const long =
      name.length > MAX_NAME
        ? [field.invalid('metadata.name', name, `must be no more than ${MAX_NAME} characters`)]
        : [];
    return [...validateSpec(object.spec, context), ...long];
  },
  updateChecks: ['metadata', 'change'],
  validateUpdate: (object, _old, context) => [...validateSpec(object.spec, context)],
};
