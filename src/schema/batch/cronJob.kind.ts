import { atVersion, kind } from '../define/index.ts';
import { batch } from '../groups.ts';
import { tables, workloads } from '../parts/index.ts';
import { CronJob } from './cronJob.ts';

/** The alpha version has no default history limits. */
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
  rules: workloads.of('cronJobRules'),
  status: true,
  columns: tables.of('cronJobColumns'),
  unselectable: (field) => `field label ${JSON.stringify(field)} not supported for "CronJob"`,
  // The reference takes this name, which it has from jobs, but never fills it in.
  selectable: { 'status.successful': () => '' },
});
