import { Clock, Play } from 'lucide-preact';
import type { ReactNode } from 'preact/compat';
import { scenarios, type ScenarioId } from '../../scenarios/list.ts';
import { Button, cx, orToast } from '../../parts/index.ts';
import { LessonsPicture, pictures } from './pictures.tsx';
import styles from './Gallery.module.css';

/** What can be opened with one press besides the demo. What stands below comes with it, so that it does not move away under a pointer. */
export default function Gallery({ children }: { readonly children: ReactNode }) {
  const ids = Object.keys(pictures) as (keyof typeof pictures)[];
  return (
    <>
      <section aria-label="Lessons">
        <h2 className={styles.title}>Learn step by step</h2>
        <div className={cx(styles.card, styles.wide)}>
          <LessonsPicture />
          <div className={styles.words}>
            <p>Lessons in live clusters, 4 to 12 minutes each. Every task is checked.</p>
            <p className={styles.actions}>
              <Button icon={Play} onClick={() => void startFirstLesson()}>
                Start the first lesson
              </Button>
              <a href="#/lessons">All lessons</a>
            </p>
          </div>
        </div>
      </section>
      <section aria-label="Scenarios">
        <h2 className={styles.title}>Or start with one question</h2>
        <ul className={styles.cards}>
          {ids.map((id) => {
            const Picture = pictures[id];
            return (
              <li key={id}>
                <GalleryCard {...scenarios[id]} picture={<Picture />} onOpen={() => void open(id)} />
              </li>
            );
          })}
        </ul>
      </section>
      {children}
    </>
  );
}

/** What opens it comes with the press. */
function open(id: ScenarioId): Promise<boolean> {
  return orToast('The scenario could not be opened.', async () =>
    (await import('../../scenarios/openScenario.ts')).openScenario(id),
  );
}

function startFirstLesson(): Promise<boolean> {
  return orToast('The lesson could not be opened.', async () =>
    (await import('../lesson/running.ts')).openLesson('first-deployment'),
  );
}

interface GalleryCardProps {
  readonly title: string;
  readonly learn: string;
  readonly minutes: number;
  readonly picture: ReactNode;
  readonly onOpen: () => void;
}

function GalleryCard({ title, learn, minutes, picture, onOpen }: GalleryCardProps) {
  return (
    <button type="button" className={styles.card} onClick={onOpen}>
      {picture}
      <span className={styles.name}>{title}</span> <span className={styles.learn}>{learn}</span>{' '}
      <span className={styles.minutes}>
        <Clock className={styles.clock} aria-hidden />
        {minutes} minutes
      </span>
    </button>
  );
}
