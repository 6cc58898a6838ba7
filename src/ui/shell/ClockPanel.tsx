import { History, Pause, Play, Square, StepForward } from 'lucide-preact';
import { useEffect, useState } from 'preact/compat';
import { amountOfTime } from '../../std/index.ts';
import { Button, Facts, Field, Ident, Segmented, TextInput, toast } from '../parts/index.ts';
import { dateAndTime, moveClock, readClock, stepClock, timeOfDay, useClock } from '../stores/clock.ts';
import { attempt } from '../stores/actions.ts';
import { go } from '../stores/address.ts';
import { useRevision } from '../stores/following.ts';
import { useCluster } from '../stores/session.ts';
import styles from './ClockControls.module.css';

const STEPS = [
  { label: '1 s', ms: 1_000 },
  { label: '10 s', ms: 10_000 },
  { label: '1 min', ms: 60_000 },
  { label: '10 min', ms: 600_000 },
  { label: '1 h', ms: 3_600_000 },
  { label: '1 day', ms: 86_400_000 },
  { label: '1 year', ms: 365 * 86_400_000 },
] as const;

const SPEEDS = [
  { value: '1', label: '×1' },
  { value: '10', label: '×10' },
  { value: '100', label: '×100' },
] as const;

const speedNamed = (scale: number): (typeof SPEEDS)[number]['value'] =>
  SPEEDS.find(({ value }) => value === String(scale))?.value ?? '1';

export interface ClockPanelProps {
  readonly now: number;
  readonly paused: boolean;
  readonly scale: number;
}

/** What moves the cluster's time. */
export default function ClockPanel({ now, paused, scale }: ClockPanelProps) {
  const revision = useRevision();
  const isShared = useCluster().cluster.served?.keptIn === 'etcd';
  return (
    <div className={styles.panel}>
      <Facts
        facts={[
          ['Time', <Ident key="time">{dateAndTime(now)}</Ident>],
          ['Revision', <Ident key="revision">{revision === 0 ? 'none yet' : String(revision)}</Ident>],
        ]}
      />
      {isShared ? (
        <p className={styles.about}>Servers that share an etcd go by the time of the machine: it can’t be moved.</p>
      ) : (
        <Moving now={now} paused={paused} scale={scale} />
      )}
      <Rewind revision={revision} />
    </div>
  );
}

/** Moves the clock, and says where that failed. */
const move = (how: Parameters<typeof moveClock>[0]): Promise<boolean> =>
  attempt(undefined, 'The clock could not be moved.', () => moveClock(how));

/** Pauses the clock, sets its speed, steps ahead. */
function Moving({ now, paused, scale }: ClockPanelProps) {
  const [stepping, setStepping] = useState(false);
  const step = async (ms: number): Promise<void> => {
    setStepping(true);
    try {
      await stepClock(ms);
    } catch (error) {
      toast('failed', 'The clock could not be moved.', String(error));
    }
    setStepping(false);
  };
  return (
    <>
      <div className={styles.row}>
        <Button
          icon={paused ? Play : Pause}
          onClick={() => void move((clock) => (paused ? clock.resume() : clock.pause()))}
        >
          {paused ? 'Resume' : 'Pause'}
        </Button>
        <Segmented
          label="Speed"
          value={speedNamed(scale)}
          choices={SPEEDS}
          onValue={(value) => void move((clock) => clock.scale(Number(value)))}
        />
      </div>
      <p className={styles.label}>Step ahead</p>
      <div className={styles.steps}>
        {STEPS.map(({ label, ms }) => (
          <Button key={ms} busy={stepping} onClick={() => void step(ms)}>
            {label}
          </Button>
        ))}
      </div>
      <StepBy busy={stepping} onStep={(ms) => void step(ms)} />
      <NextTimer now={now} stepping={stepping} onStep={(ms) => void step(ms)} />
      <StepProgress />
      <p className={styles.about}>Everything that is due until then runs, in order, at its own time.</p>
    </>
  );
}

/** A step by any amount. */
function StepBy({ busy, onStep }: { readonly busy: boolean; readonly onStep: (ms: number) => void }) {
  const [text, setText] = useState('');
  const ms = amountOfTime(text);
  const bad = text === '' || ms !== undefined ? undefined : 'Write it like 90s, 1h30m or 7d';
  const run = (): void => (ms === undefined ? undefined : onStep(ms));
  return (
    <Field label="Step by" error={bad}>
      {(ids) => (
        <div className={styles.row}>
          <TextInput
            {...ids}
            placeholder="1h30m"
            value={text}
            onText={setText}
            onKeyDown={(event) => event.key === 'Enter' && run()}
          />
          <Button
            icon={StepForward}
            busy={busy}
            unavailable={ms === undefined ? 'Write an amount of time' : undefined}
            onClick={run}
          >
            Step
          </Button>
        </div>
      )}
    </Field>
  );
}

interface NextTimerProps {
  readonly now: number;
  readonly stepping: boolean;
  readonly onStep: (ms: number) => void;
}

/** What happens next, whose it is, and a step to it. */
function NextTimer({ now, stepping, onStep }: NextTimerProps) {
  const next = useClock(({ read }) => read?.state.next);
  // What is next changes without a word: it is asked for as long as somebody looks.
  useEffect(() => {
    const read = (): void => void readClock().catch(() => undefined);
    read();
    const timer = setInterval(read, 1000);
    return () => clearInterval(timer);
  }, []);
  if (!next) return <p className={styles.about}>Only heartbeats are due.</p>;
  return (
    <div className={styles.row}>
      <span className={styles.about}>
        Next: {next.what}, {timeOfDay(next.due)}
      </span>
      <Button icon={StepForward} busy={stepping} onClick={() => onStep(Math.max(0, next.due - now))}>
        Step to it
      </Button>
    </div>
  );
}

/** The way to a past revision. */
function Rewind({ revision }: { readonly revision: number }) {
  const { cluster } = useCluster();
  const [text, setText] = useState('');
  if (!cluster.past) return null;
  const asked = Number(text);
  const bad = /^\d*$/.test(text) && asked <= revision ? undefined : `A revision, ${revision} at most`;
  const open = (): void => {
    if (!bad && text !== '') go({ query: { at: text } });
  };
  return (
    <Field label="Rewind to revision" error={bad}>
      {(ids) => (
        <div className={styles.row}>
          <TextInput
            {...ids}
            inputMode="numeric"
            placeholder={String(Math.max(1, revision - 10))}
            value={text}
            onText={setText}
            onKeyDown={(event) => event.key === 'Enter' && open()}
          />
          <Button icon={History} onClick={open}>
            Open
          </Button>
        </div>
      )}
    </Field>
  );
}

/** How far the step under way has come, and a way to end it there. */
function StepProgress() {
  const state = useClock(({ read }) => read?.state);
  const target = state?.target;
  // Where the step was when it was first seen.
  const [from, setFrom] = useState<{ readonly target: number; readonly at: number }>();
  if (state === undefined || target === undefined) return null;
  if (from?.target !== target) setFrom({ target, at: state.now });
  const at = from?.target === target ? from.at : state.now;
  return (
    <div className={styles.row}>
      <progress aria-label="Progress of the step" value={state.now - at} max={target - at} />
      <Button icon={Square} onClick={() => void moveClock((clock) => clock.stopStep())}>
        Stop
      </Button>
    </div>
  );
}
