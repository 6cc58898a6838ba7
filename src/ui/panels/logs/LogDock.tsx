import { ScrollText } from 'lucide-preact';
import { Empty } from '../../parts/index.ts';
import { useDockedLogs } from './docked.ts';
import LogView from './LogView.tsx';
import styles from './logs.module.css';

/** The logs that somebody chose to keep in sight. */
export default function LogDock() {
  const target = useDockedLogs((state) => state.target);
  if (!target)
    return (
      <Empty icon={ScrollText} title="No log is open">
        Choose “Logs” in the menu of a pod or of what runs pods; its lines appear here while you look at other things.
      </Empty>
    );
  return (
    <div className={styles.docked}>
      <p className={styles.whose}>
        {target.title} in {target.namespace}
      </p>
      <LogView key={`${target.title} ${target.namespace}`} target={target} />
    </div>
  );
}
