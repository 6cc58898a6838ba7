/** A CronJob's runs: those that were, and those that its schedule names. */
import type { KnownObject } from '../../../../explain/index.ts';
import type { Schedule } from '../../../../schema/index.ts';
import { asList, asText, at } from '../../../stores/jsonValues.ts';

export type Outcome = 'succeeded' | 'failed' | 'running';

export interface Run {
  readonly job: KnownObject;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly outcome: Outcome;
}

/** The Jobs that are still kept, latest first. */
export function runsOf(dependents: readonly KnownObject[]): readonly Run[] {
  return dependents
    .filter(({ kind }) => kind === 'Job')
    .map((job) => ({ job, at: Date.parse(job.metadata.creationTimestamp ?? ''), outcome: outcomeOf(job) }))
    .sort((a, b) => b.at - a.at);
}

function outcomeOf(job: KnownObject): Outcome {
  const is = (type: string): boolean =>
    asList(at(job, 'status', 'conditions')).some(
      (each) => at(each, 'type') === type && asText(at(each, 'status')) === 'True',
    );
  return is('Complete') ? 'succeeded' : is('Failed') ? 'failed' : 'running';
}

/** The next moments of a schedule. */
export function coming(schedule: Schedule, now: number, count: number): readonly number[] {
  const moments: number[] = [];
  for (let last = now; moments.length < count;) {
    const next = schedule.next(last);
    if (next === undefined) break;
    moments.push(next);
    last = next;
  }
  return moments;
}
