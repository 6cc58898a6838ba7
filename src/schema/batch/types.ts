/** The TypeScript types of what this folder declares, for rooms that work on objects; `../objects.ts` gathers them. */
export type { JobTemplateSpec, CronJobSpec, CronJobStatus, CronJob } from './cronJob.ts';
export type { JobSpec, JobCondition, JobStatus, Job } from './job.ts';
