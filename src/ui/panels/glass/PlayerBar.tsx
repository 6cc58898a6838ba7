import { ChevronFirst, ChevronLast, ChevronRight, Pause, Play, Radio } from 'lucide-preact';
import { Button, IconButton, Select, useHotkey } from '../../parts/index.ts';
import { useCluster } from '../../stores/session.ts';
import { useGlass } from './hooks.ts';
import styles from './PlayerBar.module.css';

const speeds = [
  { value: '1', label: 'Full speed' },
  { value: '0.5', label: '½ speed' },
  { value: '0.25', label: '¼ speed' },
  { value: '0.1', label: '⅒ speed' },
];

/** Pauses, slows, steps and goes back: of what is shown, not of the cluster itself. */
export function PlayerBar() {
  const glass = useGlass();
  const { player, behind } = glass.engine;
  const toggle = (): void => glass.play({ playing: !player.playing });
  useHotkey('p', toggle, 'Pause the Glass, or let it go on');
  return (
    <div className={styles.bar} role="toolbar" aria-label="Playback">
      <IconButton icon={ChevronFirst} label="Step back" onClick={() => glass.act((engine) => engine.back())} />
      <IconButton
        icon={player.playing ? Pause : Play}
        label={player.playing ? 'Pause' : 'Play'}
        keys="p"
        onClick={toggle}
      />
      <IconButton
        icon={ChevronRight}
        label="Step"
        unavailable={behind === 0 && 'This is what happened last.'}
        onClick={() => glass.act((engine) => engine.step())}
      />
      <IconButton
        icon={ChevronLast}
        label="Step to the next write or refusal"
        unavailable={behind === 0 && 'This is what happened last.'}
        onClick={() => glass.act((engine) => engine.stepToOutcome())}
      />
      <Select
        aria-label="Speed"
        value={String(player.speed)}
        options={speeds}
        onValue={(speed) => glass.play({ speed: Number(speed), playing: true })}
      />
      <Scrubber />
      <Standing />
    </div>
  );
}

function Scrubber() {
  const glass = useGlass();
  const { recording, picture } = glass.engine;
  return (
    <input
      type="range"
      className={styles.scrubber}
      aria-label="Moment"
      min={recording.dropped}
      max={Math.max(recording.end, recording.dropped + 1)}
      value={picture.next}
      aria-valuetext={`Step ${picture.next} of ${recording.end}, revision ${picture.revision}`}
      onChange={(event) => glass.act((engine) => engine.seek(Number(event.currentTarget.value)))}
    />
  );
}

function Standing() {
  const glass = useGlass();
  const { past } = useCluster();
  const { player, behind, picture } = glass.engine;
  if (past) return <span className={styles.behind}>Revision {picture.revision || past.moment.revision}</span>;
  const isLive = player.playing && behind < 60;
  if (isLive && player.speed === 1)
    return (
      <span className={styles.live}>
        <Radio className={styles.icon} aria-hidden /> Live
      </span>
    );
  return (
    <>
      <span className={styles.behind}>
        {player.playing ? 'Playing' : 'Paused'}, {behind === 0 ? 'at the end' : `${behind} steps behind`}
      </span>
      <Button icon={Radio} onClick={() => glass.act((engine) => engine.goLive())}>
        Go live
      </Button>
    </>
  );
}
