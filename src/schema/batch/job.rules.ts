/** Jobs: what is prepared and checked before one is stored. */
import * as field from '../define/fieldErrors.ts';
import { Path } from '../define/fieldErrors.ts';
import type { RuleContext, Rules } from '../define/kind.ts';
import { dropDisabledTemplateFields } from '../apps/workload.rules.ts';
import { keepSpec } from '../meta/keepSpec.ts';
import { readSelector } from '../meta/labelSelector.rules.ts';
import { validatePodTemplate } from '../core/podSpec.rules.ts';
import { clearStatus, immutable, nonNegative, type Errors } from '../meta/checks.ts';
import { validateLabelSelector } from '../meta/labelSelector.rules.ts';
import type { Job, JobSpec } from './job.ts';

const SPEC = Path.of('spec');
const UID_LABEL = 'controller-uid';
const NAME_LABEL = 'job-name';

/** Ties the job's pods to it by its uid, so that no two jobs can take each other's. */
function generateSelector(job: Job): void {
  if (job.spec.manualSelector) return;
  const { name = '', uid = '' } = job.metadata;
  const { metadata } = job.spec.template;
  const shared = metadata.labels !== undefined && metadata.labels === job.metadata.labels;
  metadata.labels = { [NAME_LABEL]: name, [UID_LABEL]: uid, ...metadata.labels };
  if (shared) job.metadata.labels = { ...metadata.labels };
  const selector = (job.spec.selector ??= {});
  selector.matchLabels = { [UID_LABEL]: uid, ...selector.matchLabels };
}

function* validateGeneratedSelector({ metadata, spec }: Job): Errors {
  if (!spec.selector || spec.manualSelector) return;
  const { name = '', uid = '' } = metadata;
  if (uid === '') yield field.required(Path.of('metadata', 'uid'));
  const path = SPEC.child('template', 'metadata', 'labels');
  const labels = spec.template.metadata.labels ?? {};
  for (const [key, value] of [
    [UID_LABEL, uid],
    [NAME_LABEL, name],
  ] as const) {
    if (labels[key] === undefined) yield field.required(path.key(key), `must be '${value}'`);
    else if (labels[key] !== value) yield field.invalid(path.key(key), labels, `must be '${value}'`);
  }
  const own = readSelector(spec.selector)?.matches({ [UID_LABEL]: uid, [NAME_LABEL]: name });
  if (own === false) yield field.invalid(SPEC.child('selector'), spec.selector, '`selector` not auto-generated');
}

/** The rules for jobs and for the templates of jobs. */
export function* validateJobTemplate(spec: JobSpec, path: Path, context: RuleContext): Errors {
  for (const name of [
    'parallelism',
    'completions',
    'activeDeadlineSeconds',
    'backoffLimit',
    'ttlSecondsAfterFinished',
  ] as const) {
    yield* nonNegative(spec[name], path.child(name));
  }
  yield* validatePodTemplate(spec.template, path.child('template'), context);
  const policy = spec.template.spec.restartPolicy ?? '';
  const at = path.child('template', 'spec', 'restartPolicy');
  if (policy === 'Always') yield field.required(at, 'valid values: "OnFailure", "Never"');
  else if (policy !== 'OnFailure' && policy !== 'Never') yield field.notSupported(at, policy, ['OnFailure', 'Never']);
}

function* validateSpec(spec: JobSpec, context: RuleContext): Errors {
  yield* validateJobTemplate(spec, SPEC, context);
  if (!spec.selector) yield field.required(SPEC.child('selector'));
  else yield* validateLabelSelector(spec.selector, SPEC.child('selector'));
  const labels = spec.template.metadata.labels ?? {};
  if (readSelector(spec.selector)?.matches(labels) !== false) return;
  yield field.invalid(
    SPEC.child('template', 'metadata', 'labels'),
    labels,
    '`selector` does not match template `labels`',
  );
}

function dropTTL(spec: JobSpec, old: JobSpec | undefined, { gate }: RuleContext): void {
  if (!gate('TTLAfterFinished') && old?.ttlSecondsAfterFinished === undefined) delete spec.ttlSecondsAfterFinished;
}

export const jobRules: Rules<Job> = {
  dependents: ({ version }) => (version === 'v1' ? 'orphan' : 'background'),
  prepareCreate: (job, context) => {
    clearStatus(job);
    dropTTL(job.spec, undefined, context);
    dropDisabledTemplateFields(job, undefined, context);
  },
  prepareNamed: generateSelector,
  prepareUpdate: (job, old, context) => {
    dropTTL(job.spec, old.spec, context);
    dropDisabledTemplateFields(job, old, context);
  },
  prepareStatusUpdate: keepSpec,
  validate: (job, context) => [...validateGeneratedSelector(job), ...validateSpec(job.spec, context)],
  validateUpdate: (job, old, context) => [
    ...validateSpec(job.spec, context),
    ...(['completions', 'selector', 'template'] as const).flatMap((name) =>
      immutable(job.spec[name], old.spec[name], SPEC.child(name)),
    ),
  ],
  validateStatusUpdate: ({ status }) =>
    (['active', 'succeeded', 'failed'] as const).flatMap((name) => nonNegative(status[name], Path.of('status', name))),
};
