import { FileUp } from 'lucide-react';
import { useRef, useState } from 'react';
import { lessonEngine, type Lesson, type LessonSummary } from '../../../lessons/index.ts';
import { Button, Dialog } from '../../parts/index.ts';
import { attempt } from '../../stores/actions.ts';
import { keepFile } from './kept.ts';
import { openLesson } from './running.ts';
import styles from './list.module.css';

interface Offered {
  readonly lesson: Lesson;
  readonly summary: LessonSummary;
}

async function readFile(file: File): Promise<Offered> {
  const { readLessonFile, summarize } = await lessonEngine.load();
  const lesson = readLessonFile(await file.text());
  return { lesson, summary: await summarize(lesson) };
}

/** Opens a lesson from a file: shows first what it would do, and asks. */
export function OpenFile() {
  const input = useRef<HTMLInputElement>(null);
  const [offered, setOffered] = useState<Offered>();
  const take = (file: File | undefined): void => {
    if (!file) return;
    void attempt(undefined, `${file.name} is no lesson.`, async () => setOffered(await readFile(file)));
  };
  return (
    <>
      <Button icon={FileUp} onClick={() => input.current?.click()}>
        Open a lesson from a file
      </Button>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        hidden
        aria-label="A lesson’s file"
        onChange={({ target }) => {
          take(target.files?.[0]);
          target.value = '';
        }}
      />
      {offered && <OfferDialog {...offered} onClose={() => setOffered(undefined)} />}
    </>
  );
}

function OfferDialog({ lesson, summary, onClose }: Offered & { readonly onClose: () => void }) {
  const open = (): void => {
    keepFile(lesson);
    onClose();
    void openLesson(lesson.id);
  };
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={`Open “${lesson.title}”?`}
      about="It comes from a file. It works in a cluster of its own and reaches nothing else. This is all that it does:"
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
