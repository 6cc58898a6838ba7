import type { KnownObject, World } from '../../../../explain/index.ts';
import { isSchedule, parseSchedule } from '../../../../schema/index.ts';
import { ErrorNote, Facts, Section, StateMark } from '../../../parts/index.ts';
import { age, dateAndTime, useNow } from '../../../stores/clock.ts';
import { asList, asText, at } from '../../../stores/jsonValues.ts';
import { ObjectLink } from '../../object/ObjectLink.tsx';
import { useRefs } from '../subject.ts';
import { Lane, Moment, TimeAxis } from '../TimeAxis.tsx';
import { coming, runsOf, type Outcome } from './runs.ts';
import styles from './rollout.module.css';

const COMING = 10;

const looks: Readonly<Record<Outcome, 'ready' | 'failed' | 'pending'>> = {
  succeeded: 'ready',
  failed: 'failed',
  running: 'pending',
};

/** A CronJob's past and coming runs. */
export function CronJobView({ world, cronJob }: { readonly world: World; readonly cronJob: KnownObject }) {
  const now = useNow();
  const refOf = useRefs();
  const text = asText(at(cronJob, 'spec', 'schedule'));
  const schedule = parseSchedule(text);
  const suspended = at(cronJob, 'spec', 'suspend') === true;
  const runs = runsOf(world.dependentsOf(cronJob));
  const next = isSchedule(schedule) && !suspended ? coming(schedule, now, COMING) : [];
  const stretch = {
    from: Math.min(now - 60_000, ...runs.map(({ at: when }) => when)),
    to: Math.max(now + 60_000, ...next),
  };
  return (
    <>
      <Section title={`CronJob ${cronJob.metadata.name ?? ''}`}>
        {!isSchedule(schedule) && <ErrorNote title="The schedule can't be read.">{schedule.error}</ErrorNote>}
        <Facts
          facts={[
            [
              'Schedule',
              <span key="schedule" className={styles.code}>
                {text}
              </span>,
            ],
            [
              'Next run',
              suspended ? 'suspended' : next[0] && `${dateAndTime(next[0])}, in ${age(dateOf(now), next[0])}`,
            ],
            ['Concurrency', asText(at(cronJob, 'spec', 'concurrencyPolicy'))],
            ['Active', String(asList(at(cronJob, 'status', 'active')).length)],
          ]}
        />
      </Section>
      <Section title="Past and coming runs">
        <TimeAxis stretch={stretch}>
          <Lane name="Past runs">
            {runs.map((run) => (
              <Moment
                key={run.job.metadata.uid}
                stretch={stretch}
                at={run.at}
                look={looks[run.outcome]}
                text={`${run.job.metadata.name ?? ''} at ${dateAndTime(run.at)}: ${run.outcome}`}
              />
            ))}
          </Lane>
          <Lane name="Coming runs">
            <Moment stretch={stretch} at={now} look="changed" text="now" />
            {next.map((each) => (
              <Moment key={each} stretch={stretch} at={each} look="completed" text={`next at ${dateAndTime(each)}`} />
            ))}
          </Lane>
        </TimeAxis>
      </Section>
      <Section title="Runs">
        <ul className={styles.list}>
          {[...next].reverse().map((each) => (
            <li key={each} className={styles.row}>
              <span className={styles.muted}>{dateAndTime(each)}</span>
              <span>in {age(dateOf(now), each)}</span>
            </li>
          ))}
          {runs.map(({ job, at: when, outcome }) => {
            const { apiVersion, kind, metadata } = job;
            const ref = refOf({ apiVersion, kind, namespace: metadata.namespace, name: metadata.name });
            return (
              <li key={metadata.uid} className={styles.row}>
                <span className={styles.muted}>{dateAndTime(when)}</span>
                {ref && <ObjectLink {...ref} />}
                <StateMark state={looks[outcome]} text={outcome} />
              </li>
            );
          })}
        </ul>
      </Section>
    </>
  );
}

const dateOf = (ms: number): string => new Date(ms).toISOString();
