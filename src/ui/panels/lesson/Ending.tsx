import { ArrowRight } from 'lucide-preact';
import type { Lesson } from '../../../lessons/index.ts';
import { Button } from '../../parts/index.ts';
import { hrefOf, useAddress } from '../../stores/address.ts';
import { lessonAfter } from './kept.ts';
import { Inline, Prose } from './Prose.tsx';
import { openLesson, stepTo } from './running.ts';
import styles from './lesson.module.css';

interface EndingProps {
  readonly lesson: Lesson;
  /** Called when a link of the lesson is followed, even to the page that is already open. */
  readonly onFollow?: (() => void) | undefined;
}

/** After the last task: what was seen, why it matters, what is next. */
export function Ending({ lesson, onFollow }: EndingProps) {
  const address = useAddress();
  const next = lessonAfter(lesson.id);
  return (
    <section className={styles.ending} aria-label="The lesson is complete">
      <h3 className={styles.subtitle} tabIndex={-1} data-place="">
        The lesson is complete
      </h3>
      <h3 className={styles.subtitle}>What you have seen</h3>
      <ul className={styles.links}>
        {lesson.seen.map(({ text, link }) => (
          <li key={text}>
            <a href={hrefOf(stepTo(link), address)} onClick={onFollow}>
              <Inline text={text} />
            </a>
          </li>
        ))}
      </ul>
      <h3 className={styles.subtitle}>Why this matters</h3>
      <Prose text={lesson.why} />
      {next && (
        <Button look="primary" icon={ArrowRight} onClick={() => void openLesson(next.id)} className={styles.where}>
          Next: {next.title}
        </Button>
      )}
    </section>
  );
}
