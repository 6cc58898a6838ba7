import { PencilLine } from 'lucide-preact';
import { useEffect, useRef } from 'preact/compat';
import { Button, later } from '../../parts/index.ts';
import { go, useAddress } from '../../stores/address.ts';
import { LessonList } from './LessonList.tsx';
import { OpenFile } from './OpenFile.tsx';
import styles from './list.module.css';

const AuthorTab = later(() => import('./author/AuthorTab.tsx'));

/** The lessons, as a panel of an open cluster; and there, where one writes one. */
export default function LessonsPanel() {
  const writes = useAddress(({ panel, path }) => panel === 'lessons' && path[0] === 'author');
  const inCluster = useAddress(({ panel }) => panel === 'lessons');
  const head = useRef<HTMLHeadingElement>(null);
  // The link that led here is gone: the keyboard goes on from the heading.
  useEffect(() => {
    if (document.activeElement === document.body) head.current?.focus({ preventScroll: true });
  }, [writes]);
  return (
    <div className={styles.panel}>
      <div className={styles.column}>
        <div className={styles.headLine}>
          <h1 ref={head} tabIndex={-1} className={styles.head}>
            {writes ? 'Write a lesson' : 'Lessons'}
          </h1>
          <div className={styles.actions}>
            {writes ? (
              <Button onClick={() => go({ path: [] })}>All lessons</Button>
            ) : (
              <>
                <OpenFile />
                {inCluster && (
                  <Button icon={PencilLine} onClick={() => go({ path: ['author'] })}>
                    Write a lesson from this cluster
                  </Button>
                )}
              </>
            )}
          </div>
        </div>
        {writes ? <AuthorTab /> : <Lessons />}
      </div>
    </div>
  );
}

function Lessons() {
  return (
    <>
      <p className={styles.about}>
        Each lesson runs in its own cluster. You solve tasks in it, and the page checks the results as you go.
      </p>
      <LessonList />
    </>
  );
}
