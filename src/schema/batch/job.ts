import { always, bool, int32, int64, list, opt, ptr, string, struct, time } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { PodTemplateSpec } from '../core/podSpec.ts';
import { LabelSelector } from '../meta/labelSelector.ts';
import { object } from '../meta/object.ts';

export const JobSpec = struct('api.batch.v1.JobSpec', {
  parallelism: ptr(1, int32),
  completions: ptr(2, int32),
  activeDeadlineSeconds: ptr(3, int64),
  backoffLimit: ptr(7, int32),
  selector: ptr(4, LabelSelector),
  manualSelector: ptr(5, bool),
  template: always(6, PodTemplateSpec),
  ttlSecondsAfterFinished: ptr(8, int32),
});
export type JobSpec = Infer<typeof JobSpec>;

export const JobCondition = struct('api.batch.v1.JobCondition', {
  type: always(1, string),
  status: always(2, string),
  lastProbeTime: opt(3, time),
  lastTransitionTime: opt(4, time),
  reason: opt(5, string),
  message: opt(6, string),
});
export type JobCondition = Infer<typeof JobCondition>;

export const JobStatus = struct('api.batch.v1.JobStatus', {
  conditions: opt(1, list(JobCondition), { mergeKey: 'type', strategy: 'merge' }),
  startTime: ptr(2, time),
  completionTime: ptr(3, time),
  active: opt(4, int32),
  succeeded: opt(5, int32),
  failed: opt(6, int32),
});
export type JobStatus = Infer<typeof JobStatus>;

export const Job = object(
  'api.batch.v1.Job',
  {
    spec: opt(2, JobSpec),
    status: opt(3, JobStatus),
  },
  {
    defaults({ metadata, spec }) {
      // Without either number the job runs one pod to completion.
      if (spec.parallelism === undefined) spec.completions ??= 1;
      spec.parallelism ??= 1;
      spec.backoffLimit ??= 6;
      // One object in two places, as in the reference: the labels that tie its pods to the job are then added to both.
      const labels = spec.template.metadata.labels;
      if (labels) metadata.labels ??= labels;
    },
  },
);
export type Job = Infer<typeof Job>;
