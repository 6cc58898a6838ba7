import { Link, List, Minus, Presentation, RotateCcw } from 'lucide-preact';
import { useEffect, useRef, useState } from 'preact/compat';
import type { Lesson, LessonRun, RunState } from '../../../lessons/index.ts';
import { Button, cx, Dialog, ErrorNote, IconButton, orToast } from '../../parts/index.ts';
import aloud from '../../parts/Aloud.module.css';
import { go } from '../../stores/address.ts';
import { useAppearance } from '../../theme/appearance.ts';
import { Ending } from './Ending.tsx';
import { lessonAfter, useKept } from './kept.ts';
import { changeSides, enterLesson, showPlace, useLessonKey } from './keys.ts';
import { Prose } from './Prose.tsx';
import { resetLesson } from './running.ts';
import { TaskItem } from './TaskItem.tsx';
import { Users } from './Users.tsx';
import styles from './lesson.module.css';

interface LessonViewProps {
  readonly run: LessonRun;
  readonly state: RunState;
  readonly onHide: () => void;
  /** Called when a link of the lesson is followed. */
  readonly onFollow?: (() => void) | undefined;
}

/** A lesson under way: its tasks, the present one unfolded with its checks. */
export function LessonView({ run, state, onHide, onFollow }: LessonViewProps) {
  const { lesson } = run;
  const { current } = state;
  const [shown, setShown] = useState(current);
  // What is unfolded follows what is next; one can unfold another.
  useEffect(() => setShown(current), [current]);
  useLessonKey(
    'f6',
    () => changeSides(() => setShown(current)),
    'Go to the task of the lesson; from there to the terminal',
  );
  const last = useRef(current);
  useEffect(() => {
    if (last.current === current) return;
    last.current = current;
    // The button that solved the task is gone: the keyboard goes on from the next one.
    if (document.activeElement === document.body) enterLesson();
    else if (current === lesson.tasks.length) showPlace();
  }, [current, lesson]);
  return (
    <>
      <Head run={run} state={state} onHide={onHide} />
      <div className={styles.body}>
        {current === 0 && <Prose text={lesson.intro} />}
        {state.phase === 'preparing' && (
          <p className={styles.preparing} role="status">
            The cluster is being set up for the lesson.
          </p>
        )}
        {state.phase === 'failed' && <Failed run={run} problem={state.problem ?? ''} />}
        {state.phase === 'ready' && (
          <>
            <Users users={lesson.start.users ?? []} />
            <ol className={styles.tasks}>
              {lesson.tasks.map((task, index) => (
                <TaskItem
                  key={index}
                  task={task}
                  index={index}
                  state={state}
                  open={shown === index}
                  onFollow={onFollow}
                  onToggle={() => setShown(shown === index ? -1 : index)}
                />
              ))}
            </ol>
            {current === lesson.tasks.length && <Ending lesson={lesson} onFollow={onFollow} />}
          </>
        )}
        <Announcement run={run} state={state} />
      </div>
    </>
  );
}

/** Tells a screen reader the next task once, and how many of its checks pass whenever that changes. */
function Announcement({ run, state }: { readonly run: LessonRun; readonly state: RunState }) {
  const ready = state.phase === 'ready';
  return (
    <div className={aloud.aloud}>
      <p role="status">{ready && nextTask(run.lesson, state)}</p>
      <p role="status">{ready && passingChecks(run.lesson, state)}</p>
    </div>
  );
}

function nextTask({ id, tasks }: Lesson, { current }: RunState): string {
  const next = tasks[current];
  const before = current > 0 ? `Task ${current} is done. ` : '';
  if (!next) return before + ending(id);
  const text = `${next.title}. ${next.text.join(' ').replaceAll('`', '')}`;
  return current > 0
    ? `${before}Next: ${text}`
    : `First task: ${text} F6 leads to the task, and from the task to the terminal.`;
}

function ending(id: string): string {
  const next = lessonAfter(id);
  const more = next ? ` and the next lesson, “${next.title}”` : '';
  return `The lesson is complete. F6 leads to a summary${more}.`;
}

function passingChecks({ tasks }: Lesson, { current, tasks: states }: RunState): string {
  const passed = (states[current]?.verdicts ?? []).filter(({ holds }) => holds).length;
  return passed > 0 ? `${passed} of ${tasks[current]?.checks.length ?? 0} checks pass.` : '';
}

function Failed({ run, problem }: { readonly run: LessonRun; readonly problem: string }) {
  return (
    <ErrorNote
      title="The lesson could not be set up."
      actions={
        <Button icon={RotateCcw} onClick={() => void resetLesson(run.lesson)}>
          Start over
        </Button>
      }
    >
      <p>{problem}</p>
    </ErrorNote>
  );
}

const copyLink = (id: string, step: number): Promise<boolean> =>
  orToast('The link was not copied.', async () => (await import('./linked.ts')).copyLessonLink({ id, step }));

/** Notes and the next command for whoever teaches, and the page at the size for a projector; afterwards at the size that it had. */
function teach(teaching: boolean): void {
  const { size } = useAppearance.getState();
  useKept.setState((kept) => ({ teaching, sizeBefore: teaching ? size : kept.sizeBefore }));
  useAppearance.setState({ size: teaching ? 'projector' : useKept.getState().sizeBefore });
}

function Head({ run, state, onHide }: LessonViewProps) {
  const { lesson } = run;
  const teaching = useKept((kept) => kept.teaching);
  const [resetting, setResetting] = useState(false);
  const title = useRef<HTMLHeadingElement>(null);
  const ready = state.phase === 'ready';
  // The button that started the lesson is gone: the keyboard goes on from the lesson.
  useEffect(() => {
    if (ready && document.activeElement === document.body) title.current?.focus({ preventScroll: true });
  }, [ready]);
  return (
    <header className={styles.head}>
      <div className={styles.headLine}>
        <h2 ref={title} className={styles.title} tabIndex={-1}>
          {lesson.title}
        </h2>
        <IconButton icon={List} label="All lessons" onClick={() => go({ panel: 'lessons', path: [] })} />
        <IconButton
          icon={Presentation}
          label="Teaching mode: large text, notes, next command"
          pressed={teaching}
          onClick={() => teach(!teaching)}
        />
        <IconButton
          icon={Link}
          label="Copy a link to this task"
          onClick={() => void copyLink(lesson.id, Math.min(state.current, lesson.tasks.length - 1))}
        />
        <IconButton icon={RotateCcw} label="Start over" onClick={() => setResetting(true)} />
        <IconButton icon={Minus} label="Hide the lesson" keys="t then t" onClick={onHide} />
      </div>
      <Steps state={state} count={lesson.tasks.length} />
      {resetting && <ResetDialog run={run} onClose={() => setResetting(false)} />}
    </header>
  );
}

/** A bar with a piece for each task. */
function Steps({ state, count }: { readonly state: RunState; readonly count: number }) {
  const done = state.tasks.filter((task) => task.done).length;
  return (
    <div className={styles.steps} role="img" aria-label={`${done} of ${count} tasks done`}>
      {Array.from({ length: count }, (_, index) => (
        <span
          key={index}
          className={cx(
            styles.step,
            state.tasks[index]?.done && styles.stepDone,
            index === state.current && styles.stepNow,
          )}
        />
      ))}
    </div>
  );
}

function ResetDialog({ run, onClose }: { readonly run: LessonRun; readonly onClose: () => void }) {
  const [busy, setBusy] = useState(false);
  const reset = (): void => {
    setBusy(true);
    void resetLesson(run.lesson).finally(onClose);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Start the lesson over?"
      about="Everything in this lesson’s cluster is deleted. Your other clusters are not affected."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="danger" busy={busy} onClick={reset}>
            Start over
          </Button>
        </>
      }
    />
  );
}
