import { Clock, Pause } from 'lucide-preact';
import { useState, type ComponentType } from 'preact/compat';
import { orToast, Popover } from '../parts/index.ts';
import { dateAndTime, timeOfDay, useClock, useNow } from '../stores/clock.ts';
import { useCluster } from '../stores/session.ts';
import { Question } from './Question.tsx';
import type { ClockPanelProps } from './ClockPanel.tsx';
import styles from './ClockControls.module.css';

/** What time it is in the cluster, and the means to move it. */
export function ClockControls() {
  const [open, setOpen] = useState(false);
  const [ClockPanel, setClockPanel] = useState<ComponentType<ClockPanelProps>>();
  const { past } = useCluster();
  const now = useNow();
  const state = useClock(({ read }) => read?.state);
  const paused = state?.paused ?? false;
  const scale = state?.scale ?? 1;
  const speed = paused ? ', paused' : scale === 1 ? '' : `, ×${scale}`;
  const show = (shown: boolean): void => {
    if (!shown || ClockPanel) return setOpen(shown);
    // Its code comes when it is first asked for; it opens with it, so that the keyboard finds its first control.
    void orToast('The clock can’t be shown.', async () => {
      const loaded = await import('./ClockPanel.tsx');
      setClockPanel(() => loaded.default);
      setOpen(true);
    });
  };
  return (
    <Popover
      label="Time in the cluster"
      open={open}
      onOpen={show}
      trigger={
        <Question
          icon={paused ? Pause : Clock}
          question="Time"
          answer={`${timeOfDay(now)}${speed}`}
          special={speed !== ''}
        />
      }
    >
      {past ? (
        <p className={styles.about}>Time stands still in the past: {dateAndTime(now)}.</p>
      ) : (
        ClockPanel && <ClockPanel now={now} paused={paused} scale={scale} />
      )}
    </Popover>
  );
}
