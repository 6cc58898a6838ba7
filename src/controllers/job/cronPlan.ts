import { nameOf } from '../../client/index.ts';
import type { CronJob, Job } from '../../client/index.ts';
import { isSchedule, parseSchedule, timeOf, type Schedule } from '../../schema/index.ts';

/** More missed times than this indicate a wrong clock, or a schedule that should not be caught up. */
const MISSED_AT_MOST = 100;

export type Due =
  /** Nothing before `next`. */
  | { readonly is: 'later'; readonly next: number }
  | { readonly is: 'now'; readonly time: number; readonly next: number }
  /** The time is past the starting deadline. */
  | { readonly is: 'missed'; readonly time: number; readonly next: number }
  | { readonly is: 'invalid'; readonly why: string };

/** Whether a run of a cron job is due at `now`; times in milliseconds since the epoch. */
export function dueOf(cronJob: CronJob, now: number): Due {
  const schedule = parseSchedule(cronJob.spec.schedule);
  if (!isSchedule(schedule))
    return { is: 'invalid', why: `unparseable schedule: ${cronJob.spec.schedule} : ${schedule.error}` };
  const deadline = cronJob.spec.startingDeadlineSeconds;
  const last = timeOf(cronJob.status.lastScheduleTime) ?? timeOf(cronJob.metadata.creationTimestamp) ?? now;
  const from = deadline === undefined ? last : Math.max(last, now - deadline * 1000);
  const missed = timesBetween(schedule, from, now);
  if (missed === 'too many') {
    const advice = 'Set or decrease .spec.startingDeadlineSeconds or check clock skew';
    return { is: 'invalid', why: `too many missed start time (> 100). ${advice}` };
  }
  const next = schedule.next(now) ?? Infinity;
  const time = missed.at(-1);
  if (time === undefined) return { is: 'later', next };
  return { is: deadline !== undefined && time + deadline * 1000 < now ? 'missed' : 'now', time, next };
}

/** As in the reference, a schedule that never matches counts as missed too often. */
function timesBetween(schedule: Schedule, from: number, to: number): number[] | 'too many' {
  const times: number[] = [];
  if (from > to) return times;
  for (let time = schedule.next(from); time === undefined || time <= to; time = schedule.next(time)) {
    if (time === undefined || times.length === MISSED_AT_MOST) return 'too many';
    times.push(time);
  }
  return times;
}

export const finishedJobs = (jobs: readonly Job[], type: 'Complete' | 'Failed'): Job[] =>
  jobs.filter((job) => (job.status.conditions ?? []).some((c) => c.type === type && c.status === 'True'));

/** Finished jobs beyond the history limit, oldest first. */
export function planCleanup(cronJob: CronJob, jobs: readonly Job[]): Job[] {
  const { failedJobsHistoryLimit: failed, successfulJobsHistoryLimit: successful } = cronJob.spec;
  return [...surplus(finishedJobs(jobs, 'Complete'), successful), ...surplus(finishedJobs(jobs, 'Failed'), failed)];
}

function surplus(jobs: readonly Job[], limit: number | undefined): Job[] {
  if (limit === undefined || jobs.length <= limit) return [];
  return [...jobs].sort(olderFirst).slice(0, jobs.length - limit);
}

function olderFirst(a: Job, b: Job): number {
  const [first, second] = [timeOf(a.status.startTime) ?? Infinity, timeOf(b.status.startTime) ?? Infinity];
  return first === second ? (nameOf(a) < nameOf(b) ? -1 : 1) : first - second;
}
