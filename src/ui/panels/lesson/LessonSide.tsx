import { GraduationCap } from 'lucide-preact';
import { useEffect, useState } from 'preact/compat';
import { ErrorNote, Sheet, sizeOf, Splitter, useHotkey, Waiting } from '../../parts/index.ts';
import { useNarrow } from '../../parts/narrow.ts';
import { useAddress } from '../../stores/address.ts';
import { useCluster } from '../../stores/session.ts';
import { useKept } from './kept.ts';
import { LessonView } from './LessonView.tsx';
import { runLesson, useRunning } from './running.ts';
import { useTerminal } from '../terminal/opened.ts';
import { changeSides, useLessonKey } from './keys.ts';
import { putNextInTalk } from './talk.ts';
import styles from './lesson.module.css';

/** The lesson whose cluster is open, beside the stage; on a phone a sheet, with a bar that opens it. */
export default function LessonSide({ id }: { readonly id: string }) {
  const open = useCluster();
  useEffect(() => runLesson(id, open), [id, open]);
  const narrow = useNarrow();
  const teaching = useKept((kept) => kept.teaching);
  return (
    <>
      {narrow ? <PhoneLesson /> : <WideLesson />}
      {teaching && <TalkKeys />}
    </>
  );
}

/** In a talk the next command is one key away, even while the lesson is hidden. */
function TalkKeys() {
  useHotkey('n', putNext, 'Put the lesson’s next command into the terminal');
  useLessonKey('f8', putNext, 'The same, while typing in the terminal');
  useEffect(() => {
    useTerminal.setState({ putNext });
    return () => useTerminal.setState({ putNext: undefined });
  }, []);
  return null;
}

const putNext = (): void => {
  const { run, state } = useRunning.getState();
  if (run) putNextInTalk(run.lesson, state?.current ?? 0);
};

function WideLesson() {
  const width = useKept((kept) => kept.width);
  const [hidden, setHidden] = useState(false);
  useHotkey('t t', () => setHidden(!hidden), 'Show or hide the lesson');
  if (hidden) return <Handle onOpen={() => setHidden(false)} />;
  return (
    <aside className={styles.side} style={{ width: sizeOf(width) }} aria-label="Lesson">
      <Content onHide={() => setHidden(true)} />
      <Splitter
        label="Width of the lesson"
        edge="right"
        size={width}
        min={300}
        max={760}
        onSize={(next) => useKept.setState({ width: next })}
      />
    </aside>
  );
}

/** The bar that a hidden lesson leaves. */
function Handle({ onOpen }: { readonly onOpen: () => void }) {
  useLessonKey('f6', () => changeSides(onOpen), 'Go to the task of the lesson');
  return (
    <aside className={styles.handle} aria-label="Lesson">
      <button type="button" className={styles.handleButton} onClick={onOpen} title="Show the lesson">
        <GraduationCap aria-hidden className={styles.icon} />
        <span className={styles.handleWord}>Lesson</span>
      </button>
    </aside>
  );
}

function PhoneLesson() {
  const [open, setOpen] = useState(true);
  const address = useAddress();
  const [from, setFrom] = useState(address);
  // After following a link, the person wants to see where it led.
  if (from !== address) {
    setFrom(address);
    if (from.cluster === address.cluster) setOpen(false);
  }
  return (
    <>
      <button type="button" className={styles.phoneBar} onClick={() => setOpen(true)}>
        <GraduationCap aria-hidden className={styles.icon} />
        <PhoneWords />
      </button>
      {!open && <OpenKey onOpen={() => setOpen(true)} />}
      <Sheet open={open} headed title="Lesson" onClose={() => setOpen(false)}>
        <Content onHide={() => setOpen(false)} onFollow={() => setOpen(false)} />
      </Sheet>
    </>
  );
}

/** The lesson has the key itself while it is open. */
function OpenKey({ onOpen }: { readonly onOpen: () => void }) {
  useLessonKey('f6', () => changeSides(onOpen), 'Go to the task of the lesson');
  return null;
}

/** Where one stands, in the bar of a phone. */
function PhoneWords() {
  const run = useRunning((running) => running.run);
  const current = useRunning((running) => running.state?.current ?? 0);
  if (!run) return 'Lesson';
  const task = run.lesson.tasks[current];
  return (
    <span className={styles.phoneWords} role="status">
      {task ? `${current + 1} of ${run.lesson.tasks.length}: ${task.title}` : 'All done'}
    </span>
  );
}

interface ContentProps {
  readonly onHide: () => void;
  /** Called when a link of the lesson is followed, even to the page that is already open. */
  readonly onFollow?: (() => void) | undefined;
}

function Content({ onHide, onFollow }: ContentProps) {
  const { run, state, problem } = useRunning();
  if (problem !== undefined) return <ErrorNote title="This lesson can’t be shown.">{problem}</ErrorNote>;
  if (!run || !state) return <Waiting what="Opening the lesson" />;
  return <LessonView run={run} state={state} onHide={onHide} onFollow={onFollow} />;
}
