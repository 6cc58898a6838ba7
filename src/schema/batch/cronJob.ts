import { always, atVersion, bool, int32, int64, kind, list, opt, ptr, string, struct, time } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { cronJobColumns } from './columns.ts';
import { ObjectReference } from '../core/references.ts';
import { batch } from '../groups.ts';
import { object } from '../meta/object.ts';
import { ObjectMeta } from '../meta/objectMeta.ts';
import { JobSpec } from './job.ts';
import { cronJobRules } from './cronJob.rules.ts';

export const JobTemplateSpec = struct('api.batch.v1beta1.JobTemplateSpec', {
  metadata: opt(1, ObjectMeta),
  spec: opt(2, JobSpec),
});
export type JobTemplateSpec = Infer<typeof JobTemplateSpec>;

export const CronJobSpec = struct('api.batch.v1beta1.CronJobSpec', {
  schedule: always(1, string),
  startingDeadlineSeconds: ptr(2, int64),
  concurrencyPolicy: opt(3, string, { default: 'Allow' }),
  suspend: ptr(4, bool, { default: false }),
  jobTemplate: always(5, JobTemplateSpec),
  successfulJobsHistoryLimit: ptr(6, int32),
  failedJobsHistoryLimit: ptr(7, int32),
});
export type CronJobSpec = Infer<typeof CronJobSpec>;

export const CronJobStatus = struct('api.batch.v1beta1.CronJobStatus', {
  active: opt(1, list(ObjectReference)),
  lastScheduleTime: ptr(4, time),
});
export type CronJobStatus = Infer<typeof CronJobStatus>;

export const CronJob = object(
  'api.batch.v1beta1.CronJob',
  {
    spec: opt(2, CronJobSpec),
    status: opt(3, CronJobStatus),
  },
  {
    defaults({ spec }) {
      spec.successfulJobsHistoryLimit ??= 3;
      spec.failedJobsHistoryLimit ??= 1;
    },
  },
);
export type CronJob = Infer<typeof CronJob>;

/** The alpha version keeps no histories unless asked to. */
const alpha = { ...atVersion(CronJob, 'v2alpha1'), options: {} };

export const cronjobs = kind(CronJob, {
  group: batch,
  kind: 'CronJob',
  resource: 'cronjobs',
  shortNames: ['cj'],
  categories: ['all'],
  namespaced: true,
  doc: 'Makes a job at every time of a schedule.',
  versions: [
    { version: 'v1beta1', type: CronJob },
    { version: 'v2alpha1', type: alpha },
  ],
  rules: cronJobRules,
  status: true,
  columns: cronJobColumns,
});
