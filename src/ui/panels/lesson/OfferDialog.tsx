import { lessonEngine, type Lesson, type LessonSummary } from '../../../lessons/index.ts';
import { Button, Dialog } from '../../parts/index.ts';
import { keepFile } from './kept.ts';
import styles from './list.module.css';

/** A lesson from elsewhere, with everything that it would do. */
export interface Offered {
  readonly lesson: Lesson;
  readonly summary: LessonSummary;
}

/** Reads a lesson's file; throws an error that says what is wrong and where. */
export async function readOffered(text: string): Promise<Offered> {
  const { readLessonFile, summarize } = await lessonEngine.load();
  const lesson = readLessonFile(text);
  return { lesson, summary: await summarize(lesson) };
}

interface OfferDialogProps extends Offered {
  readonly from: 'file' | 'link';
  readonly onClose: () => void;
  /** The lesson is kept in this browser by now. */
  readonly onOpen: (id: string) => void;
}

/** Shows what a lesson from elsewhere would do, and asks before anything of it runs. */
export function OfferDialog({ lesson, summary, from, onClose, onOpen }: OfferDialogProps) {
  const open = (): void => {
    keepFile(lesson);
    onClose();
    onOpen(lesson.id);
  };
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={`Open “${lesson.title}”?`}
      about={`It comes from a ${from}. It works in a cluster of its own and reaches nothing else. This is all that it does:`}
      actions={
        <>
          <Button onClick={onClose}>Don’t open it</Button>
          <Button look="primary" onClick={open}>
            Open the lesson
          </Button>
        </>
      }
    >
      <p>{summary.cluster}</p>
      <Steps title="At the start" steps={summary.start} />
      <Steps title="When you ask to be shown a solution" steps={summary.solutions} />
      <details>
        <summary>The whole file</summary>
        <pre className={styles.file}>{JSON.stringify(lesson, null, 2)}</pre>
      </details>
    </Dialog>
  );
}

function Steps({ title, steps }: { readonly title: string; readonly steps: readonly string[] }) {
  return (
    <section className={styles.steps}>
      <h3 className={styles.title}>{title}</h3>
      {steps.length === 0 ? (
        <p>Nothing.</p>
      ) : (
        <ol className={styles.stepList}>
          {steps.map((step, index) => (
            <li key={index}>{step}</li>
          ))}
        </ol>
      )}
    </section>
  );
}
