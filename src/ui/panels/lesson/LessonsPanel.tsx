import { LessonList } from './LessonList.tsx';
import styles from './list.module.css';

/** The lessons, as a panel of an open cluster. */
export default function LessonsPanel() {
  return (
    <div className={styles.panel}>
      <div className={styles.column}>
        <h1 className={styles.head}>Learn</h1>
        <p className={styles.about}>
          Each lesson has a cluster of its own. You do things in it, and see at once what came of them.
        </p>
        <LessonList />
      </div>
    </div>
  );
}
