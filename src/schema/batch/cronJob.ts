import { always, bool, int32, int64, list, opt, ptr, string, struct, time } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { ObjectReference } from '../core/references.ts';
import { object } from '../meta/object.ts';
import { ObjectMeta } from '../meta/objectMeta.ts';
import { JobSpec } from './job.ts';

export const JobTemplateSpec = struct(
  'api.batch.v1beta1.JobTemplateSpec',
  {
    metadata: opt(1, ObjectMeta, { doc: 'Metadata of the jobs.' }),
    spec: opt(2, JobSpec, { doc: 'What is wanted of the jobs.' }),
  },
  { doc: 'What a job looks like when it is made.' },
);
export type JobTemplateSpec = Infer<typeof JobTemplateSpec>;

export const CronJobSpec = struct(
  'api.batch.v1beta1.CronJobSpec',
  {
    schedule: always(1, string, { doc: 'Times in cron format.' }),
    startingDeadlineSeconds: ptr(2, int64, { doc: 'Seconds after which a job that missed its time counts as failed.' }),
    concurrencyPolicy: opt(3, string, {
      default: 'Allow',
      doc: '`Allow` lets jobs run side by side, `Forbid` skips a time while a job runs, `Replace` ends the job that runs.',
    }),
    suspend: ptr(4, bool, { default: false, doc: 'Whether no further jobs are made; those that run go on.' }),
    jobTemplate: always(5, JobTemplateSpec, { doc: 'The job that is made.' }),
    successfulJobsHistoryLimit: ptr(6, int32, { doc: 'How many jobs that succeeded are kept; 3 by default.' }),
    failedJobsHistoryLimit: ptr(7, int32, { doc: 'How many jobs that failed are kept; 1 by default.' }),
  },
  { doc: 'When jobs are made, and what they look like.' },
);
export type CronJobSpec = Infer<typeof CronJobSpec>;

export const CronJobStatus = struct(
  'api.batch.v1beta1.CronJobStatus',
  {
    active: opt(1, list(ObjectReference), { doc: 'Jobs that run now.' }),
    lastScheduleTime: ptr(4, time, { doc: 'When a job was last made.' }),
  },
  { doc: 'What a cron job has made.' },
);
export type CronJobStatus = Infer<typeof CronJobStatus>;

export const CronJob = object(
  'api.batch.v1beta1.CronJob',
  {
    spec: opt(2, CronJobSpec, { doc: 'When jobs are made, and what they look like.' }),
    status: opt(3, CronJobStatus, { doc: 'What has been made.' }),
  },
  {
    defaults({ spec }) {
      spec.successfulJobsHistoryLimit ??= 3;
      spec.failedJobsHistoryLimit ??= 1;
    },
  },
);
export type CronJob = Infer<typeof CronJob>;
