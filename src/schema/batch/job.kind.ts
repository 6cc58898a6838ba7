import { kind } from '../define/index.ts';
import { labelLikeTemplate } from '../core/templateLabels.ts';
import { batch } from '../groups.ts';
import { tables, workloads } from '../parts/index.ts';
import { Job } from './job.ts';

export const jobs = kind(Job, {
  group: batch,
  kind: 'Job',
  resource: 'jobs',
  categories: ['all'],
  namespaced: true,
  doc: 'Runs pods until enough of them have succeeded.',
  versions: [{ version: 'v1', type: Job }],
  restore: labelLikeTemplate,
  rules: workloads.of('jobRules'),
  status: true,
  columns: tables.of('jobColumns'),
  unselectable: (field) => `field label ${JSON.stringify(field)} not supported for batchv1.Job`,
  selectable: { 'status.successful': ({ status }) => String(status.succeeded ?? 0) },
});
