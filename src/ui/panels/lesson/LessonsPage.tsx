import { ArrowLeft } from 'lucide-preact';
import { Button } from '../../parts/index.ts';
import { AppearanceMenu } from '../../shell/AppearanceMenu.tsx';
import { go } from '../../stores/address.ts';
import LessonsPanel from './LessonsPanel.tsx';
import styles from './list.module.css';

/** The lessons before a cluster is open: `#/lessons`. */
export default function LessonsPage() {
  return (
    <main className={styles.page} aria-label="Lessons">
      <div className={styles.bar}>
        <Button look="quiet" icon={ArrowLeft} onClick={() => go({ cluster: '', panel: '' })}>
          Start page
        </Button>
        <AppearanceMenu />
      </div>
      <LessonsPanel />
    </main>
  );
}
