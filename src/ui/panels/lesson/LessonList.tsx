import { Check, Trash2 } from 'lucide-preact';
import { lessons, type Level, type LessonCard } from '../../../lessons/index.ts';
import { getOwn } from '../../../std/index.ts';
import { Button, cx, IconButton } from '../../parts/index.ts';
import { forgetFile, useKept, type Progress } from './kept.ts';
import { openLesson } from './running.ts';
import styles from './list.module.css';

const levels: readonly { readonly level: Level; readonly title: string }[] = [
  { level: 'first steps', title: 'First steps' },
  { level: 'basics', title: 'Basics' },
  { level: 'deeper', title: 'Advanced' },
];

/** All lessons, by how much one has to know already. */
export function LessonList() {
  const files = useKept((kept) => kept.files);
  const own = Object.values(files);
  return (
    <>
      {levels.map(({ level, title }) => (
        <Group key={level} title={title} cards={lessons.filter((each) => each.level === level)} />
      ))}
      {own.length > 0 && <Group title="From files and links" cards={own} own />}
    </>
  );
}

interface GroupProps {
  readonly title: string;
  readonly cards: readonly LessonCard[];
  /** Lessons from files, which can be removed. */
  readonly own?: boolean;
}

function Group({ title, cards, own = false }: GroupProps) {
  const progress = useKept((kept) => kept.progress);
  if (cards.length === 0) return null;
  return (
    <section aria-label={title}>
      <h2 className={styles.title}>{title}</h2>
      <ul className={styles.cards}>
        {cards.map((card) => (
          <Card key={card.id} card={card} progress={getOwn(progress, card.id)} own={own} />
        ))}
      </ul>
    </section>
  );
}

interface CardProps {
  readonly card: LessonCard;
  readonly progress: Progress | undefined;
  readonly own: boolean;
}

function Card({ card, progress, own }: CardProps) {
  const complete = progress !== undefined && progress.tasks > 0 && progress.done.length === progress.tasks;
  return (
    <li className={cx(styles.card, complete && styles.complete)}>
      <h3 className={styles.name}>
        {complete && <Check aria-label="Done" className={styles.icon} />}
        {card.title}
      </h3>
      <p className={styles.learn}>{card.learn}</p>
      <div className={styles.foot}>
        <span className={styles.minutes}>
          {card.minutes} minutes
          {progress !== undefined && progress.done.length > 0 && ` · ${progress.done.length} of ${progress.tasks} done`}
        </span>
        {own && <IconButton icon={Trash2} label={`Remove ${card.title}`} onClick={() => forgetFile(card.id)} />}
        <Button aria-label={`${verb(progress, complete)}: ${card.title}`} onClick={() => void openLesson(card.id)}>
          {verb(progress, complete)}
        </Button>
      </div>
    </li>
  );
}

function verb(progress: Progress | undefined, complete: boolean): string {
  if (complete) return 'Open';
  return progress !== undefined && progress.done.length > 0 ? 'Continue' : 'Start';
}
