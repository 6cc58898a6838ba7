/** Jobs, and the schedules that make them. */
import { cronJobs, jobs } from '../../client/index.ts';
import { labelSelectorText, type objects } from '../../schema/index.ts';
import { humanDuration } from '../output/text.ts';
import { describer } from './describer.ts';
import { field, given, longTime, meta, names, NONE, UNSET, yesNo, type Line } from './lines.ts';
import { controlledBy, podTemplate } from './pods.ts';

export const jobDescriber = describer(jobs, (job) => {
  const { spec, status } = job;
  const { startTime, completionTime } = status;
  return [
    ...names(job),
    field('Selector', labelSelectorText(spec.selector)),
    ...meta(job),
    ...controlledBy(job),
    ...given('Parallelism', spec.parallelism),
    field('Completions', spec.completions ?? UNSET),
    ...(startTime ? [field('Start Time', longTime(startTime))] : []),
    ...(completionTime ? [field('Completed At', longTime(completionTime))] : []),
    ...(startTime && completionTime
      ? [field('Duration', humanDuration(Date.parse(completionTime) - Date.parse(startTime)))]
      : []),
    ...deadline(spec),
    field(
      'Pods Statuses',
      `${status.active ?? 0} Running / ${status.succeeded ?? 0} Succeeded / ${status.failed ?? 0} Failed`,
    ),
    ...podTemplate(spec.template),
  ];
});

const deadline = ({ activeDeadlineSeconds }: objects.JobSpec): readonly Line[] =>
  typeof activeDeadlineSeconds === 'number' ? [field('Active Deadline Seconds', `${activeDeadlineSeconds}s`)] : [];

export const cronJobDescriber = describer(cronJobs, (cronJob) => {
  const { spec, status } = cronJob;
  const { startingDeadlineSeconds, jobTemplate } = spec;
  const active = (status.active ?? []).map(({ name = '' }) => name);
  return [
    ...names(cronJob),
    ...meta(cronJob),
    field('Schedule', spec.schedule),
    field('Concurrency Policy', spec.concurrencyPolicy ?? ''),
    field('Suspend', yesNo(spec.suspend)),
    field('Successful Job History Limit', spec.successfulJobsHistoryLimit ?? UNSET),
    field('Failed Job History Limit', spec.failedJobsHistoryLimit ?? UNSET),
    field(
      'Starting Deadline Seconds',
      typeof startingDeadlineSeconds === 'number' ? `${startingDeadlineSeconds}s` : UNSET,
    ),
    ...jobTemplateLines(jobTemplate.spec),
    field('Last Schedule Time', status.lastScheduleTime ? longTime(status.lastScheduleTime) : UNSET),
    field('Active Jobs', active.join(', ') || NONE),
  ];
});

const jobTemplateLines = (spec: objects.JobSpec | undefined): readonly Line[] => [
  field('Selector', spec?.selector ? labelSelectorText(spec.selector) : UNSET),
  field('Parallelism', spec?.parallelism ?? UNSET),
  field('Completions', spec?.completions ?? UNSET),
  ...(spec ? deadline(spec) : []),
  ...podTemplate(spec?.template),
];
