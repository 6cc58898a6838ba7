import { useState } from 'preact/compat';
import { lessonEngine, type Lesson, type LessonSummary, type StepSummary } from '../../../lessons/index.ts';
import { Button, Dialog, orToast } from '../../parts/index.ts';
import { keepLesson } from './running.ts';
import styles from './list.module.css';

/** A lesson from elsewhere, with everything that it would do. */
export interface Offered {
  readonly lesson: Lesson;
  readonly summary: LessonSummary;
  /** The whole file, with escapes for characters that would steer how it is shown. */
  readonly whole: () => string;
}

/** Reads a lesson's file; throws an error that says what is wrong and where. */
export async function readOffered(text: string): Promise<Offered> {
  const { plainText, readLessonFile, summarize } = await lessonEngine.load();
  const lesson = readLessonFile(text);
  return { lesson, summary: await summarize(lesson), whole: () => plainText(JSON.stringify(lesson, null, 2)) };
}

interface OfferDialogProps extends Offered {
  readonly from: 'file' | 'link';
  /** The task at which it opens: the solutions of those before it are played. */
  readonly step?: number;
  /** Command lines that wait in the terminal then. */
  readonly commands?: readonly string[] | undefined;
  readonly onClose: () => void;
  /** The lesson is kept in this browser by now. */
  readonly onOpen: (id: string) => void;
}

/** Shows what a lesson from elsewhere would do, and asks before anything of it runs. */
export function OfferDialog({ lesson, summary, whole, from, step = 0, commands, onClose, onOpen }: OfferDialogProps) {
  const open = (): Promise<boolean> =>
    orToast('The lesson could not be opened.', async () => {
      const { id } = await keepLesson(lesson);
      onClose();
      onOpen(id);
    });
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={`Open “${lesson.title}”?`}
      about={`This lesson comes from a ${from}. It runs in its own cluster and can reach nothing else. This is everything it does:`}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" onClick={() => void open()}>
            Open the lesson
          </Button>
        </>
      }
    >
      <p>{summary.cluster}</p>
      <Steps title="At the start" steps={summary.start} />
      {step > 0 && (
        <Steps
          title="When you open the lesson"
          about={`The lesson opens at task ${step + 1}. The solutions of the earlier tasks run at once.`}
          steps={summary.solutions.slice(0, step).flat()}
        />
      )}
      <Steps title="When you ask for a solution" steps={summary.solutions.slice(step).flat()} />
      {summary.commands.length > 0 && (
        <Steps
          title="Commands that the tasks offer"
          about="They run only when you put them into the terminal and press Enter."
          steps={summary.commands}
          code
        />
      )}
      {commands && (
        <p>
          This is put into the terminal. It runs when you press Enter:{' '}
          <code className={styles.command}>{commands.join('; ')}</code>
        </p>
      )}
      <Unfolded title="The whole file" text={whole} />
    </Dialog>
  );
}

interface StepsProps {
  readonly title: string;
  readonly about?: string;
  readonly steps: readonly StepSummary[];
  /** Whether they are command lines. */
  readonly code?: boolean;
}

function Steps({ title, about, steps, code = false }: StepsProps) {
  return (
    <section className={styles.steps}>
      <h3 className={styles.title}>{title}</h3>
      {about !== undefined && <p>{about}</p>}
      {steps.length === 0 ? (
        <p>Nothing.</p>
      ) : (
        <ol className={styles.stepList}>
          {steps.map(({ text, contents }, index) => (
            <li key={index}>
              {code ? <code className={styles.command}>{text}</code> : text}
              {contents !== undefined && <Unfolded title="What it sends" text={() => contents} />}
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

/** A text that is made when it is unfolded: a lesson may hold a great deal. */
function Unfolded({ title, text }: { readonly title: string; readonly text: () => string }) {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{title}</summary>
      {open && <pre className={styles.file}>{text()}</pre>}
    </details>
  );
}
