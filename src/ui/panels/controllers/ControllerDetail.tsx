import { Pause, Play, StepForward } from 'lucide-preact';
import { Button, Facts, Section } from '../../parts/index.ts';
import { attempt } from '../../stores/actions.ts';
import { timeOfDay, useNow } from '../../stores/clock.ts';
import { useCluster } from '../../stores/session.ts';
import type { ControllersState, ControllerView, LoopView } from '../../controllers.ts';
import { useWritesOf, type Reconcile } from './activity.ts';
import { Informers } from './Informers.tsx';
import { pathOfUrl, RunList } from './RunList.tsx';
import styles from './ControllersPanel.module.css';

interface DetailProps {
  readonly controller: ControllerView;
  readonly runs: readonly Reconcile[];
  readonly state: ControllersState;
}

/** One controller: its queues, its last reconciles, what it wrote; paused and stepped by hand. */
export function ControllerDetail({ controller, runs, state }: DetailProps) {
  const { name, user, notStarted, loops, reads } = controller;
  const names = loops.map((loop) => loop.name);
  const own = runs.filter(({ loop }) => names.includes(loop));
  return (
    <>
      <Section title={name} end={!notStarted && loops.length > 0 && <Steering controller={controller} />}>
        {notStarted && <p>It has nothing to do yet, so it is not loaded. The first object of its kind starts it.</p>}
        <Facts facts={[['Writes as', user]]} />
      </Section>
      {loops.map((loop) => (
        <Loop key={loop.name} loop={loop} />
      ))}
      <Section title="Last reconciles">
        <RunList runs={own.filter(({ outcome }) => outcome !== 'waiting').slice(0, 40)} />
      </Section>
      <Writes user={user} />
      {reads.length > 0 && (
        <Informers title="Reads" state={state} informers={state.informers.filter(({ path }) => reads.includes(path))} />
      )}
    </>
  );
}

function Steering({ controller: { name, loops } }: { readonly controller: ControllerView }) {
  const { controllers } = useCluster().cluster;
  const paused = loops.some((loop) => loop.paused);
  const hasNext = loops.some(({ waiting, delayed }) => waiting + delayed.length > 0);
  const move = (what: 'pause' | 'resume' | 'step'): void =>
    void attempt(undefined, `${name} did not do that.`, async () => controllers?.move(name, what));
  return (
    <span className={styles.steering}>
      {paused && (
        <Button
          icon={StepForward}
          unavailable={hasNext ? undefined : 'The queue is empty'}
          onClick={() => move('step')}
        >
          Reconcile next
        </Button>
      )}
      <Button icon={paused ? Play : Pause} onClick={() => move(paused ? 'resume' : 'pause')}>
        {paused ? 'Resume' : 'Pause'}
      </Button>
    </span>
  );
}

function Loop({ loop }: { readonly loop: LoopView }) {
  const now = useNow();
  const { name, workers, waiting, next, running, delayed, failing } = loop;
  const more = waiting - next.length;
  const due = delayed.map(({ key, due: at }) => `${key} in ${Math.max(0, Math.ceil((at - now) / 1000))} s`);
  return (
    <Section title={`Queue ${name}`}>
      <Facts
        facts={[
          ['Workers', workers],
          ['Works on', running.join(', ') || 'nothing'],
          ['Waiting', waiting === 0 ? 'nobody' : `${next.join(', ')}${more > 0 ? ` and ${more} more` : ''}`],
          ['Next by time', due.join(', ')],
          ['Failing', failing.map(({ key, failures }) => `${key} (${failures} times in a row)`).join(', ')],
        ]}
      />
    </Section>
  );
}

/** What the controller's user wrote, as far as the request log goes back. */
function Writes({ user }: { readonly user: string }) {
  const writes = useWritesOf(user);
  return (
    <Section title={`Writes (${writes.length})`}>
      {writes.length === 0 && (
        <p className={styles.about}>The request log has no write of {user} any more, or none yet.</p>
      )}
      {!user.startsWith('system:serviceaccount:') && writes.length > 0 && (
        <p className={styles.about}>
          Controllers share this user here. Start with --use-service-account-credentials=true to tell them apart.
        </p>
      )}
      <ul className={styles.rows}>
        {writes.slice(0, 40).map(({ id, verb, url, revision, at }) => (
          <li key={id} className={styles.write}>
            <span className={styles.faint}>{timeOfDay(at)}</span>
            <strong>{verb}</strong>
            <span className={styles.key}>{pathOfUrl(url)}</span>
            <span className={styles.faint}>revision {revision}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
