import { Eye } from 'lucide-preact';
import { Empty } from '../../parts/index.ts';
import { useWatches } from '../../stores/watches.ts';
import { NewWatch } from './NewWatch.tsx';
import { WatchColumn } from './WatchColumn.tsx';
import styles from './WatchPanel.module.css';

/** Watches side by side, each with its events as they arrive. */
export function WatchesTab() {
  const watches = useWatches((state) => state.watches);
  return (
    <>
      <NewWatch />
      {watches.length === 0 ? (
        <Empty icon={Eye} title="No watches yet">
          Open one above and write something: each event appears here with its revision. Open several to compare them;
          hold one to see its backlog grow at the server; drop it and resume from its revision.
        </Empty>
      ) : (
        <div className={styles.columns}>
          {watches.map((session) => (
            <WatchColumn key={session.id} session={session} />
          ))}
        </div>
      )}
    </>
  );
}
