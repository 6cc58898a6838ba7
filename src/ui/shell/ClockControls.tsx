import { Clock, Pause, Play, Square } from 'lucide-react';
import { useState } from 'react';
import { Button, Facts, Ident, Popover, Segmented, toast } from '../parts/index.ts';
import { dateAndTime, moveClock, stepClock, timeOfDay, useClock, useNow } from '../stores/clock.ts';
import { useRevision } from '../stores/following.ts';
import { Question } from './Question.tsx';
import styles from './ClockControls.module.css';

const STEPS = [
  { label: '1 s', ms: 1_000 },
  { label: '10 s', ms: 10_000 },
  { label: '1 min', ms: 60_000 },
  { label: '10 min', ms: 600_000 },
  { label: '1 h', ms: 3_600_000 },
  { label: '1 day', ms: 86_400_000 },
] as const;

const SPEEDS = [
  { value: '1', label: '×1' },
  { value: '10', label: '×10' },
  { value: '60', label: '×60' },
  { value: '600', label: '×600' },
] as const;

const speedNamed = (scale: number): (typeof SPEEDS)[number]['value'] =>
  SPEEDS.find(({ value }) => value === String(scale))?.value ?? '1';

/** What time it is in the cluster, and the means to move it. */
export function ClockControls() {
  const [open, setOpen] = useState(false);
  const now = useNow();
  const state = useClock(({ read }) => read?.state);
  const paused = state?.paused ?? false;
  const scale = state?.scale ?? 1;
  const speed = paused ? ', paused' : scale === 1 ? '' : `, ×${scale}`;
  return (
    <Popover
      label="Time in the cluster"
      open={open}
      onOpen={setOpen}
      trigger={
        <Question
          icon={paused ? Pause : Clock}
          question="Time"
          answer={`${timeOfDay(now)}${speed}`}
          special={speed !== ''}
        />
      }
    >
      <ClockPanel now={now} paused={paused} scale={scale} />
    </Popover>
  );
}

function ClockPanel({
  now,
  paused,
  scale,
}: {
  readonly now: number;
  readonly paused: boolean;
  readonly scale: number;
}) {
  const revision = useRevision();
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
    <div className={styles.panel}>
      <Facts
        facts={[
          ['Time', <Ident key="time">{dateAndTime(now)}</Ident>],
          ['Revision', <Ident key="revision">{revision === 0 ? 'none yet' : String(revision)}</Ident>],
        ]}
      />
      <div className={styles.row}>
        <Button
          icon={paused ? Play : Pause}
          onClick={() => void moveClock((clock) => (paused ? clock.resume() : clock.pause()))}
        >
          {paused ? 'Resume' : 'Pause'}
        </Button>
        <Segmented
          label="Speed"
          value={speedNamed(scale)}
          choices={SPEEDS}
          onValue={(value) => void moveClock((clock) => clock.scale(Number(value)))}
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
      <StepProgress />
      <p className={styles.about}>Everything that falls due on the way runs, in order, at its own moment.</p>
    </div>
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
