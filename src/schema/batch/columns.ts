/** Columns of jobs and cron jobs. */
import type { Column } from '../define/index.ts';
import {
  age,
  containerColumns,
  flag,
  integer,
  name,
  selectorCell,
  shortDuration,
  since,
  text,
  wide,
} from '../meta/columns.ts';
import { timeOf } from '../values/index.ts';
import type { CronJob } from './cronJob.ts';
import type { Job } from './job.ts';

export const jobColumns: readonly Column<Job>[] = [
  name,
  text('Completions', 'Pods that have succeeded, of all that have to.', completions),
  text('Duration', 'How long the job has run.', ({ status }, { now }) => {
    const start = timeOf(status.startTime);
    return start === undefined ? '' : shortDuration((timeOf(status.completionTime) ?? now) - start);
  }),
  age,
  ...containerColumns(({ spec }: Job) => spec.template.spec),
  wide('Selector', 'Labels of the pods that count.', ({ spec }) => selectorCell(spec.selector)),
];

function completions({ spec, status }: Job): string {
  const done = status.succeeded ?? 0;
  if (spec.completions !== undefined) return `${done}/${spec.completions}`;
  const parallelism = spec.parallelism ?? 0;
  return parallelism > 1 ? `${done}/1 of ${parallelism}` : `${done}/1`;
}

export const cronJobColumns: readonly Column<CronJob>[] = [
  name,
  text('Schedule', 'When jobs are made.', ({ spec }) => spec.schedule),
  flag('Suspend', 'Whether no jobs are made for now.', ({ spec }) =>
    spec.suspend === undefined ? '<unset>' : spec.suspend ? 'True' : 'False',
  ),
  integer('Active', 'Jobs that run now.', ({ status }) => status.active?.length ?? 0),
  text('Last Schedule', 'How long ago a job was made.', ({ status }, { now }) =>
    status.lastScheduleTime === undefined ? '<none>' : since(status.lastScheduleTime, now),
  ),
  age,
  ...containerColumns(({ spec }: CronJob) => spec.jobTemplate.spec.template.spec),
  wide('Selector', 'Labels of the pods that count.', ({ spec }) => selectorCell(spec.jobTemplate.spec.selector)),
];
